// The write transaction. LMDB's writer lock is a pthread mutex: it must be unlocked by the thread that locked it.
import CLMDB
import EngineInterface
import SystemIO

/// The one write transaction.
final class LMDBTransaction: EngineTransaction {
  private let lmdb: LMDBLibrary
  private var transaction: OpaquePointer?
  private let tables: [MDB_dbi]
  private let session: LMDBSession
  private let thread = SystemThread.currentID

  init(_ transaction: OpaquePointer, tables: [MDB_dbi], session: LMDBSession) {
    lmdb = session.lmdb
    self.transaction = transaction
    self.tables = tables
    self.session = session
  }

  deinit { rollBack() }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    var integerKey = IntegerKey(key)
    var data = MDB_val(
      mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
    let code = integerKey.withValue { lmdb.call.put(open, tables[table], &$0, &data, 0) }
    try lmdb.check(code, "writing a row")
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    var integerKey = IntegerKey(key)
    let code = integerKey.withValue { lmdb.call.del(open, tables[table], &$0, nil) }
    if code == MDB_NOTFOUND { return false }
    try lmdb.check(code, "deleting a row")
    return true
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(lmdb, open, tables[table], key, body)
  }

  func commit() throws(EngineError) {
    let code = lmdb.call.txnCommit(takeOpen())
    session.writeEnded()
    try lmdb.check(code, "committing")
  }

  func rollBack() {
    if transaction == nil { return }
    lmdb.call.txnAbort(takeOpen())
    session.writeEnded()
  }

  private var open: OpaquePointer {
    guard let transaction else { preconditionFailure("A transaction was used after its end.") }
    return transaction
  }

  /// The transaction, to be ended: LMDB frees it whether ending succeeds or not.
  private func takeOpen() -> OpaquePointer {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    transaction = nil
    return ending
  }
}
