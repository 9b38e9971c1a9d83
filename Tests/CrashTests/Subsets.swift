// Which of the subsets of some pending changes reach the disk: all of them where they are few, else those that commit
// protocols are known to fail on.
import TestSupport

enum Subsets {
  /// How many subsets are drawn at random where there are too many for all of them.
  static let drawn = 64

  /// Of `count` changes, oldest first, which are kept: all subsets up to `most` changes; above that every prefix, all
  /// but one, one alone, and `drawn` random ones.
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
