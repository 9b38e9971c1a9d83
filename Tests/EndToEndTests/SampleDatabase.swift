// A database file with much to gain from a compaction, for the commands that look into files.
import StorageEngine
import SystemIO

enum SampleDatabase {
  /// Makes a database of 2,000 rows, each with a block of its own; three of four are deleted again.
  static func make(_ path: FilePath, _ key: EncryptionKey? = nil) throws {
    var options = DatabaseOptions(durability: .none, automaticCompaction: nil)
    options.encryptionKey = key
    let database = try Database.open(path: path, options: options)
    try write(database) { transaction, table in
      for key in Int64(0)..<2000 {
        let value = [UInt8](repeating: UInt8(truncatingIfNeeded: key), count: 600)
        try value.withUnsafeBytes { try transaction.put(table, key, $0) }
      }
    }
    try write(database) { transaction, table in
      for key in Int64(0)..<2000 where key % 4 > 0 { _ = try transaction.delete(table, key) }
    }
    try database.close()
  }

  private static func write(
    _ database: Database, _ body: (WriteTransaction, Table) throws -> Void
  ) throws {
    let transaction = try database.beginWrite()
    try body(transaction, try transaction.table("items"))
    try transaction.commit()
  }
}
