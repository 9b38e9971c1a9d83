// Writing rows and their index entries in a write transaction.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Returns the open transaction; reports misuse and returns nil if there is none.
  func transaction(for purpose: StaticString) -> WriteTransaction? {
    guard check() else { return nil }
    if isFrozen {
      Misuse.report(
        .frozen, "What is frozen does not change: \(purpose) needs a live realm.", file: url)
      return nil
    }
    guard let writing else {
      Misuse.report(
        configuration.readOnly ? .readOnly : .wrongTransactionState,
        "Cannot \(purpose) outside of a write transaction - call beginWrite() on a Realm instance first.",
        file: url)
      return nil
    }
    return writing
  }

  /// Runs `body`, which changes the file. An error of the engine ends the transaction without its changes.
  func performChange<Result>(_ body: () throws(StorageError) -> Result) -> Result? {
    do throws(StorageError) {
      defer { stamp += 1 }
      return try body()
    } catch {
      if error.code != .unsupported { cancelWrite() }
      Misuse.report(RealmError(error, file: url))
      return nil
    }
  }

  /// Writes a whole row; `values` are by column of the class.
  func put(
    _ info: ClassInfo, _ key: RowKey, _ values: [ColumnValue], _ transaction: WriteTransaction
  ) throws(StorageError) {
    let new = values.map(Optional.some)
    if info.hasIndexes {
      try updateIndexes(info, key, from: try self.values(info, key), to: new, transaction)
    }
    try transaction.put(info.table, key, recordBuffer.encode(new, info.columns))
  }

  /// Writes one column of a row; returns false if there is no such row.
  func update(
    _ info: ClassInfo, _ key: RowKey, _ column: Int, _ value: ColumnValue,
    _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    let position = info.positions[column]
    let kind = info.schema.columns[column].kind
    if kind == .link { return try setLink(info, key, position, value, transaction) }
    let index = info.indexes[column]
    var old: ColumnValue?
    var outcome = Outcome.corrupt
    let found = try transaction.change(info.table, key) { bytes in
      guard let record = ObjectRecord(UnsafeRawBufferPointer(bytes)) else { return }
      do throws(CorruptRecord) {
        if index != nil { old = try record.value(position, kind) }
        outcome = try record.replace(position, by: value, in: bytes) ? .replaced : .needsRewrite
      } catch { outcome = .corrupt }
    }
    guard found else { return false }
    switch outcome {
    case .corrupt: throw Self.corruptRowError(info)
    case .replaced: break
    case .needsRewrite: try rewrite(info, key, position, value, transaction)
    }
    if let index, let old, old != value {
      try transaction.delete(index, IndexEntry.key(old, key))
      try transaction.put(index, IndexEntry.key(value, key), IndexEntry.rowBytes(key))
    }
    return true
  }

  /// The outcome of overwriting a column in place.
  private enum Outcome {
    case replaced
    /// The new value has another length than the old one, or one of them is null.
    case needsRewrite
    case corrupt
  }

  /// Rewrites a row with another value in one column.
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

  /// Deletes a row; returns false if there is none.
  func delete(
    _ info: ClassInfo, _ key: RowKey, _ transaction: WriteTransaction
  ) throws(StorageError) -> Bool {
    if let existed = try deleteLinked(info, key, transaction) { return existed }
    if info.hasIndexes, let old = try values(info, key) {
      try updateIndexes(info, key, from: old, to: nil, transaction)
    }
    return try transaction.delete(info.table, key)
  }

  /// Replaces the index entries of a row's old values by those of its new ones; nil for a row that does not exist.
  func updateIndexes(
    _ info: ClassInfo, _ key: RowKey, from old: [ColumnValue]?, to new: [ColumnValue?]?,
    _ transaction: WriteTransaction
  ) throws(StorageError) {
    for (column, index) in info.indexes.enumerated() {
      guard let index, old?[column] != new?[column] else { continue }
      if let old { try transaction.delete(index, IndexEntry.key(old[column], key)) }
      if let value = new?[column] {
        try transaction.put(
          index, IndexEntry.key(value, key), IndexEntry.rowBytes(key))
      }
    }
  }

  /// Returns a row's values by column of the class; nil if there is no such row.
  func values(_ info: ClassInfo, _ key: RowKey) throws(StorageError) -> [ColumnValue]? {
    var values: [ColumnValue]?
    guard try get(info.table, key, { values = info.values($0) }) else { return nil }
    guard let values else { throw Self.corruptRowError(info) }
    return values
  }

  static func corruptRowError(_ info: ClassInfo) -> StorageError {
    StorageError(.corrupt, "A row of \(info.schema.name) is not a record of an object.")
  }
}

// MARK: Counting changes

extension OpenRealm {
  /// The changes of the transaction so far, by class.
  var changes: [String: ChangeCounts] {
    var changes = otherDeletions.mapValues { ChangeCounts(deleted: $0) }
    for info in classInfos.values where info.changes != .init() {
      changes[info.schema.name, default: .init()].created += info.changes.created
      changes[info.schema.name, default: .init()].updated += info.changes.updated
      changes[info.schema.name, default: .init()].deleted += info.changes.deleted
    }
    return changes
  }

  func recordDeletions(_ name: String, _ count: Int) {
    if count > 0 { otherDeletions[name, default: 0] += count }
  }

  func resetChangeCounts() {
    otherDeletions = [:]
    for info in classInfos.values { info.changes = .init() }
  }
}
