// The parts of a device's log between compactions. Compactions are seen by the column `compacted`, and by totalBytes that
// falls between two launches: at a launch that is not in the log, or in a log without the column.

struct Generations {
  struct Generation {
    /// Used bytes that the compaction left.
    var used: Double
    /// Free ÷ used bytes at the first launch of a log that began before the first compaction; nil after a compaction.
    var initialShare: Double?
    /// Days since the compaction, or since the first launch, and free ÷ used bytes then.
    var points: [(days: Double, share: Double)]
  }

  /// Compactions at logged launches of which totalBytes shows nothing: they freed little.
  private(set) var silent = 0
  /// Falls of totalBytes that are compactions of a logged launch.
  private(set) var logged = 0
  /// Falls of totalBytes for which no logged launch is marked as a compaction.
  private(set) var unlogged = 0
  private(set) var all: [Generation] = []

  /// A fall by less is no compaction: files end at block boundaries.
  static let minFall = 0.05
  static let minFallBytes: Int64 = 65_536

  init(of rows: [LaunchRow]) {
    guard let first = rows.first else { return }
    var start = first.days
    var current = Generation(
      used: Double(first.usedBytes), initialShare: first.freeShare, points: [])
    for (index, row) in rows.enumerated() {
      if index > 0 { current.points.append((row.days - start, row.freeShare)) }
      let next = index + 1 < rows.count ? rows[index + 1] : nil
      let hasFallen = next.map { Self.hasFallen(from: row, to: $0) } ?? false
      let isLogged = row.compacted == .yes
      guard isLogged || hasFallen else { continue }
      if isLogged { if hasFallen { logged += 1 } else { silent += 1 } } else { unlogged += 1 }
      all.append(current)
      // A launch is marked as none: the one that compacted lies between.
      let isBetween = !isLogged && row.compacted == .no
      start = isBetween ? (row.days + (next?.days ?? row.days)) / 2 : row.days
      current = Generation(used: Double(row.usedBytes), initialShare: nil, points: [])
    }
    all.append(current)
    all.removeAll { $0.points.isEmpty }
  }

  /// Compactions that were seen.
  var compactions: Int { silent + logged + unlogged }
  var hasKnownStart: Bool { all.contains { $0.initialShare == nil } }

  private static func hasFallen(from row: LaunchRow, to next: LaunchRow) -> Bool {
    let fall = row.totalBytes - next.totalBytes
    return fall > minFallBytes && Double(fall) > minFall * Double(row.totalBytes)
      && next.freeBytes < row.freeBytes
  }
}

extension LaunchRow {
  /// Free bytes ÷ used bytes.
  var freeShare: Double { Double(freeBytes) / Double(max(1, usedBytes)) }
}
