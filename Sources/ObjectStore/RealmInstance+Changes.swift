// What a write transaction does to rows, and to the indexes that go with them.
import Foundation
import StorageEngine

extension RealmInstance {
  /// The open transaction; nil, as misuse, where there is none.
  func transaction(for purpose: String) -> WriteTransaction? {
    guard check() else { return nil }
    if isFrozen {
      Misuse.report(
        .frozen, "What is frozen does not change: \(purpose) needs a live realm.", file: file.url)
      return nil
    }
    guard let writing else {
      Misuse.report(
        configuration.readOnly ? .readOnly : .wrongTransactionState,
        "Cannot \(purpose) outside of a write transaction - call beginWrite() on a Realm instance first.",
        file: file.url)
      return nil
    }
    return writing
  }

  /// Runs what changes the file. An error of the engine has ended the transaction without its changes.
  func changing<Result>(_ body: () throws(StorageError) -> Result) -> Result? {
    do throws(StorageError) {
      defer { stamp += 1 }
      return try body()
    } catch {
      if error.code != .unsupported { cancelWrite() }
      Misuse.report(Realm.Error(error, file: file.url))
      return nil
    }
  }

  /// Writes a whole row: `values` by column of the class.
  func put(
    _ bound: BoundClass, _ key: RowKey, _ values: [ColumnValue], _ transaction: WriteTransaction
  ) throws(StorageError) {
    if bound.hasIndexes {
      let old = try self.values(bound, key)
      try updateIndexes(bound, key, from: old, to: values, transaction)
    }
    let row = Record.encode(values.count) { position in values[bound.columns[position]] }
    try transaction.put(bound.table, key, row)
  }

  /// Writes one column of a row; false where there is no such row.
  func update(
    _ bound: BoundClass, _ key: RowKey, _ column: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    var row: [UInt8]?
    var old = ColumnValue.null
    let position = bound.positions[column]
    let kind = bound.schema.columns[column].kind
    let found = try get(bound.table, key) { bytes in
      guard let record = Record(bytes) else { return }
      row = try? record.replacing(position, by: value)
      if bound.indexes[column] != nil { old = (try? record.value(position, kind)) ?? .null }
    }
    guard found else { return false }
    guard let row else { throw Self.damaged(bound) }
    if let index = bound.indexes[column], old != value {
      try transaction.delete(index, BoundClass.indexKey(old, key))
      try transaction.put(index, BoundClass.indexKey(value, key), BoundClass.rowBytes(key))
    }
    try transaction.put(bound.table, key, row)
    return true
  }

  /// Deletes a row; false where there is none.
  func delete(
    _ bound: BoundClass, _ key: RowKey, _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    if bound.hasIndexes, let old = try values(bound, key) {
      try updateIndexes(bound, key, from: old, to: nil, transaction)
    }
    return try transaction.delete(bound.table, key)
  }

  private func updateIndexes(
    _ bound: BoundClass, _ key: RowKey, from old: [ColumnValue]?, to new: [ColumnValue]?,
    _ transaction: WriteTransaction
  ) throws(StorageError) {
    for (column, index) in bound.indexes.enumerated() {
      guard let index, old?[column] != new?[column] else { continue }
      if let old { try transaction.delete(index, BoundClass.indexKey(old[column], key)) }
      if let new {
        try transaction.put(
          index, BoundClass.indexKey(new[column], key), BoundClass.rowBytes(key))
      }
    }
  }

  /// A row's values by column of the class; nil where there is no row.
  func values(_ bound: BoundClass, _ key: RowKey) throws(StorageError) -> [ColumnValue]? {
    var values: [ColumnValue]?
    guard try get(bound.table, key, { values = bound.values($0) }) else { return nil }
    guard let values else { throw Self.damaged(bound) }
    return values
  }

  static func damaged(_ bound: BoundClass) -> StorageError {
    StorageError(.corrupt, "A row of \(bound.schema.name) is no record of an object.")
  }
}

// MARK: What a transaction did so far

extension RealmInstance {
  var changes: [String: EventLog.Entry.Changes] {
    var changes = otherDeletions.mapValues { EventLog.Entry.Changes(deleted: $0) }
    for bound in bound.values where bound.changes != .init() {
      changes[bound.schema.name, default: .init()].created += bound.changes.created
      changes[bound.schema.name, default: .init()].updated += bound.changes.updated
      changes[bound.schema.name, default: .init()].deleted += bound.changes.deleted
    }
    return changes
  }

  func noteDeleted(_ name: String, _ count: Int) {
    if count > 0 { otherDeletions[name, default: 0] += count }
  }

  func forgetChanges() {
    otherDeletions = [:]
    for bound in bound.values { bound.changes = .init() }
  }
}

extension BoundClass {
  /// Of a row's bytes, by column of the class; nil where they are damaged.
  func values(_ bytes: UnsafeRawBufferPointer) -> [ColumnValue]? {
    guard let record = Record(bytes) else { return nil }
    return try? schema.columns.map { try record.value(positions[$0.index], $0.kind) }
  }
}
