// A prepared statement as a plain value: the connection finalizes it, so that using one on a hot path counts no
// references.
import CSQLite
import EngineInterface

/// A prepared statement of a connection. Used by the connection's thread, not after the connection is gone.
struct Statement {
  let sqlite: SQLiteLibrary
  let handle: OpaquePointer

  /// Prepares; the caller sees to it that the statement is finalized.
  init(
    _ sqlite: SQLiteLibrary, _ connection: OpaquePointer, _ text: String
  ) throws(EngineError) {
    self.sqlite = sqlite
    var prepared: OpaquePointer?
    let code = sqlite.call.prepareV3(
      connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw sqlite.error(code, connection, while: text)
    }
    handle = prepared
  }

  /// Binds a value to the parameter `?1`, `?2`, …
  @inline(__always)
  func bind(_ number: Int64, at parameterIndex: Int32) {
    _ = sqlite.call.bindInt64(handle, parameterIndex, number)
  }

  /// Steps to the next row. Returns `SQLITE_ROW`, `SQLITE_DONE` or an error, to be passed to `end`.
  @inline(__always)
  func step() -> Int32 { sqlite.call.step(handle) }

  @inline(__always)
  func number(inColumn column: Int32) -> Int64 { sqlite.call.columnInt64(handle, column) }

  /// A column's bytes: valid until the statement's next step or reset. SQLite has no address for an empty value.
  @inline(__always)
  func bytes(inColumn column: Int32) -> UnsafeRawBufferPointer {
    let address = sqlite.call.columnBlob(handle, column)
    return UnsafeRawBufferPointer(
      start: address, count: address == nil ? 0 : Int(sqlite.call.columnBytes(handle, column)))
  }

  /// Runs it for its one number.
  func number() throws(EngineError) -> Int {
    let code = step()
    let number = code == SQLITE_ROW ? Int(number(inColumn: 0)) : 0
    try end(code)
    return number
  }

  /// Runs it to its end.
  @inline(__always)
  func run() throws(EngineError) { try end(step()) }

  /// Makes the statement ready for the next use, which also ends its read lock, and throws what `step` answered.
  @inline(__always)
  func end(_ code: Int32) throws(EngineError) {
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failed(code) }
    _ = sqlite.call.reset(handle)
  }

  @inline(never)
  private func failed(_ code: Int32) -> EngineError {
    let text = sqlite.call.sql(handle).map { String(cString: $0) } ?? "a statement"
    let error = sqlite.error(code, sqlite.call.dbHandle(handle), while: text)
    _ = sqlite.call.reset(handle)
    return error
  }
}
