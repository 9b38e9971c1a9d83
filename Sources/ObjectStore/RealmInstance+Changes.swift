// What a write transaction does to rows, and to the indexes that go with them.
import Foundation
import StorageEngine

extension RealmInstance {
  /// The open transaction; nil, as misuse, where there is none.
  func transaction(for purpose: StaticString) -> WriteTransaction? {
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
    let new = values.map(Optional.some)
    if bound.hasIndexes {
      try updateIndexes(bound, key, from: try self.values(bound, key), to: new, transaction)
    }
    try transaction.put(bound.table, key, scratch.record(new, bound.columns))
  }

  /// Writes one column of a row; false where there is no such row.
  func update(
    _ bound: BoundClass, _ key: RowKey, _ column: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    let position = bound.positions[column]
    let kind = bound.schema.columns[column].kind
    let index = bound.indexes[column]
    var old: ColumnValue?
    var outcome = Outcome.damaged
    let found = try transaction.change(bound.table, key) { bytes in
      guard let record = Record(UnsafeRawBufferPointer(bytes)) else { return }
      do throws(RecordDamage) {
        if index != nil { old = try record.value(position, kind) }
        outcome = try record.replace(position, by: value, in: bytes) ? .changed : .needsRoom
      } catch { outcome = .damaged }
    }
    guard found else { return false }
    switch outcome {
    case .damaged: throw Self.damaged(bound)
    case .changed: break
    case .needsRoom: try rewrite(bound, key, position, value, transaction)
    }
    if let index, let old, old != value {
      try transaction.delete(index, BoundClass.indexKey(old, key))
      try transaction.put(index, BoundClass.indexKey(value, key), BoundClass.rowBytes(key))
    }
    return true
  }

  /// What became of a column where it is.
  private enum Outcome {
    case changed
    /// The value has another length than the one before, or one of them is null.
    case needsRoom
    case damaged
  }

  /// Writes a row anew with another value in one column.
  private func rewrite(
    _ bound: BoundClass, _ key: RowKey, _ position: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) {
    var row: [UInt8]?
    _ = try get(bound.table, key) { row = try? Record($0)?.replacing(position, by: value) }
    guard let row else { throw Self.damaged(bound) }
    try transaction.put(bound.table, key, row)
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

  func updateIndexes(
    _ bound: BoundClass, _ key: RowKey, from old: [ColumnValue]?, to new: [ColumnValue?]?,
    _ transaction: WriteTransaction
  ) throws(StorageError) {
    for (column, index) in bound.indexes.enumerated() {
      guard let index, old?[column] != new?[column] else { continue }
      if let old { try transaction.delete(index, BoundClass.indexKey(old[column], key)) }
      if let value = new?[column] {
        try transaction.put(
          index, BoundClass.indexKey(value, key), BoundClass.rowBytes(key))
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
