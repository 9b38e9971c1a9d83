// Bytes of a file that may be damaged: every access names its offset and returns nil outside.

struct ByteBlock {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// Returns a number of up to 8 bytes, least significant first; nil outside, or beyond `Int.max`.
  @inline(__always)
  func little(_ offset: Int, _ width: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    var index = width - 1
    while index >= 0 {
      value = value << 8 | UInt64(bytes[offset &+ index])
      index &-= 1
    }
    return Int(exactly: value)
  }

  /// Returns a number of up to 8 bytes, most significant first; nil outside, or beyond `Int.max`.
  @inline(__always)
  func big(_ offset: Int, _ width: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    for index in 0..<width { value = value << 8 | UInt64(bytes[offset &+ index]) }
    return Int(exactly: value)
  }

  /// Returns 8 bytes as they are, least significant first; nil outside.
  func bits(_ offset: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - 8 else { return nil }
    return (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }

  /// Returns the bytes of the range; nil if it is not inside.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count]
  }

  func starts(with mark: [UInt8], at offset: Int) -> Bool {
    slice(offset, mark.count).map { $0.elementsEqual(mark) } ?? false
  }
}
