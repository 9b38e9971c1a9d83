// Read transactions. MDB_NOTLS ties them to an object instead of a thread, so that they may move between queues.
import CLMDB
import EngineInterface

/// One pinned version.
final class LMDBSnapshot: RenewableSnapshot, @unchecked Sendable {
  private let lmdb: LMDBLibrary
  private var transaction: OpaquePointer?
  private let tables: [MDB_dbi]
  private let session: LMDBSession
  /// The session's number for it.
  private let pin: Int
  /// Whether a thread renews it, and the session no longer lists it.
  private var isRenewed = false
  /// Whether it has ended, and can only be renewed.
  private var isReset = false

  init(_ transaction: OpaquePointer, tables: [MDB_dbi], session: LMDBSession, pin: Int) {
    lmdb = session.lmdb
    self.transaction = transaction
    self.tables = tables
    self.session = session
    self.pin = pin
  }

  deinit { end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(lmdb, open, tables[table], key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    var opened: OpaquePointer?
    try lmdb.check(lmdb.call.cursorOpen(open, tables[table], &opened), "scanning")
    defer { lmdb.call.cursorClose(opened) }
    var start = IntegerKey(key)
    return try start.withValue { first in
      scanRows(opened, &first, limit, body)
    }.get()
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    var facts = MDB_stat()
    try lmdb.check(lmdb.call.stat(open, tables[table], &facts), "counting rows")
    return facts.ms_entries
  }

  func refresh() throws(EngineError) {
    if !isReset { lmdb.call.txnReset(open) }
    let code = lmdb.call.txnRenew(open)
    if code == MDB_SUCCESS {
      isReset = false
      if !isRenewed { session.moved(pin, to: lmdb.call.txnId(open)) }
      return
    }
    // A transaction that was reset and not renewed holds nothing any more.
    end()
    throw lmdb.error(code, while: "refreshing a snapshot")
  }

  /// Its entry in the reader table is kept. The session lists it no longer, so that its lock is not taken again.
  func reset() {
    if isReset { return }
    lmdb.call.txnReset(open)
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
    _ cursor: OpaquePointer?, _ key: inout MDB_val, _ limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) -> Result<Int, EngineError> {
    var value = MDB_val()
    var seen = 0
    var step = MDB_SET_RANGE
    while seen < limit {
      let code = lmdb.call.cursorGet(cursor, &key, &value, step)
      if code == MDB_NOTFOUND { break }
      if code != MDB_SUCCESS { return .failure(lmdb.error(code, while: "scanning")) }
      body(IntegerKey(key).key, value.bytes)
      seen += 1
      step = MDB_NEXT
    }
    return .success(seen)
  }
}

/// A point read, the same in snapshots and write transactions.
@inline(__always)
func readRow(
  _ lmdb: LMDBLibrary, _ transaction: OpaquePointer, _ table: MDB_dbi, _ key: Int64,
  _ body: (UnsafeRawBufferPointer) -> Void
) throws(EngineError) -> Bool {
  var integerKey = IntegerKey(key)
  var value = MDB_val()
  let code = integerKey.withValue { lmdb.call.get(transaction, table, &$0, &value) }
  if code == MDB_SUCCESS {
    body(value.bytes)
    return true
  }
  if code == MDB_NOTFOUND { return false }
  throw lmdb.error(code, while: "reading a row")
}
