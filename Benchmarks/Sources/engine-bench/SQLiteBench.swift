// SQLite with a write-ahead log and its default checkpoints; durable is `synchronous = FULL`, which syncs the log at
// every commit.
import BenchSupport
import CBenchSQLite

final class SQLiteBench: BenchEngine {
  let name = "SQLite"
  let modes: [CommitMode] = [.durable, .unsynced]
  let readsInParallel = false
  private let path: String
  private var connection: OpaquePointer?
  private var insertRow: OpaquePointer?
  private var updateRow: OpaquePointer?
  private var selectRow: OpaquePointer?
  private var deleteRow: OpaquePointer?
  private var selectAll: OpaquePointer?

  init(folder: String) throws {
    path = folder + "/sqlite.db"
    try reopen()
  }

  func reopen() throws {
    try check(sqlite3_open(path, &connection))
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = FULL")
    try run("CREATE TABLE IF NOT EXISTS rows (key INTEGER PRIMARY KEY, value BLOB NOT NULL)")
    deleteRow = try prepare("DELETE FROM rows WHERE key = ?1")
    selectAll = try prepare("SELECT value FROM rows ORDER BY key")
    insertRow = try prepare("INSERT INTO rows (value, key) VALUES (?1, ?2)")
    updateRow = try prepare("UPDATE rows SET value = ?1 WHERE key = ?2")
    selectRow = try prepare("SELECT value FROM rows WHERE key = ?1")
  }

  var files: [String] { [path, path + "-wal", path + "-shm"] }

  func load(_ keys: Range<Int64>, value: UnsafeRawBufferPointer) throws {
    try run("BEGIN IMMEDIATE")
    for key in keys { try write(insertRow, key, value) }
    try run("COMMIT")
  }

  func setMode(_ mode: CommitMode) throws {
    try run("PRAGMA synchronous = " + (mode == .unsynced ? "OFF" : "FULL"))
  }

  func delete(_ keys: [Int64]) throws {
    try run("BEGIN IMMEDIATE")
    for key in keys {
      try check(sqlite3_bind_int64(deleteRow, 1, key))
      guard sqlite3_step(deleteRow) == SQLITE_DONE else { throw failure() }
      try check(sqlite3_reset(deleteRow))
    }
    try run("COMMIT")
  }

  func scan() throws -> UInt64 {
    var total: UInt64 = 0
    while sqlite3_step(selectAll) == SQLITE_ROW {
      let count = Int(sqlite3_column_bytes(selectAll, 0))
      total &+= sum(UnsafeRawBufferPointer(start: sqlite3_column_blob(selectAll, 0), count: count))
    }
    try check(sqlite3_reset(selectAll))
    return total
  }

  func update(_ keys: [Int64], value: UnsafeRawBufferPointer) throws {
    try run("BEGIN IMMEDIATE")
    for key in keys { try write(updateRow, key, value) }
    try run("COMMIT")
  }

  func read(_ keys: [Int64]) throws -> UInt64 {
    try run("BEGIN")
    var total: UInt64 = 0
    for key in keys {
      try check(sqlite3_bind_int64(selectRow, 1, key))
      guard sqlite3_step(selectRow) == SQLITE_ROW else {
        throw BenchError(description: "SQLite: row \(key) is missing")
      }
      let count = Int(sqlite3_column_bytes(selectRow, 0))
      total &+= sum(UnsafeRawBufferPointer(start: sqlite3_column_blob(selectRow, 0), count: count))
      try check(sqlite3_reset(selectRow))
    }
    try run("COMMIT")
    return total
  }

  func close() throws {
    for statement in [insertRow, updateRow, selectRow, deleteRow, selectAll] {
      sqlite3_finalize(statement)
    }
    try check(sqlite3_close(connection))
  }

  private func write(
    _ statement: OpaquePointer?, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws {
    // nil as destructor is SQLITE_STATIC: the bytes outlive the step.
    try check(sqlite3_bind_blob(statement, 1, value.baseAddress, Int32(value.count), nil))
    try check(sqlite3_bind_int64(statement, 2, key))
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
    try check(sqlite3_reset(statement))
  }

  private func prepare(_ text: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, text, -1, &statement, nil))
    return statement
  }

  private func run(_ text: String) throws {
    try check(sqlite3_exec(connection, text, nil, nil, nil))
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw failure() }
  }

  private func failure() -> BenchError {
    BenchError(description: "SQLite: " + String(cString: sqlite3_errmsg(connection)))
  }
}
