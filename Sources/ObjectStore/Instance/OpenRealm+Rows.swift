// Rows as the instance sees them: in its transaction where it writes, in its snapshot else.
import Foundation
import StorageEngine

/// The key of a row: a whole number, or ordered bytes.
enum RowKey: Hashable, Sendable {
  case int(Int64)
  case bytes([UInt8])
}

extension OpenRealm {
  /// Gives the row's bytes to `body`; false where there is none.
  @inline(__always)
  func get(
    _ table: Table, _ key: RowKey, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    if let writing {
      switch key {
      case .int(let key): return try writing.get(table, key, body)
      case .bytes(let key):
        return try withBytes(key) { (key) throws(StorageError) in
          try writing.get(table, key, body)
        }
      }
    }
    let snapshot = try snapshot()
    switch key {
    case .int(let key): return try snapshot.get(table, key, body)
    case .bytes(let key):
      return try withBytes(key) { (key) throws(StorageError) in
        try snapshot.get(table, key, body)
      }
    }
  }

  /// Gives the rows in key order to `body`, which answers whether it wants more, from `first` on. `body` may change the
  /// table: it is called between looks of some rows each.
  func scan(
    _ table: Table, from first: RowKey? = nil,
    _ body: (RowKey, UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) {
    let portion = 256
    var wantsMore = true
    var next = first
    while wantsMore {
      var last: RowKey?
      let seen = try scanPortion(table, from: next, limit: portion) { key, value in
        guard wantsMore else { return }
        wantsMore = body(key, value)
        last = key
      }
      guard seen == portion, let last, let following = last.following else { return }
      next = following
    }
  }

  private func scanPortion(
    _ table: Table, from first: RowKey?, limit: Int,
    _ body: (RowKey, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    if table.keyKind == .int64 {
      var key = Int64.min
      if case .int(let first)? = first { key = first }
      if let writing {
        return try writing.scan(table, from: key, limit: limit) { body(.int($0), $1) }
      }
      return try snapshot().scan(table, from: key, limit: limit) { body(.int($0), $1) }
    }
    var key: [UInt8] = []
    if case .bytes(let first)? = first { key = first }
    return try withBytes(key) { (key) throws(StorageError) in
      if let writing {
        return try writing.scan(table, from: key, limit: limit) { body(.bytes(Array($0)), $1) }
      }
      return try snapshot().scan(table, from: key, limit: limit) { body(.bytes(Array($0)), $1) }
    }
  }

  func count(_ table: Table) throws(StorageError) -> Int {
    if let writing { return try writing.count(table) }
    return try snapshot().count(table)
  }
}

extension RowKey {
  /// The least key after this one; nil where there is none.
  fileprivate var following: RowKey? {
    switch self {
    case .int(let key): key == .max ? nil : .int(key + 1)
    case .bytes(let key): .bytes(key + [0])
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

/// The standard library's `withUnsafeBytes` does not pass a typed error on.
@inline(__always)
func withBytes<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
) throws(StorageError) -> Result {
  try bytes.span.withUnsafeBytes { (raw) throws(StorageError) in try body(raw) }
}
