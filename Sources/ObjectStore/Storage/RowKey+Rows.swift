// The engine's operations by the key of a row.
import StorageEngine

extension WriteTransaction {
  func put(_ table: Table, _ key: RowKey, _ value: [UInt8]) throws(StorageError) {
    try withBytes(value) { (value) throws(StorageError) in try put(table, key, value) }
  }

  @inline(__always)
  func put(_ table: Table, _ key: RowKey, _ value: UnsafeRawBufferPointer) throws(StorageError) {
    switch key {
    case .int(let key): try put(table, key, value)
    case .bytes(let key):
      try withBytes(key) { (key) throws(StorageError) in try put(table, key, value) }
    }
  }

  @inline(__always)
  func insert(
    _ table: Table, _ key: RowKey, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    switch key {
    case .int(let key): return try insert(table, key, value)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in try insert(table, key, value) }
    }
  }

  @inline(__always)
  func change(
    _ table: Table, _ key: RowKey, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    switch key {
    case .int(let key): return try change(table, key, body)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in try change(table, key, body) }
    }
  }

  @discardableResult
  func delete(_ table: Table, _ key: RowKey) throws(StorageError) -> Bool {
    switch key {
    case .int(let key): return try delete(table, key)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in try delete(table, key) }
    }
  }

  func get(
    _ table: Table, _ key: RowKey, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    switch key {
    case .int(let key): return try get(table, key, body)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in try get(table, key, body) }
    }
  }

  func value(_ table: Table, _ key: RowKey) throws(StorageError) -> [UInt8]? {
    var found: [UInt8]?
    _ = try get(table, key) { found = Array($0) }
    return found
  }
}

extension Snapshot {
  /// Calls `body` with the row's bytes; returns false if there is no such row.
  func get(
    _ table: Table, _ key: RowKey, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    switch key {
    case .int(let key): return try get(table, key, body)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in try get(table, key, body) }
    }
  }
}

/// Calls `body` with the bytes. (The standard library's `withUnsafeBytes` does not pass on a typed error.)
@inline(__always)
func withBytes<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
) throws(StorageError) -> Result {
  try bytes.span.withUnsafeBytes { (raw) throws(StorageError) in try body(raw) }
}
