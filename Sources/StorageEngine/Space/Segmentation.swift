// How a file is divided in segments: so that each has a few free extents.

struct Segmentation {
  /// The least and the greatest length of a segment, as powers of 2. The size of an extent that is shorter than a page always
  /// fits into a word.
  private static let bits = 12...24
  /// The numbers of segments that are chosen by the number of extents; very long files have more.
  private static let counts = 16...1 << 13

  private(set) var count: Int
  /// The length of a segment, as a power of 2.
  private(set) var shift = bits.lowerBound
  /// Whether more extents do not lead to more segments.
  var isFinest: Bool { shift == Self.bits.lowerBound || count >= Self.counts.upperBound }

  /// Creates the segments of a file of `end` bytes with about `expected` extents; none for 0 bytes.
  init(covering end: Int, expecting expected: Int) {
    count = end > 0 ? Self.counts.lowerBound : 0
    guard end > 0 else { return }
    while count * AddressIndex.lineCapacity / 2 < expected, count < Self.counts.upperBound {
      count *= 2
    }
    while count << shift < end, shift < Self.bits.upperBound { shift += 1 }
    while count << shift < end { count *= 2 }
  }
}
