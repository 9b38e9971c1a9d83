// A key that owns its bytes, unlike `Key`, which borrows them.

struct OwnedKey: Equatable {
  var number: Int64 = 0
  var bytes: [UInt8] = []

  init(number: Int64) { self.number = number }
  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ key: TreeKey) {
    number = key.number
    bytes = Array(key.bytes)
  }

  func isBelow(_ other: OwnedKey, _ kind: KeyKind) -> Bool {
    withKey(kind) { key in other.withKey(kind) { key < $0 } }
  }

  func withKey<R>(_ kind: KeyKind, _ body: (TreeKey) -> R) -> R {
    guard kind == .bytes else { return body(TreeKey(number)) }
    return bytes.withUnsafeBytes { body(TreeKey($0)) }
  }

  func withKeyThrowing<R>(
    _ kind: KeyKind, _ body: (TreeKey) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    guard kind == .bytes else { return try body(TreeKey(number)) }
    return try bytes.withBytes { (bytes) throws(StorageError) in try body(TreeKey(bytes)) }
  }
}
