// Random choices that a failing test can make again: the seed is printed with each failure, and `SEED=` sets it.
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SplitMix64: small, and the same stream on every platform.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  /// What the stream began with.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True once in `times`.
  package mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }

  /// This many arbitrary bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    var made: [UInt8] = []
    made.reserveCapacity(count)
    while made.count + 8 <= count {
      withUnsafeBytes(of: next()) { made.append(contentsOf: $0) }
    }
    while made.count < count { made.append(UInt8(truncatingIfNeeded: next())) }
    return made
  }
}

/// The seed of this test run: `$SEED` where it is set, else `usual`.
package func testSeed(_ usual: UInt64 = 1) -> UInt64 {
  getenv("SEED").flatMap { UInt64(String(cString: $0)) } ?? usual
}
