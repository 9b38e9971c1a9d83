// The JSON Schema for editors and the manual's tables, made from the declarations of keys.

package enum ScenarioSchema {
  /// The schema of scenario files (JSON Schema 2020-12): shape, spelling and ranges of whole numbers.
  /// `Scenarios/scenario.schema.json` is this.
  package static func document() -> SchemaNode {
    guard case .members(let own) = definition(ScenarioKeys.scenario.table) else {
      preconditionFailure("A table of keys is an object.")
    }
    let tables = ScenarioKeys.all.filter { $0.name != ScenarioKeys.scenario.table.name }
    let definitions =
      SchemaNode.quantities
      + tables.map { SchemaNode.Member(name: $0.name, node: definition($0)) }
      + [SchemaNode.Member(name: "override", node: overrides)]
    return .members(
      [
        .init(name: "$schema", node: .text("https://json-schema.org/draft/2020-12/schema")),
        .init(name: "title", node: .text("A scenario of Compaction Lab")),
        .init(
          name: "description",
          node: .text(
            "Shape, spelling and ranges of whole numbers: names that refer to each other, other ranges and predicates"
              + " are checked by compaction-lab validate."
          )),
      ] + own + [.init(name: "$defs", node: .members(definitions))])
  }

  private static func definition(_ table: KeyTable) -> SchemaNode {
    let required = table.keys.filter(\.isRequired).map { SchemaNode.text($0.name) }
    return .object(
      ("type", .text("object")), ("required", required.isEmpty ? nil : .list(required)),
      ("properties", .members(table.keys.map(property))),
      ("additionalProperties", .truth(false)))
  }

  private static func property(_ key: KeyDescription) -> SchemaNode.Member {
    let node = key.schema.adding("description", .text(key.meaning))
    guard key.isScalable else { return .init(name: key.name, node: node) }
    return .init(name: key.name, node: node.adding("x-scalable", .truth(true)))
  }

  /// In an arm, and where a phase runs a client, any key of any kind of client may differ, but not its kind.
  private static var overrides: SchemaNode {
    var names: [String] = []
    var shapes: [String: [SchemaNode]] = [:]
    for key in ScenarioKeys.clientKinds.flatMap(\.table.keys) where key.name != "kind" {
      if !names.contains(key.name) { names.append(key.name) }
      // Two kinds of clients may mean something else by the word.
      let shape = property(key).node
      if shapes[key.name]?.contains(shape) != true { shapes[key.name, default: []].append(shape) }
    }
    let properties = names.map {
      SchemaNode.Member(name: $0, node: .anyOf(shapes[$0] ?? []))
    }
    return .object(
      ("description", .text("The keys of a client that differ in an arm or in a phase.")),
      ("type", .text("object")), ("minProperties", .number(1)),
      ("properties", .members(properties)), ("additionalProperties", .truth(false)))
  }
}
