// Which rows operations fall on, in bounded memory (9 KB): where a row is among the others, and how soon it comes again.

package struct KeySketch: Sendable, Equatable {
  /// Parts of the axis from the oldest row to the newest.
  static let parts = 1000
  /// Operations in which repetitions of a row are counted. A pair of draws falls on the same row with the sum of the squares
  /// of the rows' probabilities, whatever rows are popular and whatever comes and goes between windows.
  static let window = 512

  package private(set) var count = 0
  /// Operations on each part of the axis.
  package private(set) var positions = [Int](repeating: 0, count: parts)
  /// Operations on the row behind that of the operation before, or on the first row after the last.
  package private(set) var steps = 0
  /// Operations on the oldest row.
  package private(set) var oldest = 0
  /// Logarithms of the number of rows, and of the rank from the oldest and from the newest row, counted from 1.
  package private(set) var rows = Moments()
  package private(set) var fromOldest = Moments()
  package private(set) var fromNewest = Moments()
  /// The probability that an operation falls on a given row by chance: one over the number of rows.
  package private(set) var chance = Moments()
  /// Pairs of operations within one window, and those of them that fall on the same row.
  package private(set) var pairs = 0
  package private(set) var equalPairs = 0
  private var previous: Int?
  private var seen: [Int64: Int] = [:]
  private var seenCount = 0

  package init() {}

  /// Adds an operation on the row `key`, which has the rank `rank` from the oldest among `rows`.
  package mutating func add(rank: Int, of rows: Int, key: Int64) {
    count += 1
    positions[min(Self.parts - 1, rank * Self.parts / rows)] += 1
    if rank == 0 { oldest += 1 }
    if let previous, rank == previous + 1 || rank == 0 && previous >= rows - 1 { steps += 1 }
    previous = rank
    self.rows.add(naturalLogarithm(Double(rows)))
    chance.add(1 / Double(rows))
    fromOldest.add(naturalLogarithm(Double(rank + 1)))
    fromNewest.add(naturalLogarithm(Double(rows - rank)))
    let times = seen[key, default: 0]
    equalPairs += times
    pairs += seenCount
    seen[key] = times + 1
    seenCount += 1
    if seenCount == Self.window {
      seen.removeAll(keepingCapacity: true)
      seenCount = 0
    }
  }

  /// Adds what another sketch counted. The order between the two is not known, so no step or pair is counted across.
  package mutating func merge(_ other: Self) {
    count += other.count
    for part in positions.indices { positions[part] += other.positions[part] }
    steps += other.steps
    oldest += other.oldest
    rows.merge(other.rows)
    chance.merge(other.chance)
    fromOldest.merge(other.fromOldest)
    fromNewest.merge(other.fromNewest)
    pairs += other.pairs
    equalPairs += other.equalPairs
    previous = nil
    seen.removeAll()
    seenCount = 0
  }

  /// The geometric mean of the numbers of rows.
  package var meanRows: Double { exponential(rows.mean) }
}
