// A session of WiredTiger with a cursor for each table: what a transaction runs in. Used by one thread at a time.
import CWiredTiger
import EngineInterface

/// A session, kept for one transaction after the other. Ends with the connection.
final class TableCursors: @unchecked Sendable {
  let connection: WiredTigerConnection
  let session: UnsafeMutablePointer<wt_session>
  private let cursors: [UnsafeMutablePointer<wt_cursor>]

  init(_ connection: WiredTigerConnection, tables: [String]) throws(EngineError) {
    self.connection = connection
    let session = try connection.openSession()
    self.session = session
    cursors = try connection.openCursors(session, tables: tables)
  }

  func begin() throws(EngineError) {
    try connection.check(
      "beginning a transaction", session.pointee.begin_transaction(session, nil))
  }

  func commit() throws(EngineError) {
    try connection.check("committing", session.pointee.commit_transaction(session, nil))
  }

  /// Ends the transaction, and with it the positions of all cursors.
  func rollBack() {
    _ = session.pointee.rollback_transaction(session, nil)
    _ = connection.messages.take()
  }

  /// Closes the session with its cursors.
  func end() { _ = session.pointee.close(session, nil) }

  @inline(__always)
  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let cursor = cursors[table]
    wt_cursor_set_key(cursor, key)
    let result = cursor.pointee.search(cursor)
    if result == WT_NOTFOUND { return false }
    try connection.check("reading a row", result)
    body(try value(cursor))
    return true
  }

  @inline(__always)
  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    let cursor = cursors[table]
    wt_cursor_set_key(cursor, key)
    wt_cursor_set_value(cursor, value.baseAddress, value.count)
    // Replaces a row that is there: cursors are opened so.
    try connection.check("writing a row", cursor.pointee.insert(cursor))
  }

  /// Deletes a row and returns the bytes of its value; nil if there was none.
  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Int? {
    var bytes = 0
    guard try read(table, key, { bytes = $0.count }) else { return nil }
    let cursor = cursors[table]
    try connection.check("deleting a row", cursor.pointee.remove(cursor))
    return bytes
  }

  /// Calls `body` with up to `limit` rows from `key` on.
  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) throws(EngineError) -> Void
  ) throws(EngineError) -> Int {
    let cursor = cursors[table]
    var order: Int32 = 0
    wt_cursor_set_key(cursor, key)
    var result = cursor.pointee.search_near(cursor, &order)
    if result == 0, order < 0 { result = cursor.pointee.next(cursor) }
    var seen = 0
    while seen < limit, result == 0 {
      var found: Int64 = 0
      try connection.check("reading a key", wt_cursor_get_key(cursor, &found))
      try body(found, value(cursor))
      seen += 1
      if seen < limit { result = cursor.pointee.next(cursor) }
    }
    if result != WT_NOTFOUND { try connection.check("scanning", result) }
    return seen
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    let cursor = cursors[table]
    try connection.check("counting rows", cursor.pointee.reset(cursor))
    var count = 0
    var result = cursor.pointee.next(cursor)
    while result == 0 {
      count += 1
      result = cursor.pointee.next(cursor)
    }
    if result != WT_NOTFOUND { try connection.check("counting rows", result) }
    return count
  }

  /// The value at which a cursor is; the bytes are valid until it moves.
  @inline(__always)
  private func value(
    _ cursor: UnsafeMutablePointer<wt_cursor>
  ) throws(EngineError) -> UnsafeRawBufferPointer {
    var item = wt_item()
    try connection.check("reading a value", wt_cursor_get_value(cursor, &item))
    return UnsafeRawBufferPointer(start: item.data, count: item.size)
  }
}

extension WiredTigerConnection {
  /// Opens a cursor of each table.
  func openCursors(
    _ session: UnsafeMutablePointer<wt_session>, tables: [String]
  ) throws(EngineError) -> [UnsafeMutablePointer<wt_cursor>] {
    var cursors: [UnsafeMutablePointer<wt_cursor>] = []
    for table in tables {
      cursors.append(try openCursor(session, WiredTigerSetup.uri(ofTable: table)))
    }
    return cursors
  }

  func openCursor(
    _ session: UnsafeMutablePointer<wt_session>, _ uri: String, options: String? = nil
  ) throws(EngineError) -> UnsafeMutablePointer<wt_cursor> {
    var opened: UnsafeMutablePointer<wt_cursor>?
    try check(
      "opening \(uri)", session.pointee.open_cursor(session, uri, nil, options, &opened))
    guard let opened, opened.pointee.session == session else {
      preconditionFailure("WiredTiger's handles are not laid out as they are declared.")
    }
    return opened
  }
}
