// The file to be compacted: rows until it has the wanted size, then every other row deleted at random.
import ArgumentParser
import BenchSupport
import StorageEngine

enum RowLayout: String, ExpressibleByArgument, CaseIterable {
  /// Loaded in key order: neighboring rows are adjacent in the file.
  case inOrder = "in-order"
  /// Inserted in random order: neighboring rows are scattered.
  case scattered
}

struct HalfEmptyFile {
  let path: String
  let bytes: Int
  let valueBytes: Int
  let layout: RowLayout
  let seed: UInt64

  private static let rowsPerCommit = 20_000

  /// Returns the live bytes.
  func make() throws -> Int {
    let options = DatabaseOptions(durability: .none, automaticCompaction: nil)
    let database = try Database.open(path: .init(path), options: options)
    var random = KeyStream(seed: seed)
    var value = [UInt8](repeating: 0, count: valueBytes)
    var rows = 0
    while database.usage().live < bytes - bytes / 64 {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for index in rows..<rows + Self.rowsPerCommit {
        for place in stride(from: 0, to: valueBytes, by: 8) {
          value[place] = UInt8(random.next() & 255)
        }
        try put(transaction, table, key(index), value)
      }
      rows += Self.rowsPerCommit
      try transaction.commit()
    }
    for from in stride(from: 0, to: rows, by: 8 * Self.rowsPerCommit) {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for index in from..<min(rows, from + 8 * Self.rowsPerCommit) where random.next() & 1 == 0 {
        _ = try transaction.delete(table, key(index))
      }
      try transaction.commit()
    }
    let live = database.usage().live
    try database.close()
    return live
  }

  /// A permutation of the numbers: the multiplier is odd, and no two rows get one key.
  private func key(_ index: Int) -> Int64 {
    layout == .inOrder ? Int64(index) : Int64(bitPattern: UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
  }

  private func put(
    _ transaction: WriteTransaction, _ table: Table, _ key: Int64, _ value: [UInt8]
  ) throws {
    let result: Result<Void, StorageError> = value.withUnsafeBytes { bytes in
      Result { () throws(StorageError) in try transaction.put(table, key, bytes) }
    }
    try result.get()
  }
}
