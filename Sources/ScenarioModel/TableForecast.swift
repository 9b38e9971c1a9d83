// How many rows a table has during a run, computed in advance. Which of several writers is next is drawn during the run, so
// that a number may have bounds only.

struct TableForecast {
  private let spec: TableSpec
  /// All rows.
  private(set) var rows: ClosedRange<Int>
  /// The number of rows that the table began with and that are deleted: a refill inserts them again.
  private(set) var missing: ClosedRange<Int>

  init(_ spec: TableSpec) {
    self.spec = spec
    rows = spec.rows...spec.rows
    missing = 0...0
  }

  /// Refills and deletes as the phase has it; returns the number of transactions.
  mutating func change(inBulk phase: PhaseSpec) -> ClosedRange<Int> {
    var transactions = 0...0
    if phase.refill {
      transactions = missing.mapBounds { phase.bulkTransactions(for: $0) }
      rows = rows.adding(missing)
      missing = 0...0
    }
    guard phase.deleteShare > 0 else { return transactions }
    let deleted = rows.mapBounds { phase.deletions(of: $0) }
    let others = addedRows
    // Rows that were added since may be the ones that go.
    let low = missing.lowerBound + max(0, deleted.lowerBound - others.upperBound)
    let high = min(spec.rows, missing.upperBound + deleted.upperBound)
    missing = low...max(low, high)
    rows = rows.mapBounds { $0 - phase.deletions(of: $0) }
    return transactions.adding(deleted.mapBounds { phase.bulkTransactions(for: $0) })
  }

  /// So many commits of these writers in a phase, of which some may write to other tables.
  mutating func change(by writers: [WriterSpec], commits: Int) {
    let own = writers.filter { $0.table == spec.name }
    guard commits > 0, !own.isEmpty else { return }
    let hasOnlyOriginals = addedRows == 0...0
    let isAlone = writers.count == 1
    rows =
      isAlone
      ? rows.mapBounds { own[0].rows(after: commits, of: spec.rows, before: $0) }
      : Self.rows(after: commits, by: own, isShared: own.count < writers.count, of: spec, rows)
    guard own.contains(where: \.deletesRows) else { return }
    if isAlone, own[0].reload != nil {
      missing = spec.rows...spec.rows
    } else if hasOnlyOriginals, own.allSatisfy(\.onlyDeletesRows) {
      missing = (spec.rows - rows.upperBound)...(spec.rows - rows.lowerBound)
    } else {
      missing = missing.lowerBound...spec.rows
    }
  }

  /// Rows that the table did not begin with.
  private var addedRows: ClosedRange<Int> {
    let low = rows.lowerBound - (spec.rows - missing.lowerBound)
    let high = rows.upperBound - (spec.rows - missing.upperBound)
    return max(0, low)...max(0, high)
  }

  /// Returns the possible numbers of rows after so many commits. Which writer makes which commit is drawn at random;
  /// `isShared` if some writers change other tables.
  private static func rows(
    after commits: Int, by writers: [WriterSpec], isShared: Bool, of spec: TableSpec,
    _ before: ClosedRange<Int>
  ) -> ClosedRange<Int> {
    let changes = writers.map(\.change) + (isShared ? [0] : [])
    let settled = writers.compactMap { $0.settledRows(of: spec.rows) } + [before]
    let low = settled.map(\.lowerBound).min() ?? 0
    let high = settled.map(\.upperBound).max() ?? 0
    // Writers that set the number of rows may do so at any commit, and others go on from there.
    let isReset = settled.count > 1
    let (minChange, maxChange) = (changes.min() ?? 0, changes.max() ?? 0)
    let lowest = low + commits * (isReset ? min(0, minChange) : minChange)
    let highest = high + commits * (isReset ? max(0, maxChange) : maxChange)
    return max(0, lowest)...max(0, highest)
  }
}

extension WriterSpec {
  /// The change of the table's number of rows by a transaction.
  fileprivate var change: Int { inserts - deletes }

  /// The rows of its table, which began the run with `initial`, after so many commits of a phase in which no other writes.
  fileprivate func rows(after commits: Int, of initial: Int, before rows: Int) -> Int {
    if let oscillation {
      return max(0, oscillation.rows(of: initial, afterCommit: commits) + change)
    }
    guard let reload else { return max(0, rows + commits * change) }
    if reload == .inOneTransaction { return max(0, initial + change) }
    // In two transactions: empty and full by turns, from the second on at the latest.
    let turns = commits <= 4 ? commits : 4 - commits % 2
    return (0..<turns).reduce(rows) { count, _ in max(0, (count == 0 ? initial : 0) + change) }
  }

  /// Between which numbers of rows it moves the table; nil where it adds to or takes from what is there.
  fileprivate func settledRows(of initial: Int) -> ClosedRange<Int>? {
    if reload != nil { return 0...initial }
    guard let oscillation else { return nil }
    let full = oscillation.rows(of: initial, afterCommit: oscillation.periodCommits)
    let empty = oscillation.rows(of: initial, afterCommit: oscillation.periodCommits / 2)
    return min(full, empty)...max(full, empty)
  }

  fileprivate var deletesRows: Bool { deletes > 0 || oscillation != nil || reload != nil }
  fileprivate var onlyDeletesRows: Bool { inserts == 0 && oscillation == nil && reload == nil }
}

extension ClosedRange<Int> {
  /// The range between what an increasing function makes of the bounds.
  func mapBounds(_ transform: (Int) -> Int) -> Self {
    let (low, high) = (transform(lowerBound), transform(upperBound))
    return Swift.min(low, high)...Swift.max(low, high)
  }
}
