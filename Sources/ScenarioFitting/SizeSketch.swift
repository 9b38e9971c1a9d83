// The sizes of values that were written, in bounded memory: exact below 128 B, above with 64 ranges an octave, so that a
// quantile is within 1.1 % of itself.

package struct SizeSketch: Sendable, Equatable {
  /// So many different sizes are counted exactly; more are no list of sizes.
  static let maxDistinct = 8

  package private(set) var bytes = Moments()
  /// Of the sizes' natural logarithms.
  package private(set) var logarithms = Moments()
  /// Counts by range; as long as the largest size needs, at most 1,728.
  private var bins: [Int] = []
  /// Each size and how often, while there are few.
  package private(set) var distinct: [Int: Int]? = [:]

  package init() {}

  package var count: Int { bytes.count }

  package mutating func add(_ size: Int) {
    bytes.add(size)
    logarithms.add(size > 0 ? naturalLogarithm(Double(size)) : 0)
    let bin = Self.bin(of: size)
    if bin >= bins.count { bins += repeatElement(0, count: bin + 1 - bins.count) }
    bins[bin] += 1
    if distinct != nil {
      distinct?[size, default: 0] += 1
      if distinct?.count ?? 0 > Self.maxDistinct { distinct = nil }
    }
  }

  package mutating func merge(_ other: Self) {
    bytes.merge(other.bytes)
    logarithms.merge(other.logarithms)
    if other.bins.count > bins.count {
      bins += repeatElement(0, count: other.bins.count - bins.count)
    }
    for (bin, count) in other.bins.enumerated() { bins[bin] += count }
    guard let more = other.distinct, distinct != nil else {
      distinct = nil
      return
    }
    distinct?.merge(more, uniquingKeysWith: +)
    if distinct?.count ?? 0 > Self.maxDistinct { distinct = nil }
  }

  /// The largest size of each range that was counted, and the share of all sizes up to it.
  package var cumulative: [(size: Int, share: Double)] {
    var sum = 0
    return bins.indices.filter { bins[$0] > 0 }.map { bin in
      sum += bins[bin]
      return (min(Self.end(of: bin) - 1, Int(bytes.max)), Double(sum) / Double(count))
    }
  }

  /// The ranges that were counted: the sizes, and the share of all sizes below and up to them.
  var steps: [(low: Int, high: Int, below: Double, upTo: Double)] {
    var below = 0.0
    var low = 0
    return bins.indices.compactMap { bin in
      defer { low = Self.end(of: bin) }
      guard bins[bin] > 0 else { return nil }
      let upTo = below + Double(bins[bin]) / Double(count)
      defer { below = upTo }
      return (
        max(low, Int(bytes.min)), min(Self.end(of: bin) - 1, Int(bytes.max)), below, upTo
      )
    }
  }

  /// Returns the smallest size with at least this share of all sizes up to it, as exact as the ranges are.
  package func quantile(_ share: Double) -> Int {
    cumulative.first { $0.share >= share - 1e-12 }?.size ?? Int(bytes.max)
  }

  /// Returns the greatest distance of the two distribution functions (Kolmogorov, Smirnov).
  package func distance(to other: Self) -> Double {
    let length = max(bins.count, other.bins.count)
    var (own, others, greatest) = (0, 0, 0.0)
    for bin in 0..<length {
      own += bin < bins.count ? bins[bin] : 0
      others += bin < other.bins.count ? other.bins[bin] : 0
      let distance = Double(own) / Double(count) - Double(others) / Double(other.count)
      greatest = max(greatest, abs(distance))
    }
    return greatest
  }

  private static func bin(of size: Int) -> Int {
    guard size >= 128 else { return max(0, size) }
    let octave = Int.bitWidth - 1 - size.leadingZeroBitCount
    return 128 + (octave - 7) * 64 + (size >> (octave - 6)) & 63
  }

  /// Returns the size at which the range after `bin` begins.
  private static func end(of bin: Int) -> Int {
    guard bin >= 128 else { return bin + 1 }
    let (octave, part) = (bin - 128).quotientAndRemainder(dividingBy: 64)
    return (64 + part + 1) << (octave + 1)
  }
}
