// A class of objects as a table: its columns, and which of them is the primary key. Reflection fills it in
// (`ObjectClass`); nothing here depends on how objects are represented.

/// A property as a column.
struct Column: Hashable, Sendable {
  var name: String
  var kind: ColumnKind
  var isOptional: Bool
  var isPrimaryKey: Bool
  var isIndexed: Bool
  /// The column's index among the columns of its class.
  var index: Int
  /// nil for a single value.
  var collection: CollectionShape?
  /// nil for values that are not links.
  var target: LinkTarget?

  /// Whether the value is more than the bytes in the record.
  var isLinked: Bool { collection != nil || target != nil }
}

/// A class and its columns, those of the base class first.
final class ObjectSchema: Sendable {
  let name: String
  let columns: [Column]
  let primaryKey: Column?
  /// The column of each wrapper ordinal; -1 for none. A wrapper's ordinal is how many tickets before its object's ticket
  /// its own was drawn.
  let columnsByOrdinal: [Int]
  let columnNames: [String]
  /// Whether its objects belong to an owner.
  let isEmbedded: Bool
  /// Whether a column is a link or a collection.
  let hasLinks: Bool

  /// `ordinals` has the wrapper ordinal of each column.
  init(name: String, columns: [Column], ordinals: [Int], isEmbedded: Bool = false) {
    var byOrdinal = Array(repeating: -1, count: (ordinals.max() ?? 0) + 1)
    for (column, ordinal) in ordinals.enumerated() { byOrdinal[ordinal] = column }
    columnsByOrdinal = byOrdinal
    self.name = name
    self.columns = columns
    columnNames = columns.map(\.name)
    self.isEmbedded = isEmbedded
    hasLinks = columns.contains(where: \.isLinked)
    primaryKey = columns.first { $0.isPrimaryKey }
    let keys = columns.filter(\.isPrimaryKey)
    precondition(
      keys.count <= 1, "\(name) has \(keys.count) primary keys; a class has one at most.")
    precondition(
      !isEmbedded || keys.isEmpty,
      "\(name) is a class of embedded objects, which have no primary key.")
    for column in columns where column.isLinked {
      precondition(
        !column.isPrimaryKey && !column.isIndexed,
        "\(name).\(column.name) is a link or a collection, which is neither primary key nor indexed."
      )
    }
  }

  /// The same class under the name that a file has for it.
  init(_ other: ObjectSchema, renamedTo name: String) {
    precondition(
      !other.hasLinks || name == other.name,
      "A class with links has the same name in every file: links refer to classes by their names.")
    self.name = name
    columns = other.columns
    primaryKey = other.primaryKey
    columnNames = other.columnNames
    columnsByOrdinal = other.columnsByOrdinal
    isEmbedded = other.isEmbedded
    hasLinks = other.hasLinks
  }

  @inline(__always)
  func column(ordinal: Int) -> Int {
    let column = ordinal >= 0 && ordinal < columnsByOrdinal.count ? columnsByOrdinal[ordinal] : -1
    precondition(
      column >= 0,
      "\(name) initializes its properties in varying order: no default value may depend on anything that "
        + "changes how many persisted properties are initialized.")
    return column
  }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }
}
