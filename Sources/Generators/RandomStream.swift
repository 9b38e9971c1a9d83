// Random numbers that are the same on every platform, with an independent stream for each client: xoshiro256** (Blackman
// and Vigna, 2018), its state filled by SplitMix64 as its authors advise. Integers only.

/// An endless stream of random bits, determined by its seed.
package struct RandomStream: RandomNumberGenerator, Hashable, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  package init(seed: UInt64) {
    var mixer = SplitMix64(state: seed)
    state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
  }

  /// The stream of one user of a seed, by its name and number. Streams of different users are independent of each
  /// other, so a client that draws more or less changes no other client's numbers.
  package init(seed: UInt64, label: String, index: Int = 0) {
    // FNV-1a over the label, its length and the index; SplitMix64 then spreads what differs over all bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for byte in label.utf8 { take(byte) }
    for number in [UInt64(label.utf8.count), UInt64(bitPattern: Int64(index))] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        take(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    var seeds = SplitMix64(state: seed)
    var names = SplitMix64(state: hash)
    self.init(seed: seeds.next() ^ names.next())
  }

  /// 64 random bits.
  package mutating func next() -> UInt64 {
    let result = (state.1 &* 5).rotated(by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3.rotated(by: 45)
    return result
  }

  /// A number in 0 ..< bound, each as likely as the other (Lemire, "Fast Random Integer Generation in an Interval",
  /// 2019).
  package mutating func next(below bound: Int) -> Int {
    precondition(bound > 0, "a number below \(bound) was asked for, and there is none")
    let range = UInt64(bound)
    var product = next().multipliedFullWidth(by: range)
    if product.low < range {
      // 2^64 mod range: so many low parts would come up once too often.
      let surplus = (0 &- range) % range
      while product.low < surplus { product = next().multipliedFullWidth(by: range) }
    }
    return Int(product.high)
  }

  /// A number in the range, each as likely as the other.
  package mutating func next(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + next(below: range.count)
  }

  /// Puts the elements in a random order, each as likely as the other (Fisher and Yates, from the end).
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, next(below: last + 1))
    }
  }

  package static func == (a: Self, b: Self) -> Bool { a.state == b.state }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(state.0)
    hasher.combine(state.1)
    hasher.combine(state.2)
    hasher.combine(state.3)
  }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension UInt64 {
  @inline(__always)
  fileprivate func rotated(by bits: UInt64) -> UInt64 { (self << bits) | (self >> (64 - bits)) }
}
