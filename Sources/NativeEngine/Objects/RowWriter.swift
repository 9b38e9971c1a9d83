// Writing rows through a realm.
import Foundation
import ObjectStore
import StorageEngine

/// A write transaction of a live realm, which pins no version afterwards.
final class RowWriter {
  let realm: Realm
  let tables: RowTables

  init(_ realm: Realm, _ tables: RowTables) {
    self.realm = realm
    self.tables = tables
  }

  deinit { rollBack() }

  func put(
    _ table: Int, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    let type = tables.type(table)
    if type == ListRow.self { return try putListRow(key, value) }
    _ = try throwingMisuse { () throws(Never) in
      realm.create(type, value: ["key": Int(key), type.bytesName: Data(value)], update: .all)
    }
  }

  func delete(_ table: Int, _ key: Int64) throws(StorageError) -> Bool {
    let type = tables.type(table)
    return try throwingMisuse { () throws(Never) in
      guard let row = realm.object(ofType: type, forPrimaryKey: Int(key)) else { return false }
      realm.delete(row)
      return true
    }
  }

  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let type = tables.type(table)
    return try throwingMisuse { () throws(Never) in
      guard let row = realm.object(ofType: type, forPrimaryKey: Int(key)) else { return false }
      row.bytes.withUnsafeBytes { body($0) }
      return true
    }
  }

  func commit() throws(StorageError) {
    defer { realm.invalidate() }
    try throwingMisuse { try realm.commitWrite() }
  }

  func rollBack() {
    guard realm.isInWriteTransaction else { return }
    realm.cancelWrite()
    realm.invalidate()
  }
}
