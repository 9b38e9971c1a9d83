// Which parts of a file have free extents of a size: for each size below a page a set of segments, as bits. An extent that
// comes or goes changes one bit, where an order by size would be searched and moved; nearly all free extents are so short.
// Lists by size (segregated fits) find an extent of the size as fast, but not the lowest one behind an offset.

struct SizeClasses: ~Copyable {
  /// Sizes in granules are below it: those of extents shorter than a page.
  static let count = Layout.pageSize / Layout.granule

  private let sets: BitmapTree
  /// The sizes whose sets are not empty.
  private let sizes: BitmapTree
  /// The words of `sizes`, then for each size the number of its set among `rows`. Set 0 is empty, and that of all sizes at
  /// first: of few extents, which a file has when it is opened, the sets take little memory.
  private let table: RawBuffer
  private var rows: RawBuffer
  private var rowCount = 1

  init(segments capacity: Int) {
    sets = BitmapTree(capacity: capacity)
    sizes = BitmapTree(capacity: capacity > 0 ? Self.count : 0)
    table = RawBuffer(
      zeros: sizes.wordCount * MemoryLayout<UInt64>.size + Self.count * MemoryLayout<UInt16>.size)
    rows = RawBuffer(zeros: 16 * sets.wordCount * MemoryLayout<UInt64>.size)
  }

  @inline(__always)
  private func words(_ size: Int) -> BitmapTree.Words {
    rows.start.assumingMemoryBound(to: UInt64.self) + Int(rowNumbers[size]) &* sets.wordCount
  }

  @inline(__always)
  private var sizeWords: BitmapTree.Words { table.start.assumingMemoryBound(to: UInt64.self) }

  @inline(__always)
  private var rowNumbers: UnsafeMutablePointer<UInt16> {
    UnsafeMutableRawPointer(sizeWords + sizes.wordCount).assumingMemoryBound(to: UInt16.self)
  }

  /// Gives a size a set of its own.
  @inline(never)
  private mutating func addRow(_ size: Int) {
    let rowSize = sets.wordCount * MemoryLayout<UInt64>.size
    if (rowCount + 1) * rowSize > rows.count {
      let larger = RawBuffer(zeros: 2 * rows.count)
      larger.start.copyMemory(from: rows.start, byteCount: rowCount * rowSize)
      rows = larger
    }
    rowNumbers[size] = UInt16(rowCount)
    rowCount += 1
  }

  func contains(_ size: Int, in segment: Int) -> Bool {
    sets.contains(segment, in: words(size))
  }

  /// Notes that a segment has an extent of `size` granules.
  @inline(__always)
  mutating func insert(_ size: Int, in segment: Int) {
    if rowNumbers[size] == 0 { addRow(size) }
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
