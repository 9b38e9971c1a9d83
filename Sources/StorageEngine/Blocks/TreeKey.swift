// A key of a row, of either kind, and the order of keys.

/// A borrowed key of either kind.
struct TreeKey {
  let kind: KeyKind
  var number: Int64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  @inline(__always)
  init(_ number: Int64) {
    kind = .int64
    self.number = number
  }

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    kind = .bytes
    self.bytes = bytes
  }

  static func < (a: TreeKey, b: TreeKey) -> Bool {
    a.kind == .int64 ? a.number < b.number : compare(a.bytes, b.bytes) < 0
  }

  /// Compares lexicographically: negative, zero or positive as for `memcmp`, with a prefix before the longer string.
  @inline(__always)
  static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let common = min(a.count, b.count)
    var index = 0
    while index &+ 8 <= common {
      let left = UInt64(bigEndian: a.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let right = UInt64(bigEndian: b.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      if left != right { return left < right ? -1 : 1 }
      index &+= 8
    }
    while index < common {
      if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
      index &+= 1
    }
    return a.count &- b.count
  }
}
