// The write transaction. The writer lock of both libraries is a pthread mutex: the thread that locked it must unlock it.
package import EngineInterface
import SystemIO

/// The one write transaction.
package final class MDBTransaction<Session: MDBSession>: EngineTransaction {
  @usableFromInline let library: Session.Library
  @usableFromInline var transaction: OpaquePointer?
  @usableFromInline let tables: [UInt32]
  @usableFromInline let session: Session
  private let thread = SystemThread.currentID

  package init(_ transaction: OpaquePointer, tables: [UInt32], session: Session) {
    library = session.library
    self.transaction = transaction
    self.tables = tables
    self.session = session
  }

  deinit { rollBack() }

  @inlinable package func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    var integerKey = IntegerKey(key)
    var data = Session.Library.Value(
      address: UnsafeMutableRawPointer(mutating: value.baseAddress), count: value.count)
    let code = integerKey.withValue { library.put(open, tables[table], &$0, &data) }
    try library.check(code, "writing a row")
  }

  @inlinable package func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    var integerKey = IntegerKey(key)
    let code = integerKey.withValue { library.delete(open, tables[table], &$0) }
    if code == Session.Library.notFound { return false }
    try library.check(code, "deleting a row")
    return true
  }

  @inlinable package func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try library.read(open, tables[table], key, body)
  }

  package func commit() throws(EngineError) {
    let code = library.commit(takeOpen())
    session.writeEnded(committed: code == 0)
    try library.check(code, "committing")
  }

  package func rollBack() {
    if transaction == nil { return }
    library.abort(takeOpen())
    session.writeEnded(committed: false)
  }

  @inlinable var open: OpaquePointer {
    guard let transaction else { preconditionFailure("A transaction was used after its end.") }
    return transaction
  }

  /// The transaction, to be ended: the library frees it whether ending succeeds or not.
  private func takeOpen() -> OpaquePointer {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    transaction = nil
    return ending
  }
}
