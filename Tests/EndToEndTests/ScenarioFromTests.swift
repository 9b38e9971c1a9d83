// `scenario-from` as a user calls it: scenarios are recorded, fitted and held against their traces.
import SystemIO
import Testing

@Suite("Scenarios fitted to traces, on the command line")
struct ScenarioFromTests {
  /// Records the scenario under the policy `never` on the native engine.
  private static func record(_ scenario: FilePath, to trace: FilePath) async throws {
    let outcome = try await BuiltCommand.run([
      "record", scenario.string, trace.string, "--engine", "native", "--policy", "never", "--quiet",
      "--output", trace.removingLastComponent().appending("recorded").string,
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  /// Returns the number of percent before ` % on average`.
  private static func distance(_ output: String) throws -> Double {
    let words = output.split(separator: " ")
    let end = try #require(
      words.indices.first { words[$0...].starts(with: ["%", "on", "average"]) })
    return try #require(Double(words[end - 1]))
  }

  /// Ten shapes: a long reader with a trim and a refill; a window of frozen objects; observers; random lifetimes; a queue for
  /// the write lock; a table that oscillates, and one that is reloaded; log-normal, two-humped and large values with rows
  /// that are replaced; many launches.
  static let shapes = [
    "long-reader", "frozen-objects", "pins/observers", "pins/lifetimes", "pins/writers-in-line",
    "compaction/thrash", "apps/importer", "apps/mail", "apps/messenger", "apps/offline-map",
  ]

  @Test(
    "the growth of a fitted scenario is within 10 % of its trace's on average", arguments: shapes)
  func growth(shape: String) async throws {
    try await BuiltCommand.withFolder { folder in
      let trace = folder.appending("it.trace")
      let scenario = BuiltCommand.root.pushing(FilePath("Scenarios/\(shape).yml"))
      try await Self.record(scenario, to: trace)
      let file = folder.appending("fitted.yml")
      let fitted = try await BuiltCommand.run([
        "scenario-from", trace.string, "--output", file.string, "--quiet",
      ])
      #expect(fitted.code == 0, "\(fitted.errors)")
      #expect(try Self.distance(fitted.output) <= 10)
      let text = try FileSystem.readText(file)
      let sentence = try #require(fitted.output.split(separator: "\n").first)
      #expect(text.contains("# \(sentence)\n"))
      let valid = try await BuiltCommand.run(["validate", file.string])
      #expect(valid.code == 0, "\(valid.errors)")
    }
  }

  @Test("traces of one app are fitted together; another app's and a truncated one are refused")
  func refused() async throws {
    try await BuiltCommand.withFolder { folder in
      let small = folder.appending("small.yml")
      try FileSystem.write(text: RunTests.small, to: small)
      let other = RunTests.small.replacing("Item", with: "Other")
      try FileSystem.write(text: other, to: folder.appending("other.yml"))
      let trace = folder.appending("a.trace")
      try await Self.record(small, to: trace)
      let copy = folder.appending("b.trace")
      try FileSystem.write(FileSystem.read(trace), to: copy)
      let file = folder.appending("both.yml")
      let arguments = ["--no-check", "--output", file.string]
      let both = try await BuiltCommand.run(
        ["scenario-from", trace.string, copy.string] + arguments)
      #expect(both.code == 0, "\(both.errors)")
      #expect(!both.output.contains("on average"))
      #expect(try FileSystem.readText(file).contains("2 traces"))
      let again = try await BuiltCommand.run(["scenario-from", trace.string] + arguments)
      #expect(again.code == 2 && again.errors.contains("exists already"))
      let bytes = try FileSystem.read(trace)
      try FileSystem.write(Array(bytes.dropLast(40)), to: copy)
      let cut = try await BuiltCommand.run(["scenario-from", copy.string, "--no-check"])
      #expect(cut.code == 2 && cut.errors.contains("has no end"))
      let otherTrace = folder.appending("other.trace")
      try await Self.record(folder.appending("other.yml"), to: otherTrace)
      let mixed = try await BuiltCommand.run([
        "scenario-from", trace.string, otherTrace.string, "--no-check",
      ])
      #expect(mixed.code == 2 && mixed.errors.contains("different tables: Item and Other"))
      let named = try await BuiltCommand.run([
        "scenario-from", trace.string, "--output", folder.appending("No name.yml").string,
      ])
      #expect(named.code == 2 && named.errors.contains("no name of a scenario's file"))
    }
  }
}
