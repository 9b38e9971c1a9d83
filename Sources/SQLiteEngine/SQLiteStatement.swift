// A prepared statement as a plain value: the connection finalises it, so that using one on a hot path counts no
// references.
import CSQLite
import EngineInterface

/// A prepared statement of a connection. Used by the connection's thread, not after the connection is gone.
struct Statement {
  let handle: OpaquePointer

  /// Prepares; the caller sees to it that the statement is finalised.
  init(_ connection: OpaquePointer, _ text: String) throws(EngineError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw .sqlite(code, connection, while: text)
    }
    handle = prepared
  }

  /// Runs it for its one number.
  func number() throws(EngineError) -> Int {
    let code = sqlite3_step(handle)
    let number = code == SQLITE_ROW ? Int(sqlite3_column_int64(handle, 0)) : 0
    try end(code)
    return number
  }

  /// Runs it to its end.
  @inline(__always)
  func run() throws(EngineError) { try end(sqlite3_step(handle)) }

  /// Makes the statement ready for the next use, which also ends its read lock, and throws what `step` answered.
  @inline(__always)
  func end(_ code: Int32) throws(EngineError) {
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failed(code) }
    sqlite3_reset(handle)
  }

  @inline(never)
  private func failed(_ code: Int32) -> EngineError {
    let text = String(cString: sqlite3_sql(handle))
    let error = EngineError.sqlite(code, sqlite3_db_handle(handle), while: text)
    sqlite3_reset(handle)
    return error
  }
}
