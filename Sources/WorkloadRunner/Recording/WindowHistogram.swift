// The latencies of one window of time: a 99th percentile in little memory, since a run has hundreds of windows. Buckets are a
// sixteenth of their latency wide.

struct WindowHistogram {
  private static let parts = 16
  /// Grows to the bucket of the largest latency.
  private var buckets: [UInt32] = []
  private(set) var count = 0
  private(set) var max = 0
  /// When the slowest one ended, in nanoseconds since the repetition began.
  private(set) var maxEnd = 0

  mutating func record(_ nanoseconds: Int, end: Int) {
    let index = Self.bucketIndex(of: nanoseconds)
    if index >= buckets.count {
      buckets.append(contentsOf: repeatElement(0, count: index + 1 - buckets.count))
    }
    buckets[index] += 1
    count += 1
    if nanoseconds >= max { (max, maxEnd) = (nanoseconds, end) }
  }

  mutating func merge(_ other: Self) {
    if other.buckets.count > buckets.count {
      buckets.append(contentsOf: repeatElement(0, count: other.buckets.count - buckets.count))
    }
    for (index, count) in other.buckets.enumerated() { buckets[index] += count }
    count += other.count
    if other.max >= max { (max, maxEnd) = (other.max, other.maxEnd) }
  }

  /// The latency that 99 of 100 do not exceed, or at most a sixteenth more; 0 without any.
  var p99: Int {
    let rank = (count * 99 + 99) / 100
    var below = 0
    for (index, count) in buckets.enumerated() {
      below += Int(count)
      if below >= rank, below > 0 { return min(Self.upperBound(ofBucket: index), max) }
    }
    return 0
  }

  private static func bucketIndex(of value: Int) -> Int {
    guard value >= parts else { return Swift.max(0, value) }
    let exponent = Int.bitWidth - 1 - value.leadingZeroBitCount
    return (exponent - 3) * parts + (value >> (exponent - 4)) % parts
  }

  private static func upperBound(ofBucket index: Int) -> Int {
    guard index >= parts else { return index }
    return (parts + index % parts + 1) << (index / parts - 1) - 1
  }
}
