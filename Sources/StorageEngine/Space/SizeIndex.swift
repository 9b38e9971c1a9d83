// The order by size: which extent is the smallest that is large enough, and among those of one size the lowest.

/// An extent by its size, counted in some unit, and its offset.
struct SizedOffset: Equatable {
  var size: Int
  var offset: Int
}

/// A set of sizes and offsets, ordered by size and then by offset. An entry is one word, so that a search compares one:
/// 24 bits of size above 39 bits of offset in granules. The few that do not fit are in a list of their own, after all
/// others.
struct SizeIndex: ~Copyable {
  // Not private: for a private type in a noncopyable one, debug builds of Swift 6.3 emit metadata that does not link.
  struct Word: Ordered {
    var key: Int

    @inline(__always)
    init(_ size: Int, _ offset: Int) {
      key = size &<< SizeIndex.offsetBits | offset / Layout.granule
    }

    @inline(__always)
    private init(key: Int) { self.key = key }

    @inline(__always) static var last: Word { Word(key: Int.max) }

    @inline(__always) var entry: SizedOffset {
      SizedOffset(
        size: key &>> SizeIndex.offsetBits,
        offset: (key & (1 << SizeIndex.offsetBits - 1)) &* Layout.granule)
    }
  }

  fileprivate static let offsetBits = 39
  /// Sizes from here on are in the list: 128 MiB if the unit is a granule, 64 GiB if it is a page.
  static let largeSize = 1 << 24

  /// A position in the order; valid until the next change.
  struct Position {
    fileprivate var word: OrderedIndex<Word>.Position
    fileprivate var large: Int
  }

  private var words = OrderedIndex<Word>()
  private var large = UniqueList<SizedOffset>()

  var count: Int { words.count + large.count }

  /// Returns the position of the first entry that is not less, or the end.
  @inline(__always)
  func lowerBound(size: Int, offset: Int = 0) -> Position {
    guard size < Self.largeSize else { return largeLowerBound(size, offset) }
    return Position(word: words.lowerBound(Word(size, offset).key), large: 0)
  }

  @inline(never)
  private func largeLowerBound(_ size: Int, _ offset: Int) -> Position {
    var index = 0
    while index < large.count, (large[index].size, large[index].offset) < (size, offset) {
      index += 1
    }
    return Position(word: words.end, large: index)
  }

  @inline(__always)
  func entry(at position: Position) -> SizedOffset? {
    if let word = words.element(at: position.word) { return word.entry }
    return position.large < large.count ? large[position.large] : nil
  }

  @inline(__always)
  func next(_ position: Position) -> Position {
    guard words.element(at: position.word) == nil else {
      return Position(word: words.next(position.word), large: 0)
    }
    return Position(word: position.word, large: position.large &+ 1)
  }

  func contains(size: Int, offset: Int) -> Bool {
    entry(at: lowerBound(size: size, offset: offset)) == SizedOffset(size: size, offset: offset)
  }

  /// The largest entry, the highest among equals.
  var last: SizedOffset? { large.isEmpty ? words.last?.entry : large[large.count - 1] }

  @inline(__always)
  mutating func insert(size: Int, offset: Int) {
    guard size < Self.largeSize else {
      let index = largeLowerBound(size, offset).large
      return large.insert(SizedOffset(size: size, offset: offset), at: index)
    }
    words.insert(Word(size, offset))
  }

  @inline(__always)
  mutating func remove(at position: Position) {
    if words.element(at: position.word) != nil {
      words.remove(at: position.word)
    } else {
      _ = large.remove(at: position.large)
    }
  }

  @inline(__always)
  mutating func remove(size: Int, offset: Int) {
    guard size < Self.largeSize else {
      let position = largeLowerBound(size, offset)
      precondition(
        entry(at: position) == SizedOffset(size: size, offset: offset), Self.disagreement)
      return remove(at: position)
    }
    let word = Word(size, offset)
    let position = words.lowerBound(word.key)
    precondition(words.element(at: position)?.key == word.key, Self.disagreement)
    words.remove(at: position)
  }

  private static var disagreement: String { "The orders of the free extents disagree (FREE-2)." }
}
