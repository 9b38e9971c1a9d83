// The write transaction: changes are made in memory, and written to the file by `commit`.

/// The write transaction. Used by one thread at a time; rolled back if it is released without an end.
public final class WriteTransaction {
  private let database: Database
  /// The right to write; nil once the transaction has ended, so that a closed file is released.
  private var access: WriteAccess?
  /// The writer of `access`, so that a change pays one check for exclusivity and not two.
  private var current: UnsafeMutablePointer<Writer>?
  /// The version that `commit` will create.
  public let version: UInt64

  init(_ database: Database, _ access: consuming WriteAccess) {
    version = access.writer.changes.version
    current = access.writerAddress
    self.database = database
    self.access = consume access
  }

  deinit { rollBack() }

  var writer: UnsafeMutablePointer<Writer> {
    @inline(__always)
    get throws(StorageError) {
      guard let current else { throw Self.ended }
      return current
    }
  }

  private static var ended: StorageError {
    StorageError(.closed, "The write transaction has ended.")
  }

  /// Whether the transaction has not ended.
  public var isOpen: Bool { current != nil }

  /// The writer and the database of the transaction. Error `closed` if it has ended.
  var context: (writer: UnsafeMutablePointer<Writer>, database: Database) {
    get throws(StorageError) { (try writer, database) }
  }

  /// Ends the transaction, and returns the right to write, with which the lock is released; nil if it has ended.
  private func end() -> WriteAccess? {
    current = nil
    return access.take()
  }

  /// Returns the index of the table among the transaction's. Errors: `unsupported`, `closed`.
  @inline(__always)
  func index(_ table: Table, _ kind: KeyKind) throws(StorageError) -> Int {
    let writer = try writer
    writer.pointee.epoch.renew()
    guard table.keyKind == kind else { throw Database.wrongKind(table) }
    guard table.index < writer.pointee.changes.tables.count else {
      throw StorageError(
        .unsupported,
        "The table was created in a transaction that was rolled back; create it again.")
    }
    return table.index
  }

  /// Returns the root of the table in this transaction. Errors: `unsupported`, `closed`.
  @inline(__always)
  func root(_ table: Table, _ kind: KeyKind) throws(StorageError) -> TableRoot {
    let index = try index(table, kind)
    return try writer.pointee.changes.tables[index]
  }

  /// Returns the table of this name, and creates it if there is none. Errors: `unsupported` if it has keys of another
  /// kind, or if the name is empty or too long.
  public func table(_ name: String, _ keyKind: KeyKind = .int64) throws(StorageError) -> Table {
    let writer = try writer
    if let index = writer.pointee.changes.names.firstIndex(of: name) {
      let kind = writer.pointee.changes.tables[index].kind
      guard kind == keyKind else {
        throw StorageError(.unsupported, "The table \"\(name)\" has keys of kind \(kind).")
      }
      return Table(index: index, keyKind: kind)
    }
    guard (1...Layout.maxNameLength).contains(name.utf8.count),
      writer.pointee.changes.names.count < Layout.maxTables
    else {
      throw StorageError(
        .unsupported,
        "A table's name has 1 to \(Layout.maxNameLength) bytes, and a file at most "
          + "\(Layout.maxTables) tables.")
    }
    return Table(index: writer.pointee.changes.addTable(name, keyKind), keyKind: keyKind)
  }

  /// Inserts the row, or replaces its value. Errors: `unsupported` for a key or value that is too long; any other error
  /// ends the transaction without its changes.
  public func put(
    _ table: Table, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    try put(try index(table, .int64), TreeKey(key), value)
  }

  /// The same for a table with keys of bytes.
  public func put(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    try checkLength(key)
    try put(try index(table, .bytes), TreeKey(key), value)
  }

  @inline(__always)
  private func put(
    _ table: Int, _ key: TreeKey, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    try checkLength(value: value)
    do throws(StorageError) {
      try writer.pointee.changes.put(table, key, value)
    } catch {
      rollBack()
      throw error
    }
  }

  @inline(__always)
  func checkLength(_ key: UnsafeRawBufferPointer) throws(StorageError) {
    guard (1...Layout.maxKeyLength).contains(key.count) else {
      throw StorageError(
        .unsupported, "A key has 1 to \(Layout.maxKeyLength) bytes; this one has \(key.count).")
    }
  }

  @inline(__always)
  func checkLength(value: UnsafeRawBufferPointer) throws(StorageError) {
    guard value.count <= Layout.maxValueLength else {
      throw StorageError(
        .unsupported,
        "A value has at most \(Layout.maxValueLength) bytes; this one has \(value.count).")
    }
  }

  /// Deletes the row. Returns whether there was one. An error ends the transaction without its changes.
  public func delete(_ table: Table, _ key: Int64) throws(StorageError) -> Bool {
    try delete(try index(table, .int64), TreeKey(key))
  }

  /// The same for a table with keys of bytes.
  public func delete(
    _ table: Table, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try delete(try index(table, .bytes), TreeKey(key))
  }

  private func delete(_ table: Int, _ key: TreeKey) throws(StorageError) -> Bool {
    do throws(StorageError) {
      return try writer.pointee.changes.delete(table, key)
    } catch {
      rollBack()
      throw error
    }
  }

  /// Calls `body` with the value of the row, as this transaction sees it, and returns true; false if there is no such row.
  public func get(
    _ table: Table, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try get(try root(table, .int64), TreeKey(key), body)
  }

  /// The same for a table with keys of bytes.
  public func get(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try get(try root(table, .bytes), TreeKey(key), body)
  }

  private func get(
    _ root: TableRoot, _ key: TreeKey, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let space = try writer.pointee.changes.tree.space
    // An epoch of its own, since `body` may renew that of the transaction.
    let epoch = space.view.enterEpoch()
    defer { space.view.leaveEpoch(epoch) }
    guard let value = try TreeReader.find(root, key, space) else { return false }
    body(value)
    return true
  }

  /// Calls `body` with up to `limit` rows in key order, beginning with the first key that is not less than `key`, as
  /// this transaction sees them. Returns the number of rows. `body` must not change anything in the transaction.
  public func scan(
    _ table: Table, from key: Int64 = .min, limit: Int = .max,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let root = try root(table, .int64)
    return try walk(root, .ascending, from: TreeKey(key), limit) { leaf, index, value in
      body(leaf.number(index), value)
    }
  }

  /// The same for a table with keys of bytes; an empty `key` begins at the first row.
  public func scan(
    _ table: Table, from key: UnsafeRawBufferPointer, limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let root = try root(table, .bytes)
    return try walk(root, .ascending, from: TreeKey(key), limit) { leaf, index, value in
      body(leaf.keyBytes(index), value)
    }
  }

  /// Calls `body` with up to `limit` rows in descending key order, beginning with the last key that is less than `key`, or
  /// with the last, as this transaction sees them. Returns the number of rows. `body` must not change anything in the
  /// transaction.
  public func scanBackward(
    _ table: Table, before key: Int64? = nil, limit: Int = .max,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let root = try root(table, .int64)
    return try walk(root, .descending, from: key.map { TreeKey($0) }, limit) { leaf, index, value in
      body(leaf.number(index), value)
    }
  }

  /// The same for a table with keys of bytes; an empty `key` begins at the last row.
  public func scanBackward(
    _ table: Table, before key: UnsafeRawBufferPointer, limit: Int = .max,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let root = try root(table, .bytes)
    return try walk(root, .descending, from: key.isEmpty ? nil : TreeKey(key), limit) {
      leaf, index, value in
      body(leaf.keyBytes(index), value)
    }
  }

  private enum Direction { case ascending, descending }

  /// Calls `body` with up to `limit` rows: those that are not less than `key`, ascending, or those that are less, descending;
  /// without a key all. Returns the number of rows. Inlined, so that the direction is known where rows are read.
  @inline(__always)
  private func walk(
    _ root: TableRoot, _ direction: Direction, from key: TreeKey?, _ limit: Int,
    _ body: (Node, Int, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let space = try writer.pointee.changes.tree.space
    let epoch = space.view.enterEpoch()
    defer { space.view.leaveEpoch(epoch) }
    var cursor =
      switch direction {
      case .ascending: try TreeCursor(root, from: key, space)
      case .descending: try TreeCursor(root, endingBefore: key, space)
      }
    var count = 0
    while count < limit, let (leaf, index) = cursor.current {
      body(leaf, index, try leaf.value(index, root.kind, space))
      count += 1
      switch direction {
      case .ascending: try cursor.advance()
      case .descending: try cursor.retreat()
      }
    }
    return count
  }

  /// Returns the number of rows of the table in this transaction.
  public func count(_ table: Table) throws(StorageError) -> Int {
    try root(table, table.keyKind).rows
  }

  /// Throws `tooManyVersions` if more than `limit` versions would be readable after a commit at this moment. Nothing is
  /// changed. For a caller that refuses transactions when they begin, in place of the option of the database, which
  /// refuses commits.
  public func checkVersionLimit(_ limit: Int) throws(StorageError) {
    try writer.pointee.checkVersionLimit(limit)
  }

  /// Commits: ends the transaction and makes its changes visible, and durable under `Durability.full`. After an error
  /// it has ended without them. A transaction without changes creates a version too.
  public func commit() throws(StorageError) {
    guard var access = end() else { throw Self.ended }
    try database.commit(&access.writer)
    database.idleThread?.commitDidEnd()
  }

  /// Rolls back: ends the transaction without its changes. No effect if it has ended.
  public func rollBack() {
    _ = end()
  }
}
