// All rows whose keys begin with the same bytes, in a snapshot or in a transaction.
import StorageEngine

/// What rows are read from.
protocol RowSource {
  func scan(
    _ table: Table, from key: UnsafeRawBufferPointer, limit: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int
}

extension Snapshot: RowSource {}
extension WriteTransaction: RowSource {}

extension RowSource {
  /// Returns the rows whose keys begin with `prefix`, at most `limit`. The keys are without the prefix.
  func rows(
    _ table: Table, prefix: [UInt8], limit: Int = .max
  ) throws(StorageError) -> [(key: [UInt8], value: [UInt8])] {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    var next: [UInt8]? = prefix
    // Most ranges are short, and a scan does not end with the range.
    var batch = 4
    while let first = next, rows.count < limit {
      let size = min(batch, limit - rows.count)
      var last: [UInt8]?
      let found = try withBytes(first) { (first) throws(StorageError) in
        try scan(table, from: first, limit: size) { key, value in
          last = nil
          guard key.starts(with: prefix) else { return }
          rows.append((Array(key.dropFirst(prefix.count)), Array(value)))
          last = Array(key)
        }
      }
      next = found == size ? last.map { $0 + [0] } : nil
      batch = min(4 * batch, 1024)
    }
    return rows
  }
}
