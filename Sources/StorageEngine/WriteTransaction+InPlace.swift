// Changes that look for their row once: a row that must be new, and bytes that are changed where they are.

extension WriteTransaction {
  /// Inserts the row where there is none with its key; answers whether it did. What is there stays as it is. An error here
  /// ends the transaction without its changes.
  public func insert(
    _ table: Table, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try insert(try root(table, .int64), Key(key), value)
  }

  public func insert(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkLength(key)
    return try insert(try root(table, .bytes), Key(key), value)
  }

  private func insert(
    _ root: UnsafeMutablePointer<TableRoot>, _ key: Key, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    try checkLength(value: value)
    do throws(StorageError) {
      return try store.writer.pointee.tree.put(root, key, value, replacing: false)
    } catch {
      rollBack()
      throw error
    }
  }

  /// Gives the bytes of a row to `body`, which may change them, though not how many they are; answers whether there is
  /// such a row. The bytes are valid within the call only, and nothing else is done with the transaction there. An error
  /// here ends it without its changes.
  public func change(
    _ table: Table, _ key: Int64, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try change(try root(table, .int64), Key(key), body)
  }

  public func change(
    _ table: Table, _ key: UnsafeRawBufferPointer, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try change(try root(table, .bytes), Key(key), body)
  }

  private func change(
    _ root: UnsafeMutablePointer<TableRoot>, _ key: Key,
    _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    do throws(StorageError) {
      guard let bytes = try store.writer.pointee.tree.bytes(root, key) else { return false }
      body(bytes)
      return true
    } catch {
      rollBack()
      throw error
    }
  }

  /// Whether the bytes that `get` and `scan` give stay as they are until the next change in this transaction, or its end.
  /// See `Snapshot.hasStableValues`.
  public var hasStableValues: Bool {
    get throws(StorageError) { try store.writer.pointee.tree.space.view.encryptedFile == nil }
  }
}
