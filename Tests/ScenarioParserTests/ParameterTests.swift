// Parameters and settings: what is put in their place is read as if it stood there, and mistakes name both.
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Parameters and settings")
struct ParameterTests {
  static let text = """
    scenario: sample
    question: Does $5 cost $limit?
    parameters: { limit: 20 MB, rows: 1_000, part: 50 % }
    data:
      Item: { rows: $rows, value: { size: 256 B } }
    clients:
      writer: { kind: writer, transaction: { update: 10 } }
    phases:
      - work: { commits: 100, run: [writer] }
      - trim: { delete: $part, commits: 50, run: [writer] }
    policies:
      - never
      - on-launch: totalBytes > $limit && usedBytes / totalBytes < $part
    """

  private func parse(
    _ text: String = Self.text, _ settings: [(String, String)] = [], option: String = "--set"
  ) throws(ScenarioProblems) -> Scenario {
    try ScenarioParser.parse(
      text, file: "sample.yml",
      settings: settings.map { ScenarioSetting(option: option, name: $0.0, value: $0.1) })
  }

  private func problems(
    _ text: String = Self.text, _ settings: [(String, String)] = []
  ) throws -> [ScenarioProblem] {
    try #require(throws: ScenarioProblems.self) { _ = try parse(text, settings) }.problems
  }

  @Test("a scenario with parameters is the one with their values in place, and prose is left alone")
  func inPlace() throws {
    let written = Self.text.split(separator: "\n").filter { !$0.hasPrefix("parameters") }
      .joined(separator: "\n").replacing("rows: $rows", with: "rows: 1_000")
      .replacing("> $limit", with: "> 20 MB").replacing("$part", with: "50 %")
    var scenario = try parse()
    #expect(scenario.parameters == ["limit": "20 MB", "rows": "1_000", "part": "50 %"])
    #expect(scenario.question == "Does $5 cost $limit?")
    scenario.parameters = nil
    #expect(scenario == (try parse(written)))
  }

  @Test("a setting replaces a parameter, or the value of a key by its path")
  func settings() throws {
    let scenario = try parse(
      Self.text,
      [
        ("limit", "40 MB"), ("phases.work.commits", "7"),
        ("clients.writer.transaction.update", "3"),
        ("policies[0]", "every-launch"),
      ])
    #expect(scenario.parameters?["limit"] == "40 MB")
    #expect(scenario.phases[0].commits == 7)
    #expect(scenario.policies.map(\.name).first == "every-launch")
    #expect(scenario.policies[1].name.contains("40 MB"), "\(scenario.policies[1].name)")
    #expect(try parse(Self.text, [("data.Item.rows", "9")]).tables[0].rows == 9)
  }

  @Test(
    "a name that leads nowhere is an error that names the nearest",
    arguments: [
      ("limt", "did you mean \"limit\"?"), ("data.Item.row", "did you mean \"data.Item.rows\"?"),
      ("phases.work.comits", "did you mean \"phases.work.commits\"?"), ("xyzzy", "there are limit"),
    ])
  func nowhere(name: String, hint: String) throws {
    let found = try problems(Self.text, [(name, "5")])
    #expect(found.count == 1 && found[0].file == "--set", "\(found)")
    #expect(found[0].hint?.contains(hint) == true, "\(found)")
    #expect(found[0].sourceLine == "\(name)=5")
  }

  @Test("a value out of range is reported where it is used, with the parameter and the option")
  func outOfRange() throws {
    let found = try problems(Self.text, [("rows", "0")])
    #expect(found.count == 1)
    #expect(found[0].line == 5 && found[0].path == "data.Item.rows", "\(found)")
    #expect(found[0].message == "0 is out of range, where $rows is 0 by --set", "\(found)")
    let set = try problems(Self.text, [("data.Item.rows", "many")])
    #expect(set[0].message.contains("data.Item.rows is many by --set"), "\(set)")
    let policy = try problems(Self.text, [("limit", "40 XB")])
    #expect(policy[0].line == 13 && policy[0].path.hasPrefix("policies[1]"), "\(policy)")
  }

  @Test(
    "a mistake in the file is named with its line",
    arguments: [
      ("> $limit", "> $limti", 13, "unknown parameter \"$limti\"", "did you mean \"limit\"?"),
      ("rows: $rows", "rows: 5", 3, "parameter \"rows\" is used nowhere", "write $rows"),
      ("limit: 20 MB", "limit: [1]", 3, "expected a value such as 20 MB", ""),
      (
        "limit: 20 MB", "2x: 20 MB", 3, "\"2x\" is no name of a parameter",
        "beginning with a letter"
      ),
      ("{ limit: 20 MB, rows: 1_000, part: 50 % }", "5", 3, "expected a mapping", ""),
    ])
  func mistakes(
    usual: String, wrong: String, line: Int, message: String, hint: String
  ) throws {
    let found = try problems(Self.text.replacing(usual, with: wrong))
    #expect(
      found.contains { problem in
        problem.line == line && problem.message.contains(message)
          && (hint.isEmpty || problem.hint?.contains(hint) == true)
      }, "\(found)")
  }

  @Test("a scenario without parameters may have dollar signs in names")
  func withoutParameters() throws {
    let text = Self.text.split(separator: "\n").filter { !$0.hasPrefix("parameters") }
      .joined(separator: "\n").replacing("rows: $rows", with: "rows: 1_000")
      .replacing("> $limit", with: "> 20 MB").replacing("$part", with: "50 %")
      .replacing("writer", with: "$writer").replacing("kind: $writer", with: "kind: writer")
    #expect(try parse(text).arms[0].clients[0].name == "$writer")
  }
}
