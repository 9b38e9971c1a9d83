// Writing rows that have more than bytes.
import EngineInterface
import Foundation
import ObjectStore
import StorageEngine

extension RowWriter {
  func put(
    _ table: Int, _ key: Int64, _ value: UnsafeRawBufferPointer, _ parts: RowParts
  ) throws(StorageError) {
    let type = tables.type(table)
    var values: [String: Any] = ["key": Int(key), type.bytesName: Data(value)]
    if case .columns(let columns) = parts {
      for (index, column) in columns.enumerated() { values["column\(index)"] = Int(column) }
    }
    let row = try throwingMisuse { () throws(Never) in
      realm.create(type, value: values, update: .all)
    }
    if case .links(let targets) = parts, let row = row as? LinkedRow {
      try replaceLinks(of: row, targets)
    }
    if case .tree(let nodes) = parts, let row = row as? TreeRow {
      try throwingMisuse { () throws(Never) in row.replaceTree(nodes) }
    }
  }

  private func replaceLinks(of row: LinkedRow, _ targets: [Int64]) throws(StorageError) {
    var rows: [LinkedRow] = []
    for target in targets {
      let found = try throwingMisuse { () throws(Never) in
        realm.object(ofType: LinkedRow.self, forPrimaryKey: Int(target))
      }
      guard let found else {
        throw StorageError(.failed, "There is no row \(target) to link to.")
      }
      rows.append(found)
    }
    try throwingMisuse { () throws(Never) in
      row.links.replaceSubrange(0..<row.links.count, with: rows)
    }
  }

  /// A row that exists keeps its list, which an update of all properties would empty.
  func putListRow(_ key: Int64, _ value: UnsafeRawBufferPointer) throws(StorageError) {
    try throwingMisuse { () throws(Never) in
      if let row = realm.object(ofType: ListRow.self, forPrimaryKey: Int(key)) {
        row.value = Data(value)
      } else {
        realm.create(ListRow.self, value: ["key": Int(key), "value": Data(value)])
      }
    }
  }

  func append(_ element: Int64, _ table: Int, _ key: Int64) throws(StorageError) {
    let list = try self.list(table, key)
    try throwingMisuse { () throws(Never) in list.append(Int(element)) }
  }

  func removeFirst(_ table: Int, _ key: Int64) throws(StorageError) {
    let list = try self.list(table, key)
    try throwingMisuse { () throws(Never) in list.removeFirst() }
  }

  private func list(_ table: Int, _ key: Int64) throws(StorageError) -> List<Int> {
    let type = tables.type(table)
    let row = try throwingMisuse { () throws(Never) in
      realm.object(ofType: type, forPrimaryKey: Int(key))
    }
    guard let row = row as? ListRow else {
      throw StorageError(.failed, "There is no row \(key) with a list.")
    }
    return row.list
  }
}

// MARK: The contract

extension ObjectTransaction: ShapedTransaction {
  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer, _ parts: RowParts
  ) throws(EngineError) {
    do { try writer.put(table, key, value, parts) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func append(_ element: Int64, _ table: TableIndex, _ key: Int64) throws(EngineError) {
    do { try writer.append(element, table, key) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func removeFirst(_ table: TableIndex, _ key: Int64) throws(EngineError) {
    do { try writer.removeFirst(table, key) } catch { throw EngineError(engine: engine, error) }
  }
}

extension ObjectSnapshot: ShapedSnapshot {
  func parts(_ table: TableIndex, _ key: Int64) throws(EngineError) -> RowParts? {
    do throws(StorageError) {
      let row = try openReader().find(table, key)
      return try throwingMisuse { () throws(Never) in row?.parts }
    } catch { throw EngineError(engine: engine, error) }
  }

  func keys(
    _ table: TableIndex, column: Int, equalTo value: Int64
  ) throws(EngineError) -> [Int64] {
    do throws(StorageError) {
      let reader = try openReader()
      guard let keys = reader.rowClass(table).keys else { return [] }
      return try throwingMisuse { () throws(Never) in keys(reader.realm, column, Int(value)) }
    } catch { throw EngineError(engine: engine, error) }
  }

  /// The realm of the snapshot, on any thread.
  private func openReader() throws(StorageError) -> RowReader {
    if let reader = rows as? RowReader { return reader }
    throw StorageError(.unsupported, "The rows of \(rows.label) are read without their parts.")
  }
}
