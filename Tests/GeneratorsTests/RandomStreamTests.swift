// Streams repeat, differ by user, and have no bias that a table of frequencies would show.
import Generators
import Testing

/// FNV-1a over the numbers' bytes, lowest first: what golden digests are made of.
func digest(_ numbers: some Sequence<UInt64>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for number in numbers {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      hash = (hash ^ ((number >> shift) & 0xff)) &* 0x100_0000_01b3
    }
  }
  return hash
}

@Suite("RandomStream")
struct RandomStreamTests {
  @Test("the state of seed 0 is SplitMix64's published sequence, run through xoshiro256**")
  func reference() {
    // SplitMix64 from 0 gives e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f, f88bb8a8724c81ec; the first result
    // of xoshiro256** is rotl(s1 * 5, 7) * 9.
    let second: UInt64 = 0x6e78_9e6a_a1b9_65f4
    let product = second &* 5
    var stream = RandomStream(seed: 0)
    #expect(stream.next() == ((product << 7) | (product >> 57)) &* 9)
  }

  // The digests were computed by a second implementation in another language as well.
  @Test("the first 10,000 draws are the same on every platform")
  func golden() {
    var stream = RandomStream(seed: 1)
    #expect(digest((0..<10_000).map { _ in stream.next() }) == 2_551_044_869_049_895_440)
    var named = RandomStream(seed: 1, label: "writer", index: 3)
    #expect(digest((0..<10_000).map { _ in named.next() }) == 2_859_321_762_909_388_355)
    var bounded = RandomStream(seed: 1)
    let numbers = (1...10_000).map { UInt64(bounded.next(below: $0 * 997)) }
    #expect(digest(numbers) == 16_385_161_638_517_183_560)
  }

  @Test("streams of one seed differ by label, by index and by where one ends and the other begins")
  func independence() {
    let users = [("a", 0), ("a", 1), ("b", 0), ("ab", 0), ("", 0), ("a1", 0), ("a", -1)]
    let firsts = users.map { user in
      var stream = RandomStream(seed: 9, label: user.0, index: user.1)
      return stream.next()
    }
    #expect(Set(firsts).count == users.count)
    var other = RandomStream(seed: 10, label: "a")
    #expect(other.next() != firsts[0])
  }

  @Test("numbers below a bound are all possible and equally frequent", arguments: [1, 2, 7, 100])
  func bounded(bound: Int) {
    var stream = RandomStream(seed: 5)
    var counts = [Int](repeating: 0, count: bound)
    for _ in 0..<(10_000 * bound) { counts[stream.next(below: bound)] += 1 }
    // Six standard deviations.
    #expect(counts.allSatisfy { abs($0 - 10_000) <= 600 }, "\(counts)")
  }

  @Test("a bound that does not divide 2^64 favors no number")
  func largeBound() {
    // Without rejection, of three neighbors two would come up three times for each two times of the third.
    var stream = RandomStream(seed: 6)
    var counts = [0, 0, 0]
    for _ in 0..<90_000 { counts[stream.next(below: 3 << 61) % 3] += 1 }
    #expect(counts.allSatisfy { abs($0 - 30_000) <= 850 }, "\(counts)")
  }

  @Test("a range gives both its ends and nothing outside")
  func ranges() {
    var stream = RandomStream(seed: 7)
    let drawn = Set((0..<200).map { _ in stream.next(in: -2...2) })
    #expect(drawn == [-2, -1, 0, 1, 2])
  }

  @Test("a shuffle keeps the elements and gives every order of three alike often")
  func shuffle() {
    var stream = RandomStream(seed: 8)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<60_000 {
      var elements = [1, 2, 3]
      stream.shuffle(&elements)
      counts[elements, default: 0] += 1
    }
    #expect(counts.count == 6)
    #expect(counts.values.allSatisfy { abs($0 - 10_000) <= 600 }, "\(counts)")
    var many = Array(0..<1000)
    stream.shuffle(&many)
    #expect(many != Array(0..<1000))
    #expect(many.sorted() == Array(0..<1000))
  }
}
