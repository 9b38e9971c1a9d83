// Short ways to write, for the tests of this adapter.
import EngineInterface
import LMDBEngine
import SystemIO
import TestSupport

/// Opens a session with one table.
func open(_ folder: FilePath, tables: [String] = ["rows"]) throws -> any EngineSession {
  try LMDBEngine().open(folder, SessionOptions(tables: tables)).session
}

extension EngineSession {
  /// Writes rows of arbitrary bytes in one transaction.
  func put(_ keys: some Sequence<Int64>, bytes: Int, table: TableIndex = 0, seed: UInt64 = 1) throws
  {
    var random = SeededRandom(seed: seed)
    let transaction = try beginWrite()
    for key in keys {
      try random.bytes(bytes).withUnsafeBytes { try transaction.put(table, key, $0) }
    }
    try transaction.commit()
  }

  func delete(_ keys: some Sequence<Int64>) throws {
    let transaction = try beginWrite()
    for key in keys { _ = try transaction.delete(0, key) }
    try transaction.commit()
  }

  func count() throws -> Int {
    let snapshot = try beginSnapshot(label: "count")
    defer { snapshot.end() }
    return try snapshot.count(0)
  }
}

/// LMDB's main file in a folder.
func data(_ folder: FilePath) -> FilePath { folder.appending("data.mdb") }
