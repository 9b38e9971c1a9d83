// The kinds of clients, and what they have in common.
import Generators
import ScenarioModel

/// A kind of client: its keys, and what is made of them.
struct ClientKind: Sendable {
  let table: KeyTable
  /// Reads a client of this kind with the keys of `overrides` in place of its own; nil after a report.
  let read: @Sendable (_ field: Field, _ overrides: [Field]) -> ClientSpec.Kind?

  /// Returns the settings of a client of this kind, and nil for one of another.
  let settings: @Sendable (ClientSpec.Kind) -> [String]?

  var name: String { table.name }

  /// - Parameters:
  ///   - kind: makes the client of what its keys give.
  ///   - model: the reverse; nil for a client of another kind.
  init<Model>(
    _ block: Block<Model>, _ kind: @escaping @Sendable (Model) -> ClientSpec.Kind,
    model: @escaping @Sendable (ClientSpec.Kind) -> Model?
  ) {
    table = block.table
    read = { field, overrides in block.read(field, overrides: overrides).map { kind($0.model) } }
    settings = { model($0).map(block.settings) }
  }
}

extension Block {
  /// The keys of a client that works on a table: `kind`, `table`, and its own.
  static func client(
    _ name: String, _ initial: @autoclosure @escaping @Sendable () -> Model,
    on table: Property<Model, String>, renamedKeys: [String: String] = [:],
    @KeyList<Model> keys: () -> [Key<Model>],
    check: @escaping @Sendable (inout Model, GivenKeys<Model>) -> Void = { _, _ in }
  ) -> Block {
    let shared = [
      kind(name),
      Key(
        "table", table, .name(of: "table", among: { $0.tables }), default: "the only table",
        "The table that it works on."),
    ]
    return Block(name, make: initial, renamedKeys: renamedKeys, keys: shared + keys()) {
      model, given in
      if given[table] == nil { model[keyPath: table] = given.onlyTable }
      check(&model, given)
    }
  }

  /// The keys of a client of the whole database: `kind`, and its own.
  static func client(
    _ name: String, _ initial: @autoclosure @escaping @Sendable () -> Model,
    renamedKeys: [String: String] = [:], @KeyList<Model> keys: () -> [Key<Model>]
  ) -> Block {
    Block(name, make: initial, renamedKeys: renamedKeys, keys: [kind(name)] + keys()) { _, _ in }
  }

  private static func kind(_ name: String) -> Key<Model> {
    Key("kind", constant: name, "What the client is.")
  }
}

extension GivenKeys {
  /// The table of a client that does not name one; a report where there are several.
  fileprivate var onlyTable: String {
    if let tables = known.tables, Set(tables).count > 1 {
      report("key \"table\" is missing", hint: "there are \(listed(tables, "and"))")
    }
    return known.tables?.first ?? ""
  }
}

extension Key {
  static func reads(_ property: Property<Model, Int>) -> Key {
    Key("reads", property, .count(0...100_000).scalable, "Rows read from each snapshot.")
  }

  static func keys(_ property: Property<Model, KeyDistribution>) -> Key {
    Key("keys", property, .keys, "Which rows.")
  }
}
