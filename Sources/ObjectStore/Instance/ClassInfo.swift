// A class as an instance uses it: which tables its rows are in, and where in their records its columns are.
import Foundation
import StorageEngine

/// The description of a class beside its place in the file.
final class ClassInfo {
  let schema: ObjectSchema
  let type: ObjectIdentifier
  let stored: StoredClass
  let table: Table
  /// By column of the class; nil for those without an index.
  let indexes: [Table?]
  /// Where in a record each column of the class is.
  let positions: [Int]
  /// Which column of the class is at each place of a record.
  let columns: [Int]
  let hasIndexes: Bool
  /// The column of the primary key.
  let primary: Int?
  /// The primary key is the row's key as it is.
  let hasIntegerKey: Bool
  /// Where in a record the column is whose wrapper has this ordinal; -1 for none.
  private let places: UnsafeMutableBufferPointer<Int>
  /// What the open transaction did to objects of the class.
  var changes = EventLog.Entry.Changes()
  /// Made in the transaction that is open: gone where that is cancelled.
  var isUncommitted: Bool
  /// The number of the next row of a class without primary key; nil where it was not looked for in this transaction.
  var nextRow: Int64?

  init(
    _ schema: ObjectSchema, _ stored: StoredClass, isUncommitted: Bool,
    table find: (String, KeyKind) throws(StorageError) -> Table?
  ) throws(StorageError) {
    self.schema = schema
    type = ObjectIdentifier(schema.type)
    self.stored = stored
    self.isUncommitted = isUncommitted
    func needed(_ name: String, _ kind: KeyKind) throws(StorageError) -> Table {
      guard let table = try find(name, kind) else {
        throw StorageError(.corrupt, "The file describes the table \"\(name)\" and has it not.")
      }
      return table
    }
    let table = try needed(stored.tableName, stored.keyKind)
    self.table = table
    var indexes: [Table?] = []
    for column in schema.columns {
      indexes.append(column.isIndexed ? try needed(stored.indexName(column.name), .bytes) : nil)
    }
    self.indexes = indexes
    hasIndexes = indexes.contains { $0 != nil }
    let positions = schema.columns.map { column in
      stored.columns.firstIndex { $0.name == column.name } ?? -1
    }
    self.positions = positions
    columns = stored.columns.indices.map { place in positions.firstIndex(of: place) ?? -1 }
    primary = schema.primaryKey?.index
    hasIntegerKey = schema.primaryKey != nil && table.keyKind == .int64
    places = .allocate(capacity: schema.columnsByOrdinal.count)
    _ = places.initialize(from: schema.columnsByOrdinal.map { $0 < 0 ? -1 : positions[$0] })
  }

  deinit { places.deallocate() }

  /// Where in a record the column is of the wrapper with this ordinal.
  @inline(__always)
  func position(ordinal: Int) -> Int {
    if ordinal >= 0, ordinal < places.count, places[ordinal] >= 0 { return places[ordinal] }
    return positions[schema.column(ordinal: ordinal)]
  }

  /// A primary key as the key of a row. Error: longer than keys are.
  func rowKey(_ value: ColumnValue) throws(Realm.Error) -> RowKey {
    try Self.rowKey(value, stored.keyKind, schema.name)
  }

  static func rowKey(
    _ value: ColumnValue, _ kind: KeyKind, _ name: String
  ) throws(Realm.Error) -> RowKey {
    if kind == .int64, case .int(let number) = value { return .int(number) }
    let ordered = value.orderedBytes
    guard ordered.count <= maxKeyLength else {
      throw Realm.Error(
        .invalidValue,
        "A primary key has at most \(maxKeyLength) bytes; this one of \(name) has \(ordered.count)."
      )
    }
    return .bytes((value == .null ? [0] : [1]) + ordered)
  }

  /// Leaves room for the key of a row in an index's key.
  private static let maxKeyLength = 255
  private static let maxIndexedLength = 200

  /// What the entries of a value in an index begin with. Longer values are cut: who looks for one looks at the row too.
  static func indexPrefix(_ value: ColumnValue) -> [UInt8] {
    guard value != .null else { return [0] }
    switch value {
    case .string, .data:
      return [1] + value.orderedBytes.prefix(maxIndexedLength) + [0]
    default: return [1] + value.orderedBytes
    }
  }

  static func indexKey(_ value: ColumnValue, _ row: RowKey) -> RowKey {
    .bytes(indexPrefix(value) + rowBytes(row))
  }

  /// The key of a row as an index's entry keeps it.
  static func rowBytes(_ key: RowKey) -> [UInt8] {
    switch key {
    case .int(let number): ColumnValue.int(number).orderedBytes
    case .bytes(let bytes): bytes
    }
  }

  func rowKey(ofEntry bytes: UnsafeRawBufferPointer) -> RowKey {
    guard table.keyKind == .int64, bytes.count == 8 else { return .bytes(Array(bytes)) }
    let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .int(Int64(bitPattern: number ^ 1 << 63))
  }
}
