// What a write transaction does to rows, and to the indexes that go with them.
import Foundation
import StorageEngine

extension OpenRealm {
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
  func performChange<Result>(_ body: () throws(StorageError) -> Result) -> Result? {
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
    _ info: ClassInfo, _ key: RowKey, _ values: [ColumnValue], _ transaction: WriteTransaction
  ) throws(StorageError) {
    let new = values.map(Optional.some)
    if info.hasIndexes {
      try updateIndexes(info, key, from: try self.values(info, key), to: new, transaction)
    }
    try transaction.put(info.table, key, recordBuffer.record(new, info.columns))
  }

  /// Writes one column of a row; false where there is no such row.
  func update(
    _ info: ClassInfo, _ key: RowKey, _ column: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    let position = info.positions[column]
    let kind = info.schema.columns[column].kind
    let index = info.indexes[column]
    var old: ColumnValue?
    var outcome = Outcome.damaged
    let found = try transaction.change(info.table, key) { bytes in
      guard let record = ObjectRecord(UnsafeRawBufferPointer(bytes)) else { return }
      do throws(CorruptRecord) {
        if index != nil { old = try record.value(position, kind) }
        outcome = try record.replace(position, by: value, in: bytes) ? .changed : .needsRoom
      } catch { outcome = .damaged }
    }
    guard found else { return false }
    switch outcome {
    case .damaged: throw Self.corruptRowError(info)
    case .changed: break
    case .needsRoom: try rewrite(info, key, position, value, transaction)
    }
    if let index, let old, old != value {
      try transaction.delete(index, ClassInfo.indexKey(old, key))
      try transaction.put(index, ClassInfo.indexKey(value, key), ClassInfo.rowBytes(key))
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
    _ info: ClassInfo, _ key: RowKey, _ position: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) {
    var row: [UInt8]?
    _ = try get(info.table, key) {
      row = try? ObjectRecord($0)?.replacingColumn(position, by: value)
    }
    guard let row else { throw Self.corruptRowError(info) }
    try transaction.put(info.table, key, row)
  }

  /// Deletes a row; false where there is none.
  func delete(
    _ info: ClassInfo, _ key: RowKey, _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    if info.hasIndexes, let old = try values(info, key) {
      try updateIndexes(info, key, from: old, to: nil, transaction)
    }
    return try transaction.delete(info.table, key)
  }

  func updateIndexes(
    _ info: ClassInfo, _ key: RowKey, from old: [ColumnValue]?, to new: [ColumnValue?]?,
    _ transaction: WriteTransaction
  ) throws(StorageError) {
    for (column, index) in info.indexes.enumerated() {
      guard let index, old?[column] != new?[column] else { continue }
      if let old { try transaction.delete(index, ClassInfo.indexKey(old[column], key)) }
      if let value = new?[column] {
        try transaction.put(
          index, ClassInfo.indexKey(value, key), ClassInfo.rowBytes(key))
      }
    }
  }

  /// A row's values by column of the class; nil where there is no row.
  func values(_ info: ClassInfo, _ key: RowKey) throws(StorageError) -> [ColumnValue]? {
    var values: [ColumnValue]?
    guard try get(info.table, key, { values = info.values($0) }) else { return nil }
    guard let values else { throw Self.corruptRowError(info) }
    return values
  }

  static func corruptRowError(_ info: ClassInfo) -> StorageError {
    StorageError(.corrupt, "A row of \(info.schema.name) is no record of an object.")
  }
}

// MARK: What a transaction did so far

extension OpenRealm {
  var changes: [String: EventLog.Entry.Changes] {
    var changes = unboundDeletions.mapValues { EventLog.Entry.Changes(deleted: $0) }
    for info in classInfos.values where info.changes != .init() {
      changes[info.schema.name, default: .init()].created += info.changes.created
      changes[info.schema.name, default: .init()].updated += info.changes.updated
      changes[info.schema.name, default: .init()].deleted += info.changes.deleted
    }
    return changes
  }

  func recordDeletions(_ name: String, _ count: Int) {
    if count > 0 { unboundDeletions[name, default: 0] += count }
  }

  func resetChangeCounts() {
    unboundDeletions = [:]
    for info in classInfos.values { info.changes = .init() }
  }
}

extension ClassInfo {
  /// Of a row's bytes, by column of the class; nil where they are damaged.
  func values(_ bytes: UnsafeRawBufferPointer) -> [ColumnValue]? {
    guard let record = ObjectRecord(bytes) else { return nil }
    return try? schema.columns.map { try record.value(positions[$0.index], $0.kind) }
  }
}
