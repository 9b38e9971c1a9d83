// `agreement` between two of our own engines, which are on every machine.
import SystemIO
import Testing

@Suite("Agreement of two engines")
struct AgreementCommandTests {
  private static let scenario = """
    scenario: held
    question: Do two engines agree?
    description: A writer overwrites large rows, and there is no reader.
    source: made for tests
    keywords: [test]
    seed: 3
    data:
      Item: { rows: 300, value: { size: 16 kB } }
    clients:
      writer: { kind: writer, transaction: { update: 2 } }
    phases:
      - work: { commits: 20, run: [writer] }
    launches: 2
    engines: [native]
    policies: [never, every-launch]
    sample: { every: 5 commits }

    """

  private func agreement(_ folder: FilePath, _ words: [String]) async throws -> BuiltCommand.Outcome
  {
    try await BuiltCommand.run(
      [
        "agreement", "--engine", "native-oldest-reader", "--reference", "native", "--output",
        folder.appending("out").string,
      ] + words)
  }

  /// Of each policy: the rows that the table began with, and how large the engine's file became.
  private func figures(_ folder: FilePath) throws -> [(rows: Int, highWater: Int)] {
    let text = try FileSystem.readText(folder.appending("out").appending("agreement.csv"))
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let rows = try #require(lines[0].firstIndex { $0 == "rows" })
    let highWater = try #require(lines[0].firstIndex { $0 == "high_water_bytes" })
    return lines.dropFirst().map { (Int($0[rows]) ?? -1, Int($0[highWater]) ?? -1) }
  }

  @Test("every policy has its figures, and the records give the same page once more")
  func small() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("held.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      let outcome = try await agreement(folder, [file.string])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("holds: the same trend, plateau or growth: 2 of 2 cells"))
      #expect(!outcome.output.contains("times the data"))
      let found = try figures(folder)
      #expect(found.map(\.rows) == [300, 300])
      #expect(found.allSatisfy { $0.highWater >= 300 * 16_000 })
      let page = folder.appending("out").appending("agreement.md")
      let text = try FileSystem.readText(page)
      #expect(text.contains("| held     |  300 |"))
      try FileSystem.write(text: "", to: page)
      let again = try await agreement(folder, ["--records", folder.appending("out").string])
      #expect(again.code == 0, "\(again.errors)")
      #expect(try FileSystem.readText(page) == text)
    }
  }

  @Test("in a larger size the data are multiplied until each file is large enough to be judged")
  func enoughData() async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("held.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      let outcome = try await agreement(folder, [file.string, "--size", "middle"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let found = try figures(folder)
      let times = found.map { $0.rows / 900 }
      #expect(found.count == 2 && times[0] > 1 && times[0] == times[1])
      #expect(
        outcome.output.contains("held: \(times[0]) times the data, to reach files of 50.0 MB"))
      #expect(found.allSatisfy { $0.highWater >= 50_000_000 })
    }
  }
}
