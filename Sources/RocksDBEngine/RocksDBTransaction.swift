// The write transaction: a write batch, and an index of it for the transaction's own reads, made when it first reads.
import EngineInterface
import SystemIO

/// The one write transaction.
final class RocksDBTransaction: EngineTransaction {
  private let session: RocksDBSession
  /// With the database, which must not stay open for a transaction that has ended.
  private var writer: BatchWriter?
  private let thread = SystemThread.currentID

  init(_ writer: BatchWriter, session: RocksDBSession) {
    self.writer = writer
    self.session = session
  }

  deinit { rollBack() }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    open.put(table, key, value)
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    let writer = open
    guard try read(table, key, { _ in }) else { return false }
    writer.delete(table, key)
    return true
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let writer = open
    switch writer.find(table, key) {
    case .unchanged: return try writer.readCommitted(table, key, body)
    case .deleted: return false
    case .written(let bytes):
      body(bytes)
      return true
    }
  }

  func commit() throws(EngineError) {
    let writer = takeOpen()
    defer { session.writeEnded(writer) }
    guard let stalls = session.stalls else { return try writer.write() }
    let begin = Clock.monotonicNanoseconds()
    try writer.write()
    if let database = try? session.openDatabase() { stalls.committed(database, since: begin) }
  }

  func rollBack() {
    if writer == nil { return }
    session.writeEnded(takeOpen())
  }

  private var open: BatchWriter {
    guard let writer else { preconditionFailure("A transaction was used after its end.") }
    return writer
  }

  private func takeOpen() -> BatchWriter {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    writer = nil
    return ending
  }
}
