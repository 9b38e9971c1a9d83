// The checksum of every structure in the file: 64 bits, four multiplying lanes. It detects torn writes, flipped bits
// and stale blocks (the seed is the version that wrote the block). It is not cryptographic.

enum Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  /// Each step is a bijection of its lane, so a change within one word always changes the lane's result.
  @inline(__always)
  private static func step(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (lane ^ word) &* prime1
    return mixed ^ (mixed >> 29)
  }

  /// Returns the checksum of `count` bytes, a multiple of 8.
  static func of(_ bytes: UnsafeRawPointer, count: Int, seed: UInt64) -> UInt64 {
    assert(count & 7 == 0, "A checksum covers whole granules.")
    var a = seed &+ prime1
    var b = seed ^ prime2
    var c = seed &* prime2
    var d = ~seed
    var offset = 0
    let quads = count & ~31
    while offset < quads {
      a = step(a, bytes.u64(offset))
      b = step(b, bytes.u64(offset &+ 8))
      c = step(c, bytes.u64(offset &+ 16))
      d = step(d, bytes.u64(offset &+ 24))
      offset &+= 32
    }
    while offset < count {
      a = step(a, bytes.u64(offset))
      (a, b, c, d) = (b, c, d, a)
      offset &+= 8
    }
    var sum = UInt64(truncatingIfNeeded: count) &* prime2
    sum = fold(fold(fold(fold(sum, a), b), c), d)
    return sum ^ (sum >> 32)
  }

  @inline(__always)
  private static func fold(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
    let mixed = step(sum, lane)
    return ((mixed << 23) | (mixed >> 41)) &* prime2
  }
}
