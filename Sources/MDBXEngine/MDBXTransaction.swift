// The write transaction. libmdbx's writer lock is a pthread mutex: it must be unlocked by the thread that locked it.
import CMDBX
import EngineInterface
import SystemIO

/// The one write transaction.
final class MDBXTransaction: EngineTransaction {
  private let mdbx: MDBXLibrary
  private var transaction: OpaquePointer?
  private let tables: [MDBX_dbi]
  private let session: MDBXSession
  private let thread = SystemThread.currentID

  init(_ transaction: OpaquePointer, tables: [MDBX_dbi], session: MDBXSession) {
    mdbx = session.mdbx
    self.transaction = transaction
    self.tables = tables
    self.session = session
  }

  deinit { rollBack() }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    var integerKey = IntegerKey(key)
    var data = MDBX_val(
      iov_base: UnsafeMutableRawPointer(mutating: value.baseAddress), iov_len: value.count)
    let code = integerKey.withValue { mdbx.call.put(open, tables[table], &$0, &data, 0) }
    try mdbx.check(code, "writing a row")
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    var integerKey = IntegerKey(key)
    let code = integerKey.withValue { mdbx.call.del(open, tables[table], &$0, nil) }
    if code == MDBX_NOTFOUND { return false }
    try mdbx.check(code, "deleting a row")
    return true
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(mdbx, open, tables[table], key, body)
  }

  func commit() throws(EngineError) {
    let code = mdbx.call.txnCommit(takeOpen())
    session.writeEnded(committed: code == MDBX_SUCCESS)
    try mdbx.check(code, "committing")
  }

  func rollBack() {
    if transaction == nil { return }
    _ = mdbx.call.txnAbort(takeOpen())
    session.writeEnded(committed: false)
  }

  private var open: OpaquePointer {
    guard let transaction else { preconditionFailure("A transaction was used after its end.") }
    return transaction
  }

  /// The transaction, to be ended: libmdbx frees it whether ending succeeds or not.
  private func takeOpen() -> OpaquePointer {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    transaction = nil
    return ending
  }
}
