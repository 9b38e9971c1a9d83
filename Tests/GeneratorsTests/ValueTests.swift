// Values have the asked size, repeat with their seed, and are noise.
import Generators
import Testing

@Suite("Values and sizes")
struct ValueTests {
  private static func bytes(_ source: ValueSource, _ size: Int) -> [UInt8] {
    source.withValue(size: size) { Array($0) }
  }

  @Test("the first 1000 values are the same on every platform")
  func golden() {
    let source = ValueSource(seed: 1, label: "writer")
    let numbers = (0..<1000).flatMap { Self.bytes(source, $0 * 7 % 500) }.map(UInt64.init)
    #expect(digest(numbers) == 14_725_402_819_578_929_160)
  }

  @Test(
    "a value has every size, also beyond the pool",
    arguments: [0, 1, 7, 8, 9, 256, 4097, 32_768, 32_769, 200_000])
  func sizes(size: Int) {
    let source = ValueSource(seed: 1, label: "sizes")
    #expect(Self.bytes(source, size).count == size)
    #expect(Self.bytes(source, 10).count == 10)
  }

  @Test("values differ from each other, and each byte value comes up as often as in noise")
  func noise() {
    let source = ValueSource(seed: 2, label: "noise")
    var seen: Set<[UInt8]> = []
    var counts = [Int](repeating: 0, count: 256)
    for _ in 0..<2000 {
      let value = Self.bytes(source, 256)
      seen.insert(value)
      for byte in value { counts[Int(byte)] += 1 }
    }
    #expect(seen.count == 2000)
    // 2000 expected of each; the pool's own spread, sampled over and over, is about 6 %.
    #expect(counts.allSatisfy { abs($0 - 2000) < 600 }, "\(counts)")
  }

  @Test("a value has no run of a byte that a compressor could use")
  func incompressible() {
    let source = ValueSource(seed: 3, label: "runs")
    for _ in 0..<200 {
      let value = Self.bytes(source, 1024)
      // Of 256 possible bytes, 1024 draws leave about 5 out.
      #expect(Set(value).count > 230)
    }
  }

  @Test("fill gives what withValue gives")
  func fill() {
    let first = ValueSource(seed: 4, label: "fill")
    let second = ValueSource(seed: 4, label: "fill")
    var buffer = [UInt8](repeating: 0, count: 300)
    buffer.withUnsafeMutableBytes { first.fill($0) }
    #expect(buffer == Self.bytes(second, 300))
  }

  @Test("fixed sizes are fixed; uniform sizes take both ends and nothing outside")
  func sizeChooser() {
    var fixed = SizeChooser(.fixed(256), seed: 1, label: "x")
    #expect((0..<10).allSatisfy { _ in fixed.next() == 256 })
    var uniform = SizeChooser(.uniform(low: 3, high: 6), seed: 1, label: "x")
    #expect(Set((0..<200).map { _ in uniform.next() }) == [3, 4, 5, 6])
    #expect(SizeDistribution.uniform(low: 3, high: 6).mean == 4.5)
    #expect(SizeDistribution.uniform(low: 3, high: 6).greatest == 6)
  }
}
