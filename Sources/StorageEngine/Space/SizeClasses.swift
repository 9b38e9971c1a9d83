// Which parts of a file have free extents of a size: for each size below a page a set of segments, as bits. An extent that
// comes or goes changes one bit, where an order by size would be searched and moved; nearly all free extents are so short.
// Lists by size (segregated fits) find an extent of the size as fast, but not the lowest one behind an offset.

struct SizeClasses: ~Copyable {
  /// Sizes in granules are below it: those of extents shorter than a page.
  static let count = Layout.pageSize / Layout.granule

  private let sets: BitmapTree
  private let buffer: RawBuffer
  /// The sizes whose sets are not empty.
  private let sizes: BitmapTree

  init(segments capacity: Int) {
    sets = BitmapTree(capacity: capacity)
    sizes = BitmapTree(capacity: capacity > 0 ? Self.count : 0)
    buffer = RawBuffer(
      zeros: (Self.count * sets.wordCount + sizes.wordCount) * MemoryLayout<UInt64>.size)
  }

  @inline(__always)
  private func words(_ size: Int) -> BitmapTree.Words {
    buffer.start.assumingMemoryBound(to: UInt64.self) + size &* sets.wordCount
  }

  @inline(__always)
  private var sizeWords: BitmapTree.Words { words(Self.count) }

  func contains(_ size: Int, in segment: Int) -> Bool {
    sets.contains(segment, in: words(size))
  }

  /// Notes that a segment has an extent of `size` granules.
  @inline(__always)
  mutating func insert(_ size: Int, in segment: Int) {
    sets.insert(segment, in: words(size))
    sizes.insert(size, in: sizeWords)
  }

  /// Notes that a segment no longer has an extent of `size` granules.
  @inline(__always)
  mutating func remove(_ size: Int, in segment: Int) {
    sets.remove(segment, in: words(size))
    if sets.isEmpty(words(size)) { sizes.remove(size, in: sizeWords) }
  }

  /// Returns the first segment, from this one on, that has an extent of `size` granules.
  @inline(__always)
  func firstSegment(_ size: Int, from segment: Int) -> Int? {
    sets.first(from: segment, in: words(size))
  }

  /// Returns the last segment that has an extent of `size` granules.
  func lastSegment(_ size: Int) -> Int? {
    sets.last(upTo: sets.capacity - 1, in: words(size))
  }

  /// Returns the least size of an extent that is not less than `size` granules.
  @inline(__always)
  func firstSize(from size: Int) -> Int? { sizes.first(from: size, in: sizeWords) }

  /// The greatest size of an extent.
  var lastSize: Int? { sizes.last(upTo: sizes.capacity - 1, in: sizeWords) }
}
