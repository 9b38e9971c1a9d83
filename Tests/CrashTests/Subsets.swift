// Which subsets of pending changes reach the disk: all of them if they are few, else those on which commit protocols
// are known to fail.
import TestSupport

enum Subsets {
  /// How many subsets are drawn at random where there are too many for all of them.
  static let drawn = 64

  /// Returns the subsets of `count` changes, oldest first, that are kept: all of them up to `most` changes; above that
  /// every prefix, all but one, one alone, and `drawn` random ones.
  static func telling(of count: Int, upTo most: Int, _ random: inout SeededRandom) -> [[Bool]] {
    if count <= most {
      return (0..<1 << count).map { subset in (0..<count).map { subset >> $0 & 1 == 1 } }
    }
    var subsets = (0...count).map { prefix in (0..<count).map { $0 < prefix } }
    for index in 0..<count {
      subsets.append((0..<count).map { $0 == index })
      subsets.append((0..<count).map { $0 != index })
    }
    for _ in 0..<drawn { subsets.append((0..<count).map { _ in random.oneIn(2) }) }
    return subsets
  }
}
