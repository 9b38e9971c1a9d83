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

  /// `ordinals` has the wrapper ordinal of each column.
  init(name: String, columns: [Column], ordinals: [Int]) {
    var byOrdinal = Array(repeating: -1, count: (ordinals.max() ?? 0) + 1)
    for (column, ordinal) in ordinals.enumerated() { byOrdinal[ordinal] = column }
    columnsByOrdinal = byOrdinal
    self.name = name
    self.columns = columns
    columnNames = columns.map(\.name)
    primaryKey = columns.first { $0.isPrimaryKey }
    let keys = columns.filter(\.isPrimaryKey)
    precondition(
      keys.count <= 1, "\(name) has \(keys.count) primary keys; a class has one at most.")
  }

  /// The same class under the name that a file has for it.
  init(_ other: ObjectSchema, renamedTo name: String) {
    self.name = name
    columns = other.columns
    primaryKey = other.primaryKey
    columnNames = other.columnNames
    columnsByOrdinal = other.columnsByOrdinal
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
