// Read transactions: each with snapshot isolation, in a session of its own.
import EngineInterface

/// One pinned version.
final class WiredTigerSnapshot: EngineSnapshot, @unchecked Sendable {
  private let session: WiredTigerSession
  /// The session's number for it.
  private let pin: Int
  /// With the database, which must not stay open for a snapshot that has ended.
  private var reader: TableCursors?

  init(_ reader: TableCursors, session: WiredTigerSession, pin: Int) {
    self.reader = reader
    self.session = session
    self.pin = pin
  }

  deinit { end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try open.read(table, key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    try open.scan(table, from: key, limit: limit, body)
  }

  /// WiredTiger has no number of rows, and counts them by reading all keys.
  func count(_ table: TableIndex) throws(EngineError) -> Int { try open.count(table) }

  func refresh() throws(EngineError) { try session.renew(open, pin: pin) }

  func end() {
    guard let reader else { return }
    self.reader = nil
    session.end(reader, pin: pin)
  }

  private var open: TableCursors {
    guard let reader else { preconditionFailure("A snapshot was used after its end.") }
    return reader
  }
}
