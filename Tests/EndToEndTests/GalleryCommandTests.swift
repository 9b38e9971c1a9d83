// The gallery and the comparison of curves, as a user makes them.
import SystemIO
import Testing

@Suite("The gallery, from the command line")
struct GalleryCommandTests {
  private static let scenario = """
    scenario: tiny
    question: Does it work?
    description: A writer.
    source: tests
    keywords: [test]
    data:
      Item: { rows: 400, value: { size: 200 B } }
    clients:
      writer: { kind: writer, transaction: { update: 20 } }
    phases:
      - work: { commits: 40, run: [writer] }
    launches: 2
    engines: [native, lmdb]
    policies:
      - never
      - every-launch
    sample: { every: 5 commits }

    """

  @Test(
    "a second run reproduces the gallery; one byte more in it is found and named, and exits with 1")
  func reproduces() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("tiny.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      for (name, repetitions) in [("one", "1"), ("two", "2")] {
        let run = try await BuiltCommand.run([
          "run", file.string, "--schedule", "stepped", "--repetitions", repetitions, "--output",
          folder.appending(name).string,
        ])
        #expect(run.code == 0, "\(run.errors)")
      }
      let gallery = folder.appending("gallery")
      func call(_ run: String, _ options: String...) async throws -> BuiltCommand.Outcome {
        try await BuiltCommand.run(
          ["gallery", folder.appending(run).string, "--output", gallery.string] + options)
      }
      #expect(try await call("one").code == 0)
      #expect(try FileSystem.list(gallery).sorted() == ["README.md", "tiny.csv", "tiny.svg"])
      let same = try await call("two", "--check")
      #expect(same.code == 0 && same.output.contains("4 cells of 1 scenario reproduce"))

      let csv = gallery.appending("tiny.csv")
      let kept = try FileSystem.readText(csv)
      let row = try #require(kept.split(separator: "\r\n").first { $0.contains(",native,never,") })
      var fields = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let high = try #require(Int(fields[7]))
      fields[7] = String(high + 1)
      try FileSystem.write(
        text: kept.replacing(row, with: fields.joined(separator: ",")), to: csv)
      let other = try await call("two", "--check")
      #expect(other.code == 1)
      #expect(
        other.errors.contains(
          "differs: tiny · native · never · default: high_water_bytes \(high + 1) in the gallery,"
            + " \(high) now"
        ),
        "\(other.errors)")
      // Every cell's engine is of another version.
      let others = kept.replacing(#/,("[^"]*"|[^",]*),measured,/#) { _ in ",another,measured," }
      try FileSystem.write(text: others, to: csv)
      let nothing = try await call("two", "--check")
      #expect(nothing.code == 2)
      #expect(nothing.errors.contains("nothing was checked"), "\(nothing.errors)")
      #expect(try await call("three", "--check").code == 2)
    }
  }

  @Test(
    "the curves of two equal runs are the same; with another seed compare-curves prints where they diverge"
  )
  func curves() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("tiny.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      for (name, seed) in [("one", "1"), ("two", "1"), ("three", "2")] {
        let run = try await BuiltCommand.run([
          "run", file.string, "--repetitions", "1", "--engine", "native", "--seed", seed,
          "--output", folder.appending(name).string,
        ])
        #expect(run.code == 0, "\(run.errors)")
      }
      func compare(_ head: String) async throws -> BuiltCommand.Outcome {
        try await BuiltCommand.run([
          "compare-curves", folder.appending("one/tiny").string,
          folder.appending("\(head)/tiny").string,
        ])
      }
      let same = try await compare("two")
      #expect(same.code == 0 && same.output.contains("native · never · default: the same at all"))
      let other = try await compare("three")
      #expect(other.code == 1 && other.output.contains("diverges at launch 1"), "\(other.output)")
    }
  }
}
