// The write transaction: WiredTiger's own, with its changes visible to its reads.
import EngineInterface
import SystemIO

/// The one write transaction.
final class WiredTigerTransaction: EngineTransaction {
  private let session: WiredTigerSession
  /// With the database, which must not stay open for a transaction that has ended.
  private var writer: TableCursors?
  private let thread = SystemThread.currentID
  /// The bytes of rows that were written or deleted.
  private var changedBytes = 0
  /// Where they are; left out where WiredTiger makes the checkpoints.
  private var changedRows: [RowAddress] = []
  private let recordsRows: Bool

  /// What a key adds to the bytes of a row.
  private static let keyBytes = 8

  init(_ writer: TableCursors, session: WiredTigerSession, recordsRows: Bool) {
    self.writer = writer
    self.recordsRows = recordsRows
    self.session = session
  }

  deinit { rollBack() }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    try open.put(table, key, value)
    changed(table, key, bytes: value.count)
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    guard let bytes = try open.delete(table, key) else { return false }
    changed(table, key, bytes: bytes)
    return true
  }

  @inline(__always)
  private func changed(_ table: TableIndex, _ key: Int64, bytes: Int) {
    changedBytes += Self.keyBytes + bytes
    if recordsRows { changedRows.append(RowAddress(table: table, key: key)) }
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try open.read(table, key, body)
  }

  func commit() throws(EngineError) {
    let writer = takeOpen()
    do throws(EngineError) { try writer.commit() } catch {
      session.writeEnded()
      throw error
    }
    session.committed(bytes: changedBytes, rows: changedRows)
    session.writeEnded()
  }

  func rollBack() {
    if writer == nil { return }
    takeOpen().rollBack()
    session.writeEnded()
  }

  private var open: TableCursors {
    guard let writer else { preconditionFailure("A transaction was used after its end.") }
    return writer
  }

  private func takeOpen() -> TableCursors {
    let ending = open
    precondition(
      thread == SystemThread.currentID, "A write transaction ended on another thread.")
    writer = nil
    return ending
  }
}
