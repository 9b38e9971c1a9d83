// The JSON Schema for editors, made from the table of keys: what each key is follows from the words that describe it to
// people, so that neither can say anything else than the other.

package enum ScenarioSchema {
  /// The schema of scenario files (JSON Schema 2020-12): shape and spelling. `Scenarios/scenario.schema.json` is this.
  package static func document() -> SchemaNode {
    guard case .members(let own) = definition(ScenarioKeys.scenario) else {
      preconditionFailure("A table of keys is an object.")
    }
    let tables = ScenarioKeys.all.filter { $0 != ScenarioKeys.scenario }
    let definitions =
      SchemaShapes.quantities.map { SchemaNode.Member(name: $0.name, node: $0.node) }
      + tables.map { SchemaNode.Member(name: $0.name, node: definition($0)) }
      + [SchemaNode.Member(name: "override", node: overrides)]
    return .members(
      [
        .init(name: "$schema", node: .text("https://json-schema.org/draft/2020-12/schema")),
        .init(name: "title", node: .text("A scenario of Compaction Lab")),
        .init(
          name: "description",
          node: .text(
            "Shape and spelling only: names that refer to each other, ranges and predicates are checked by"
              + " compaction-lab validate."
          )),
      ] + own + [.init(name: "$defs", node: .members(definitions))])
  }

  private static func definition(_ table: KeyTable) -> SchemaNode {
    let required = table.keys.filter(\.isRequired).map { SchemaNode.text($0.name) }
    return .object(
      ("type", .text("object")), ("required", required.isEmpty ? nil : .list(required)),
      ("properties", .members(table.keys.map { property($0, of: table) })),
      ("additionalProperties", .truth(false)))
  }

  private static func property(_ key: KeyTable.Key, of table: KeyTable) -> SchemaNode.Member {
    let shape = SchemaShapes.shape(of: key, in: table)
    return .init(
      name: key.name, node: shape.adding("description", .text(key.meaning)))
  }

  /// In an arm, and where a phase runs a client, any key of any kind of client may differ, but not its kind.
  private static var overrides: SchemaNode {
    var properties: [SchemaNode.Member] = []
    for table in ScenarioKeys.all where ScenarioKeys.clientKinds.values.contains(table) {
      for key in table.keys where key.name != "kind" {
        let own = property(key, of: table)
        guard let known = properties.firstIndex(where: { $0.name == key.name }) else {
          properties.append(own)
          continue
        }
        // Two kinds of clients mean something else by the word.
        if properties[known].node != own.node {
          properties[known] = .init(
            name: key.name, node: .object(("anyOf", .list([properties[known].node, own.node]))))
        }
      }
    }
    return .object(
      ("description", .text("The keys of a client that differ in an arm or in a phase.")),
      ("type", .text("object")), ("minProperties", .number(1)),
      ("properties", .members(properties)), ("additionalProperties", .truth(false)))
  }

  /// A table of keys as the manual shows it.
  package static func manual(_ table: KeyTable) -> String {
    "| key | type | when absent | meaning |\n|---|---|---|---|\n"
      + table.keys.map {
        "| `\($0.name)` | \($0.type) | \($0.absent ?? "required") | \($0.meaning) |\n"
      }.joined()
  }
}
