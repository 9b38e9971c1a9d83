// The manual, the schema for editors and the index describe what the parser does: all are compared with its own tables of keys.
import Foundation
import ScenarioModel
import ScenarioParser
import TestSupport
import Testing

@Suite("Documents of the scenario language")
struct DocumentTests {
  private func schema() throws -> [String: Any] {
    let data = Data(try Repository.text("Scenarios/scenario.schema.json").utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func definition(_ name: String) throws -> [String: Any] {
    let definitions = try #require(try schema()["$defs"] as? [String: Any])
    return try #require(definitions[name] as? [String: Any], "$defs/\(name)")
  }

  @Test("the schema for editors is made from the declarations of keys")
  func schemaIsMade() throws {
    let made = ScenarioSchema.document().rendered()
    if Repository.isUpdating { try Repository.write(made, to: "Scenarios/scenario.schema.json") }
    #expect(
      try Repository.text("Scenarios/scenario.schema.json") == made,
      "UPDATE_GOLDEN=1 makes it anew.")
  }

  @Test("the schema's engines are the parser's, null with quotes and without")
  func engines() throws {
    let properties = try #require(try schema()["properties"] as? [String: [String: Any]])
    let shapes = try #require(properties["engines"]?["anyOf"] as? [[String: Any]])
    let lists = [shapes.first, shapes.last?["items"] as? [String: Any]]
    #expect(lists.count == 2)
    for list in lists {
      let values = try #require(list?["enum"] as? [Any])
      #expect(values.compactMap { $0 as? String } == ScenarioParser.engines)
      #expect(values.count { $0 is NSNull } == 1)
    }
    let expectation = try #require(try definition("expectation")["properties"] as? [String: Any])
    let engine = try #require(expectation["engine"] as? [String: Any])
    let choices = try #require(engine["anyOf"] as? [[String: Any]])
    #expect(choices.first?["type"] as? [String] == ["string", "null"])
  }

  @Test("every reference within the schema leads to a definition")
  func references() throws {
    let text = try Repository.text("Scenarios/scenario.schema.json")
    let definitions = try #require(try schema()["$defs"] as? [String: Any])
    let parts = text.split(separator: "\"#/$defs/").dropFirst()
    #expect(!parts.isEmpty)
    for part in parts {
      #expect(definitions[String(part.prefix { $0 != "\"" })] != nil, "\(part.prefix(20))")
    }
  }

  @Test("the reference of keys is made from the declarations of keys")
  func manual() throws {
    let path = "Reports/ScenarioKeys.md"
    let made = ScenarioManual.text()
    if Repository.isUpdating { try Repository.write(made, to: path) }
    #expect(try Repository.text(path) == made, "UPDATE_GOLDEN=1 makes it anew.")
  }

  @Test("the manual has no table of keys of its own, which could differ from the reference")
  func oneReference() throws {
    #expect(!(try Repository.text("Docs/Scenarios.md").contains("| key |")))
  }

  @Test("the manual's example is a scenario")
  func example() throws {
    let manual = try Repository.text("Docs/Scenarios.md")
    let blocks = manual.split(separator: "```yaml\n").dropFirst()
      .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }
    let examples = blocks.filter { $0.hasPrefix("# yaml-language-server") }
    #expect(examples.count == 1)
    for example in examples { #expect(MistakeTests.problems(example) == []) }
  }

  @Test("each piece of the manual fits into its example", arguments: ["arms", "policies", "data"])
  func pieces(_ key: String) throws {
    let manual = try Repository.text("Docs/Scenarios.md")
    let piece = try #require(manual.range(of: "```yaml\n\(key):\n"))
    let end = try #require(manual.range(of: "```\n", range: piece.upperBound..<manual.endIndex))
    let text = "\(key):\n\(manual[piece.upperBound..<end.lowerBound])"
    var base = [
      "data": "data:\n  Item: { rows: 40_000, value: { size: 256 B } }\n",
      "policies": "policies:\n  - never\n  - automatic\n", "arms": "",
    ]
    base[key] = text
    let scenario = """
      scenario: pieces
      question: Does each piece of the manual read?
      clients:
        writer: { kind: writer, table: \(key == "data" ? "Progress" : "Item"), transaction: { update: 10 } }
        reader: { kind: reader, table: \(key == "data" ? "Message" : "Item") }
      phases:
        - pinned: { commits: 2_000, run: [writer, reader] }

      """
    let whole = scenario + base.sorted { $0.key < $1.key }.map(\.value).joined()
    #expect(MistakeTests.problems(whole) == [])
  }

  @Test("the index lists each scenario with its question")
  func index() throws {
    let rows = try ShippedScenarios.names().map { name in
      let path = "Scenarios/\(name).yml"
      let scenario = try ScenarioParser.parse(try Repository.text(path), file: path)
      return
        "| [\(name)](\(name).yml) | \(scenario.question) | \(scenario.arms.map(\.name).joined(separator: ", ")) "
        + "| \(scenario.keywords.joined(separator: ", ")) |\n"
    }
    let expected = "| scenario | question | arms | keywords |\n|---|---|---|---|\n" + rows.joined()
    let index = try Repository.text("Scenarios/README.md")
    #expect(index.contains(expected + "\n"), "Scenarios/README.md should have:\n\(expected)")
  }

  @Test("the index lists the catalog, a table for each group", arguments: ShippedScenarios.groups)
  func catalog(_ group: String) throws {
    let rows = try ShippedScenarios.names(of: group).map { name in
      let path = "Scenarios/\(group)/\(name).yml"
      let scenario = try ScenarioParser.parse(try Repository.text(path), file: path)
      return "| [\(name)](\(group)/\(name).yml) | \(scenario.question) "
        + "| \(scenario.arms.map(\.name).joined(separator: ", ")) |\n"
    }
    let expected = "| \(group) | question | arms |\n|---|---|---|\n" + rows.joined()
    let index = try Repository.text("Scenarios/README.md")
    #expect(index.contains(expected + "\n"), "Scenarios/README.md should have:\n\(expected)")
  }

  @Test("the manual's clients, one of each kind, are those of a scenario")
  func clientsOfManual() throws {
    let manual = try Repository.text("Docs/Scenarios.md")
    let piece = try #require(
      manual.components(separatedBy: "```yaml\nclients:\n").dropFirst().first)
    let clients = piece.components(separatedBy: "```")[0]
    let names = clients.split(separator: "\n").map { line in
      String(line.drop { $0 == " " }.prefix { $0 != ":" })
    }
    let scenario = """
      scenario: clients
      question: Does each client of the manual read?
      data:
        Item: { rows: 1_000, value: { size: 256 B } }
      phases:
        - all: { commits: 2_000, run: [\(names.joined(separator: ", "))] }
      policies:
        - never

      """
    #expect(names.count == 12)
    #expect(MistakeTests.problems(scenario + "clients:\n" + clients) == [])
  }
}
