// The key of a row, and the engine's operations by such a key.
import StorageEngine

/// The key of a row: an integer, or ordered bytes.
enum RowKey: Hashable, Sendable {
  case int(Int64)
  case bytes([UInt8])
}

extension RowKey {
  /// The smallest key after this one; nil for the largest integer.
  var next: RowKey? {
    switch self {
    case .int(let key): key == .max ? nil : .int(key + 1)
    case .bytes(let key): .bytes(key + [0])
    }
  }
}

extension RowKey: Comparable {
  static func < (a: RowKey, b: RowKey) -> Bool {
    switch (a, b) {
    case (.int(let a), .int(let b)): a < b
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    case (.int, .bytes): true
    case (.bytes, .int): false
    }
  }
}

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

  func value(_ table: Table, _ key: RowKey) throws(StorageError) -> [UInt8]? {
    var found: [UInt8]?
    switch key {
    case .int(let key): _ = try get(table, key) { found = Array($0) }
    case .bytes(let key):
      _ = try withBytes(key) { (key) throws(StorageError) in
        try get(table, key) { found = Array($0) }
      }
    }
    return found
  }
}

/// Calls `body` with the bytes. (The standard library's `withUnsafeBytes` does not pass on a typed error.)
@inline(__always)
func withBytes<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
) throws(StorageError) -> Result {
  try bytes.span.withUnsafeBytes { (raw) throws(StorageError) in try body(raw) }
}
