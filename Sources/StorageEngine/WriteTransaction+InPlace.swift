// Changes that search for their row once: insertion of a new row, and modification of a value in place.

extension WriteTransaction {
  /// Inserts the row if there is none with its key. Returns whether it did; an existing row stays unchanged. An error
  /// ends the transaction without its changes.
  public func insert(
    _ table: Table, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try insert(try index(table, .int64), TreeKey(key), value)
  }

  /// The same for a table with keys of bytes.
  public func insert(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkLength(key)
    return try insert(try index(table, .bytes), TreeKey(key), value)
  }

  private func insert(
    _ table: Int, _ key: TreeKey, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkLength(value: value)
    do throws(StorageError) {
      return try writer.pointee.changes.put(table, key, value, replacing: false)
    } catch {
      rollBack()
      throw error
    }
  }

  /// Calls `body` with the value of the row as mutable bytes, whose number stays the same. Returns false if there is no
  /// such row. The bytes are valid within the call only, and `body` must not use the transaction. An error ends the
  /// transaction without its changes.
  public func change(
    _ table: Table, _ key: Int64, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try change(try index(table, .int64), TreeKey(key), body)
  }

  /// The same for a table with keys of bytes.
  public func change(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try change(try index(table, .bytes), TreeKey(key), body)
  }

  private func change(
    _ table: Int, _ key: TreeKey,
    _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    do throws(StorageError) {
      guard let bytes = try writer.pointee.changes.mutableValue(table, key) else { return false }
      body(bytes)
      return true
    } catch {
      rollBack()
      throw error
    }
  }

  /// Whether the bytes that `get` and `scan` pass to their closures stay valid until the next change in this
  /// transaction, or its end. See `Snapshot.hasStableValues`.
  public var hasStableValues: Bool {
    get throws(StorageError) { try writer.pointee.context.base.encryptedFile == nil }
  }
}
