// Read transactions. MDBX_NOSTICKYTHREADS ties them to an object instead of a thread, so that they may move between
// queues.
import CMDBX
import EngineInterface

/// One pinned version.
final class MDBXSnapshot: RenewableSnapshot, @unchecked Sendable {
  private let mdbx: MDBXLibrary
  private var transaction: OpaquePointer?
  private let tables: [MDBX_dbi]
  private let session: MDBXSession
  /// The session's number for it.
  private let pin: Int
  /// Whether a thread renews it, and the session no longer lists it.
  private var isRenewed = false
  /// Whether it has ended, and can only be renewed.
  private var isReset = false

  init(_ transaction: OpaquePointer, tables: [MDBX_dbi], session: MDBXSession, pin: Int) {
    mdbx = session.mdbx
    self.transaction = transaction
    self.tables = tables
    self.session = session
    self.pin = pin
  }

  deinit { end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(mdbx, open, tables[table], key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    var opened: OpaquePointer?
    try mdbx.check(mdbx.call.cursorOpen(open, tables[table], &opened), "scanning")
    defer { mdbx.call.cursorClose(opened) }
    var start = IntegerKey(key)
    return try start.withValue { first in
      scanRows(opened, &first, limit, body)
    }.get()
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    var facts = MDBX_stat()
    try mdbx.check(
      mdbx.call.dbiStat(open, tables[table], &facts, MemoryLayout<MDBX_stat>.size),
      "counting rows")
    return Int(facts.ms_entries)
  }

  func refresh() throws(EngineError) {
    if !isReset { _ = mdbx.call.txnReset(open) }
    let code = mdbx.call.txnRenew(open)
    if code == MDBX_SUCCESS {
      isReset = false
      if !isRenewed { session.moved(pin, to: mdbx.call.txnId(open)) }
      return
    }
    // A transaction that was reset and not renewed holds nothing any more.
    end()
    throw mdbx.error(code, while: "refreshing a snapshot")
  }

  /// Its entry in the reader table is kept. The session lists it no longer, so that its lock is not taken again.
  func reset() {
    if isReset { return }
    _ = mdbx.call.txnReset(open)
    isReset = true
    if !isRenewed { session.beginRenewing(pin) }
    isRenewed = true
  }

  func end() {
    guard let transaction else { return }
    self.transaction = nil
    session.end(transaction, pin: isRenewed ? nil : pin)
  }

  private var open: OpaquePointer {
    guard let transaction else { preconditionFailure("A snapshot was used after its end.") }
    return transaction
  }

  private func scanRows(
    _ cursor: OpaquePointer?, _ key: inout MDBX_val, _ limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) -> Result<Int, EngineError> {
    var value = MDBX_val()
    var seen = 0
    var step = MDBX_SET_RANGE
    while seen < limit {
      let code = mdbx.call.cursorGet(cursor, &key, &value, step)
      if code == MDBX_NOTFOUND { break }
      if code != MDBX_SUCCESS { return .failure(mdbx.error(code, while: "scanning")) }
      body(IntegerKey(key).key, value.bytes)
      seen += 1
      step = MDBX_NEXT
    }
    return .success(seen)
  }
}

/// A point read, the same in snapshots and write transactions.
@inline(__always)
func readRow(
  _ mdbx: MDBXLibrary, _ transaction: OpaquePointer, _ table: MDBX_dbi, _ key: Int64,
  _ body: (UnsafeRawBufferPointer) -> Void
) throws(EngineError) -> Bool {
  var integerKey = IntegerKey(key)
  var value = MDBX_val()
  let code = integerKey.withValue { mdbx.call.get(transaction, table, &$0, &value) }
  if code == MDBX_SUCCESS {
    body(value.bytes)
    return true
  }
  if code == MDBX_NOTFOUND { return false }
  throw mdbx.error(code, while: "reading a row")
}
