// Read transactions. MDB_NOTLS and MDBX_NOSTICKYTHREADS tie them to an object instead of a thread, so that they may move
// between queues.
package import EngineInterface

/// One pinned version.
package final class MDBSnapshot<Session: MDBSession>: RenewableSnapshot, @unchecked Sendable {
  @usableFromInline let library: Session.Library
  @usableFromInline var transaction: OpaquePointer?
  @usableFromInline let tables: [UInt32]
  @usableFromInline let session: Session
  /// The session's number for it.
  @usableFromInline let pin: Int
  /// Whether a thread renews it, and the session no longer lists it.
  @usableFromInline var isRenewed = false
  /// Whether it has ended, and can only be renewed.
  @usableFromInline var isReset = false

  @inlinable package init(
    _ transaction: OpaquePointer, tables: [UInt32], session: Session, pin: Int
  ) {
    library = session.library
    self.transaction = transaction
    self.tables = tables
    self.session = session
    self.pin = pin
  }

  deinit { end() }

  @inlinable package func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try library.read(open, tables[table], key, body)
  }

  @inlinable package func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    var opened: OpaquePointer?
    try library.check(library.openCursor(open, tables[table], &opened), "scanning")
    defer { library.closeCursor(opened) }
    var start = IntegerKey(key)
    return try start.withValue { first in
      scanRows(opened, &first, limit, body)
    }.get()
  }

  @inlinable package func count(_ table: TableIndex) throws(EngineError) -> Int {
    var count = 0
    try library.check(library.countRows(open, tables[table], &count), "counting rows")
    return count
  }

  @inlinable package func refresh() throws(EngineError) {
    if !isReset { library.reset(open) }
    let code = library.renew(open)
    if code == 0 {
      isReset = false
      if !isRenewed { session.moved(pin, to: library.version(of: open)) }
      return
    }
    // A transaction that was reset and not renewed holds nothing any more.
    end()
    throw library.error(code, while: "refreshing a snapshot")
  }

  /// Its entry in the reader table is kept. The session lists it no longer, so that its lock is not taken again.
  @inlinable package func reset() {
    if isReset { return }
    library.reset(open)
    isReset = true
    if !isRenewed { session.beginRenewing(pin) }
    isRenewed = true
  }

  @inlinable package func end() {
    guard let transaction else { return }
    self.transaction = nil
    session.end(transaction, pin: isRenewed ? nil : pin)
  }

  @inlinable var open: OpaquePointer {
    guard let transaction else { preconditionFailure("A snapshot was used after its end.") }
    return transaction
  }

  @inlinable func scanRows(
    _ cursor: OpaquePointer?, _ key: inout Session.Library.Value, _ limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) -> Result<Int, EngineError> {
    var value = Session.Library.Value(address: nil, count: 0)
    var seen = 0
    while seen < limit {
      let code =
        seen == 0
        ? library.seek(cursor, &key, &value) : library.moveToNext(cursor, &key, &value)
      if code == Session.Library.notFound { break }
      if code != 0 { return .failure(library.error(code, while: "scanning")) }
      body(IntegerKey(key).key, value.bytes)
      seen += 1
    }
    return .success(seen)
  }
}
