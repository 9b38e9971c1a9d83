// Reading rows through a realm.
import Foundation
import ObjectStore
import StorageEngine

/// A version of the rows that is held. Used by one thread at a time.
protocol RowSnapshot: AnyObject, Sendable {
  /// The label of its pin.
  var label: String { get }
  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool
  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int
  func count(_ table: Int) throws(StorageError) -> Int
  func refresh() throws(StorageError)
  /// Releases the version. A second call does nothing.
  func end()
}

/// Reads rows of a live or frozen realm. Used by one thread at a time, on any thread that may use the realm.
final class RowReader: RowSnapshot, @unchecked Sendable {
  let realm: Realm
  private let tables: RowTables

  init(_ realm: Realm, _ tables: RowTables) {
    self.realm = realm
    self.tables = tables
  }

  var label: String { realm.pinLabel }

  func rowClass(_ table: Int) -> RowClass { tables.rowClass(table) }

  /// Error `closed` after `end()`: the next read would be of another version.
  func checkOpen() throws(StorageError) {
    guard !realm.hasVersion else { return }
    throw StorageError(.closed, "The snapshot has ended.")
  }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    guard let row = try find(table, key) else { return false }
    try throwingMisuse { () throws(Never) in row.bytes.withUnsafeBytes { body($0) } }
    return true
  }

  /// Returns the object of that key; nil if there is none.
  func find(_ table: Int, _ key: Int64) throws(StorageError) -> RowObject? {
    try checkOpen()
    let type = tables.type(table)
    return try throwingMisuse { () throws(Never) in
      realm.object(ofType: type, forPrimaryKey: Int(key))
    }
  }

  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try checkOpen()
    let type = tables.type(table)
    return try throwingMisuse {
      try realm.scan(type, from: key, limit: limit) { row in
        row.bytes.withUnsafeBytes { body(Int64(row.key), $0) }
      }
    }
  }

  func count(_ table: Int) throws(StorageError) -> Int {
    try checkOpen()
    let type = tables.type(table)
    return try throwingMisuse { try realm.count(type) }
  }

  func refresh() throws(StorageError) {
    try checkOpen()
    _ = try throwingMisuse { () throws(Never) in realm.refresh() }
  }

  func end() { realm.invalidate() }
}
