// The rows that a file had of a class before a migration, read in batches so that memory does not grow with their number.
import StorageEngine

/// The rows of a class in the version before the migration.
struct OldRows {
  private static let batchCount = 256

  let snapshot: Snapshot
  let stored: StoredClass

  /// Calls `body` with each row's key and its values by column of the stored class, in key order. Error `corrupt`: a row
  /// is not a record of the class.
  func visit(_ body: (RowKey, [ColumnValue]) throws -> Void) throws {
    guard let table = snapshot.table(stored.tableName) else { return }
    let kinds = stored.columns.map { ColumnKind(rawValue: $0.kind) }
    var next: RowKey?
    while true {
      var batch: [(key: RowKey, values: [ColumnValue])] = []
      var isCorrupt = false
      let count = try scan(table, from: next) { key, bytes in
        if let values = Self.decode(bytes, kinds) {
          batch.append((key, values))
        } else {
          isCorrupt = true
        }
      }
      guard !isCorrupt else {
        throw StorageError(
          .corrupt, "A row of \(stored.name) is not a record of an object; nothing was migrated.")
      }
      for (key, values) in batch { try body(key, values) }
      guard count == Self.batchCount, let following = batch.last?.key.next else { return }
      next = following
    }
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ kinds: [ColumnKind?]
  ) -> [ColumnValue]? {
    guard let record = ObjectRecord(bytes) else { return nil }
    var values: [ColumnValue] = []
    values.reserveCapacity(kinds.count)
    for (index, kind) in kinds.enumerated() {
      guard let kind, let value = try? record.value(index, kind) else { return nil }
      values.append(value)
    }
    return values
  }

  private func scan(
    _ table: Table, from first: RowKey?, _ body: (RowKey, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    if table.keyKind == .int64 {
      var key = Int64.min
      if case .int(let first)? = first { key = first }
      return try snapshot.scan(table, from: key, limit: Self.batchCount) { body(.int($0), $1) }
    }
    var key: [UInt8] = []
    if case .bytes(let first)? = first { key = first }
    return try withBytes(key) { (key) throws(StorageError) in
      try snapshot.scan(table, from: key, limit: Self.batchCount) { body(.bytes(Array($0)), $1) }
    }
  }
}
