// A key that outlives the node it was read from: where a walk that was interrupted goes on.

struct StoredKey {
  var number: Int64 = 0
  var bytes: [UInt8] = []

  init(_ key: Key) {
    number = key.number
    bytes = Array(key.bytes)
  }

  func withKey<R>(_ kind: KeyKind, _ body: (Key) -> R) -> R {
    guard kind == .bytes else { return body(Key(number)) }
    return bytes.withUnsafeBytes { body(Key($0)) }
  }
}
