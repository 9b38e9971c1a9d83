// A key that owns its bytes, unlike `Key`, which borrows them.

struct OwnedKey: Equatable {
  var number: Int64 = 0
  var bytes: [UInt8] = []

  init(number: Int64) { self.number = number }
  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ key: RowKey) {
    number = key.number
    bytes = Array(key.bytes)
  }

  func isBelow(_ other: OwnedKey, _ kind: KeyKind) -> Bool {
    withKey(kind) { key in other.withKey(kind) { key < $0 } }
  }

  func withKey<R>(_ kind: KeyKind, _ body: (RowKey) -> R) -> R {
    guard kind == .bytes else { return body(RowKey(number)) }
    return bytes.withUnsafeBytes { body(RowKey($0)) }
  }

  func withKeyThrowing<R>(
    _ kind: KeyKind, _ body: (RowKey) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    guard kind == .bytes else { return try body(RowKey(number)) }
    return try bytes.withBytes { (bytes) throws(StorageError) in try body(RowKey(bytes)) }
  }
}
