// A class as an instance uses it: the tables of its rows and indexes, and the positions of its columns in records.
import StorageEngine

/// A class in a file.
final class ClassInfo {
  let objectClass: ObjectClass
  let schema: ObjectSchema
  let wrappers: [WrapperLayout]?
  let type: ObjectIdentifier
  /// The class without the program's: the tables of all columns.
  let file: FileClass
  let table: Table
  /// The index of each column of the class; nil for a column without one.
  let indexes: [Table?]
  /// The position in records of each column of the class.
  let positions: [Int]
  /// The column of the class at each position of a record.
  let columns: [Int]
  let hasIndexes: Bool
  /// The column of the primary key.
  let primary: Int?
  /// Whether the primary key is the row's key without encoding.
  let hasIntegerKey: Bool
  private let keyKind: KeyKind
  /// The position in records of each wrapper ordinal's column; -1 for none.
  private let positionsByOrdinal: UnsafeMutableBufferPointer<Int>
  /// The changes of the open transaction to objects of the class.
  var changes = ChangeCounts()
  /// Whether the open transaction has created the class: it does not exist if that is cancelled.
  var isUncommitted: Bool
  /// The number of the next row of a class without primary key; nil if this transaction has not read it.
  var nextRow: Int64?

  /// `find` returns the table of that name. Error `corrupt`: the file does not have a table that `stored` describes.
  init(
    _ objectClass: ObjectClass, _ stored: StoredClass, isUncommitted: Bool,
    table find: (String, KeyKind) throws(StorageError) -> Table?
  ) throws(StorageError) {
    let schema = objectClass.schema
    self.objectClass = objectClass
    self.schema = schema
    wrappers = objectClass.wrappers
    type = ObjectIdentifier(objectClass.type)
    keyKind = stored.keyKind
    self.isUncommitted = isUncommitted
    let file = try FileClass(stored, table: find)
    self.file = file
    table = file.table
    let positions = schema.columns.map { column in
      stored.columns.firstIndex { $0.name == column.name } ?? -1
    }
    self.positions = positions
    indexes = positions.map { $0 < 0 ? nil : file.columns[$0].index }
    hasIndexes = indexes.contains { $0 != nil }
    columns = stored.columns.indices.map { positions.firstIndex(of: $0) ?? -1 }
    primary = schema.primaryKey?.index
    hasIntegerKey = schema.primaryKey != nil && table.keyKind == .int64
    positionsByOrdinal = .allocate(capacity: schema.columnsByOrdinal.count)
    _ = positionsByOrdinal.initialize(
      from: schema.columnsByOrdinal.map { $0 < 0 ? -1 : positions[$0] })
  }

  deinit { positionsByOrdinal.deallocate() }

  /// Returns the position in records of the column whose wrapper has this ordinal.
  @inline(__always)
  func position(ordinal: Int) -> Int {
    if ordinal >= 0, ordinal < positionsByOrdinal.count, positionsByOrdinal[ordinal] >= 0 {
      return positionsByOrdinal[ordinal]
    }
    return positions[schema.column(ordinal: ordinal)]
  }

  /// Returns the key of the row with this primary key. Error `invalidValue`: the primary key is too long.
  func rowKey(_ value: ColumnValue) throws(RealmError) -> RowKey {
    try IndexEntry.rowKey(value, keyKind, className: schema.name)
  }

  /// Returns the values of a row by column of the class; nil if the bytes are corrupt.
  func values(_ bytes: UnsafeRawBufferPointer) -> [ColumnValue]? {
    guard let record = ObjectRecord(bytes) else { return nil }
    return try? schema.columns.map { try record.value(positions[$0.index], $0.kind) }
  }
}
