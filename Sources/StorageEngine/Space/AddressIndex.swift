// The free extents in the order of their addresses. The file is divided in segments of one length, and each has the extents
// that begin in it in one array, so that an offset leads to its array without a search. An extent is a word of 32 bits: its
// offset within the segment, in granules, above its size in granules. Segments are so long that most arrays are one or two
// cache lines; with more extents the index is made anew with shorter ones.
import SystemIO

struct AddressIndex: ~Copyable {
  /// A position in the order; valid until the next change.
  struct Position: Equatable {
    fileprivate(set) var segment: Int
    fileprivate(set) var index: Int
  }

  // Not private, for the reason stated at SizeIndex.Word.
  struct Segment {
    /// The extents, and `padding` up to the capacity; nil if there is none. The first line of them is in the table.
    var words: UnsafeMutablePointer<Int32>?
    var count: Int32
    var capacity: Int32
  }

  /// Behind all words of a segment.
  static let padding = Int32.max
  /// The number of words that are compared without a branch, one cache line of them.
  static let lineCapacity = 16
  private static let lineSize = lineCapacity * MemoryLayout<Int32>.stride
  /// The number of segments: a power of 2.
  let segmentCount: Int
  let shift: Int
  /// The bits of a word that have the size. All set: the size is in `long`.
  let sizeBits: Int
  private let table: RawBuffer
  let occupied: BitmapTree
  /// The extents whose sizes do not fit into a word.
  var long = OrderedIndex<Extent>()
  var count = 0
  /// The number of extents from which on segments should be shorter.
  let crowdedCount: Int
  private let passedByAddress = PassedByAddress()

  /// Creates an index of extents that begin below `end`, with segments for about `expected` extents: of few, which a file
  /// has when it is opened, the tables are small.
  init(covering end: Int, expecting expected: Int) {
    let segmentation = Segmentation(covering: end, expecting: expected)
    segmentCount = segmentation.count
    shift = segmentation.shift
    crowdedCount = segmentation.isFinest ? Int.max : segmentation.count * Self.lineCapacity
    sizeBits = Int32.bitWidth - 1 - (shift - Layout.granule.trailingZeroBitCount)
    occupied = BitmapTree(capacity: segmentCount)
    let zeros =
      segmentCount * MemoryLayout<Segment>.stride
      + occupied.wordCount * MemoryLayout<UInt64>.stride
    // Lines become words when their segment has one.
    table = RawBuffer(
      zeros: zeros, behind: segmentCount * Self.lineSize, alignment: Self.lineSize)
  }

  deinit {
    var next = occupied.first(from: 0, in: occupiedWords)
    while let segment = next {
      free(segments[segment])
      next = occupied.first(from: segment + 1, in: occupiedWords)
    }
  }

  /// Frees the words of a segment that are not in the table.
  func free(_ segment: Segment) {
    if segment.capacity > Self.lineCapacity { segment.words?.deallocate() }
  }

  /// Returns the line of words in the table that a segment has.
  @inline(__always)
  func line(of segment: Int) -> UnsafeMutablePointer<Int32> {
    table.start.assumingMemoryBound(to: Int32.self) + segment &* Self.lineCapacity
  }

  @inline(__always)
  var segments: UnsafeMutablePointer<Segment> {
    (table.start + segmentCount &* Self.lineSize).assumingMemoryBound(to: Segment.self)
  }

  @inline(__always)
  var occupiedWords: BitmapTree.Words {
    UnsafeMutableRawPointer(segments + segmentCount).assumingMemoryBound(to: UInt64.self)
  }

  /// The offset up to which extents can be inserted.
  var coveredEnd: Int { segmentCount &<< shift }

  // MARK: Words

  /// Returns the segment in which an extent at this offset begins.
  @inline(__always)
  func segment(_ offset: Int) -> Int { offset &>> shift }

  /// The size in a word, which means that the true one is in `long`.
  @inline(__always)
  var longSize: Int { 1 &<< sizeBits &- 1 }

  /// Returns the least word of an extent at this offset.
  @inline(__always)
  func key(_ offset: Int) -> Int32 {
    let granule = (offset & (1 &<< shift &- 1)) / Layout.granule
    return Int32(truncatingIfNeeded: granule &<< sizeBits)
  }

  @inline(__always)
  func encode(_ extent: Extent) -> Int32 {
    key(extent.offset)
      | Int32(truncatingIfNeeded: min(extent.size / Layout.granule, longSize))
  }

  @inline(__always)
  func extent(_ word: Int32, in segment: Int) -> Extent {
    let offset = segment &<< shift &+ Int(word) &>> sizeBits &* Layout.granule
    let size = Int(word) & longSize
    return Extent(offset: offset, size: size < longSize ? size &* Layout.granule : longSize(offset))
  }

  /// Returns the size of an extent that does not fit into a word.
  @inline(never)
  private func longSize(_ offset: Int) -> Int {
    guard let extent = long.element(at: long.lowerBound(offset)), extent.offset == offset else {
      preconditionFailure("The size of a long extent is known (FREE-2).")
    }
    return extent.size
  }

  // MARK: Search

  /// Requests the memory that a change at this offset reads: what is in the table, and once that was requested for many
  /// offsets, the words elsewhere.
  @inline(__always)
  func prefetch(_ offset: Int) {
    let segment = segment(offset)
    if segment < segmentCount { prefetch(segment: segment) }
  }

  @inline(__always)
  func prefetch(segment: Int) {
    UnsafeRawPointer(segments + segment).prefetch()
    UnsafeRawPointer(line(of: segment)).prefetch()
  }

  @inline(__always)
  func prefetchWords(_ offset: Int) {
    let segment = segment(offset)
    guard segment < segmentCount, let words = segments[segment].words else { return }
    // Where extents lie evenly, those around the offset.
    let lines = Int(segments[segment].capacity) / Self.lineCapacity
    let line = (offset & (1 &<< shift &- 1)) &* lines &>> shift
    if lines > 1 { UnsafeRawPointer(words + line &* Self.lineCapacity).prefetch() }
  }

  /// Returns the position of the first extent at or after this offset, or the end.
  @inline(__always)
  func lowerBound(_ offset: Int) -> Position {
    let offset = roundedUp(offset)
    let segment = segment(offset)
    guard segment < segmentCount else { return end }
    UnsafeRawPointer(line(of: segment)).prefetch()
    let found = segments[segment]
    let index = Self.lowerBound(key(offset), in: found)
    return index < found.count
      ? Position(segment: segment, index: index) : beginning(from: segment &+ 1)
  }

  /// Returns the number of words of a segment that are less than `key`, without a branch that depends on them: half of such
  /// branches would be mispredicted. Signs of differences are added up, because the compiler makes branches of comparisons.
  @inline(__always)
  static func lowerBound(_ key: Int32, in segment: Segment) -> Int {
    guard let words = segment.words else { return 0 }
    var start = 0
    var step = Int(segment.capacity)
    while step > lineCapacity {
      step &>>= 1
      let isBefore = (words[start &+ step] &- key) &>> 31
      start &+= step & Int(isBefore)
    }
    var count: Int32 = 0
    for index in 0..<lineCapacity { count &-= (words[start &+ index] &- key) &>> 31 }
    return start &+ Int(count)
  }

  /// Returns the position of the first extent that begins in this segment or a later one, or the end.
  @inline(__always)
  private func beginning(from segment: Int) -> Position {
    let next = occupied.first(from: segment, in: occupiedWords)
    return Position(segment: next ?? segmentCount, index: 0)
  }

  var first: Position { beginning(from: 0) }

  /// The position after the last extent.
  @inline(__always)
  var end: Position { Position(segment: segmentCount, index: 0) }

  var last: Extent? { previous(end).flatMap { element(at: $0) } }

  @inline(__always)
  func element(at position: Position) -> Extent? {
    guard position.segment < segmentCount else { return nil }
    assert(contains(position), "A position is that of an extent, or the end.")
    let words = segments[position.segment].words.unsafelyUnwrapped
    return extent(words[position.index], in: position.segment)
  }

  func contains(_ position: Position) -> Bool {
    position.segment < segmentCount && position.index < segments[position.segment].count
  }

  @inline(__always)
  func next(_ position: Position) -> Position {
    assert(contains(position), "A position that is advanced is in the index.")
    return position.index &+ 1 < segments[position.segment].count
      ? Position(segment: position.segment, index: position.index &+ 1)
      : beginning(from: position.segment &+ 1)
  }

  /// Returns the position before; nil at the first.
  @inline(__always)
  func previous(_ position: Position) -> Position? {
    if position.index > 0 {
      return Position(segment: position.segment, index: position.index &- 1)
    }
    guard let segment = occupied.last(upTo: position.segment &- 1, in: occupiedWords) else {
      return nil
    }
    return Position(segment: segment, index: Int(segments[segment].count) &- 1)
  }
}
