// Sets of small numbers as bitmaps with bitmaps above them: a bit of a level tells whether a word of the level below has any
// bit set. So the next number of a set is found in as many steps as there are levels: one up to 64 numbers, three up to
// 262,144.

/// The layout that bitmaps of one capacity share; their words are elsewhere.
struct BitmapTree {
  /// The numbers of a set are below it: a power of 2, or 0, for sets that are empty and have no words.
  let capacity: Int
  /// The number of words of a set.
  let wordCount: Int
  private let levelCount: Int

  init(capacity: Int) {
    precondition(
      capacity >= 0 && capacity & (capacity - 1) == 0, "The capacity of a set is a power of 2.")
    self.capacity = capacity
    var words = capacity > 0 ? max(1, capacity / 64) : 0
    var (total, levels) = (words, 1)
    while words > 1 {
      words = (words + 63) / 64
      (total, levels) = (total + words, levels + 1)
    }
    (wordCount, levelCount) = (total, levels)
  }

  typealias Words = UnsafeMutablePointer<UInt64>

  @inline(__always)
  func contains(_ number: Int, in words: Words) -> Bool {
    words[number &>> 6] &>> UInt64(truncatingIfNeeded: number) & 1 != 0
  }

  func isEmpty(_ words: Words) -> Bool { words[wordCount - 1] == 0 }

  // Changes go through all levels, without a branch that depends on a word: such words are mostly not in the cache, and
  // half of the branches would be mispredicted.

  @inline(__always)
  func insert(_ number: Int, in words: Words) {
    assert(number >= 0 && number < capacity, "A number is below the capacity.")
    words[number &>> 6] |= Self.bit(number)
    var (number, start, count) = (number &>> 6, capacity &>> 6, capacity &>> 6)
    while count > 1 {
      words[start &+ number &>> 6] |= Self.bit(number)
      count = (count &+ 63) &>> 6
      (number, start) = (number &>> 6, start &+ count)
    }
  }

  @inline(__always)
  func remove(_ number: Int, in words: Words) {
    assert(number >= 0 && number < capacity, "A number is below the capacity.")
    var left = words[number &>> 6] & ~Self.bit(number)
    words[number &>> 6] = left
    var (number, start, count) = (number &>> 6, capacity &>> 6, capacity &>> 6)
    while count > 1 {
      // All bits set if nothing is left.
      let isEmpty = (left | (0 &- left)) &>> 63 &- 1
      left = words[start &+ number &>> 6] & ~(Self.bit(number) & isEmpty)
      words[start &+ number &>> 6] = left
      count = (count &+ 63) &>> 6
      (number, start) = (number &>> 6, start &+ count)
    }
  }

  @inline(__always)
  private static func bit(_ number: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: number)
  }

  // MARK: Search

  /// Returns the least number of the set that is not less than `number`.
  @inline(__always)
  func first(from number: Int, in words: Words) -> Int? {
    guard number < capacity else { return nil }
    let bits = words[number &>> 6] & (~0 &<< UInt64(truncatingIfNeeded: number))
    if bits != 0 { return number & ~63 | bits.trailingZeroBitCount }
    return levelCount > 1 ? firstAbove(number &>> 6 &+ 1, in: words) : nil
  }

  /// Returns the least number of the set in the words from this one on.
  private func firstAbove(_ word: Int, in words: Words) -> Int? {
    var (number, level) = (word, 1)
    while level < levelCount, number < count(level - 1) {
      let bits =
        words[start(level) + number &>> 6] & (~0 &<< UInt64(truncatingIfNeeded: number))
      if bits != 0 {
        number = number & ~63 | bits.trailingZeroBitCount
        while level > 0 {
          level -= 1
          number = number &<< 6 | words[start(level) + number].trailingZeroBitCount
        }
        return number
      }
      (number, level) = (number &>> 6 + 1, level + 1)
    }
    return nil
  }

  /// Returns the greatest number of the set that is not greater than `number`, which may be -1.
  @inline(__always)
  func last(upTo number: Int, in words: Words) -> Int? {
    guard number >= 0 else { return nil }
    assert(number < capacity, "A number is below the capacity.")
    let bits = words[number &>> 6] & (~0 &>> UInt64(truncatingIfNeeded: 63 &- number & 63))
    if bits != 0 { return (number & ~63) &+ (63 &- bits.leadingZeroBitCount) }
    return levelCount > 1 ? lastBelow(number &>> 6 &- 1, in: words) : nil
  }

  /// Returns the greatest number of the set in the words up to this one.
  private func lastBelow(_ word: Int, in words: Words) -> Int? {
    var (number, level) = (word, 1)
    while level < levelCount, number >= 0 {
      let bits =
        words[start(level) + number &>> 6] & (~0 &>> UInt64(truncatingIfNeeded: 63 - number & 63))
      if bits != 0 {
        number = (number & ~63) + (63 - bits.leadingZeroBitCount)
        while level > 0 {
          level -= 1
          number = number &<< 6 + (63 - words[start(level) + number].leadingZeroBitCount)
        }
        return number
      }
      (number, level) = (number &>> 6 - 1, level + 1)
    }
    return nil
  }

  /// Returns the number of words of a level.
  private func count(_ level: Int) -> Int {
    var count = capacity / 64
    for _ in 0..<level { count = (count + 63) / 64 }
    return count
  }

  /// Returns the index of the first word of a level.
  private func start(_ level: Int) -> Int {
    var (start, count) = (0, capacity / 64)
    for _ in 0..<level {
      start += count
      count = (count + 63) / 64
    }
    return start
  }
}
