// Stores rows of a run of any length in bounded memory. When there are too many, each two neighbors are merged into the
// larger one; from then on only the larger of each two new rows is stored, and so on. No peak is lost, and the rows stay
// evenly spaced.

/// A bounded list of rows in the order in which they came.
struct PeakPreservingDownsampler<Row> {
  private let capacity: Int
  /// The count at which to halve: the capacity, or more where fixed rows fill it.
  private var limit: Int
  /// The size by which the larger of two neighbors is retained; of two equal ones the later is retained.
  private let size: (Row) -> Int
  /// Adds to the retained row what is needed of the dropped one.
  private let merge: (inout Row, Row) -> Void
  private var entries: [(row: Row, isFixed: Bool)] = []
  /// The number of rows that are merged into one.
  private(set) var stride = 1
  private var pending: Row?
  private var pendingCount = 0

  init(
    capacity: Int, size: @escaping (Row) -> Int,
    merge: @escaping (inout Row, Row) -> Void = { _, _ in }
  ) {
    precondition(capacity >= 2, "two neighbors need a capacity of two")
    self.capacity = capacity
    limit = capacity
    self.size = size
    self.merge = merge
  }

  /// The rows so far.
  var rows: [Row] { entries.map(\.row) + (pending.map { [$0] } ?? []) }

  /// Appends a row; a fixed one is retained whatever its size.
  mutating func append(_ row: Row, isFixed: Bool = false) {
    if isFixed {
      flush()
      entries.append((row, true))
    } else {
      pending = pending.map { merged($0, row) } ?? row
      pendingCount += 1
      if pendingCount == stride { flush() }
    }
    if entries.count >= limit { halve() }
  }

  /// Changes the newest row.
  mutating func changeLast(_ change: (inout Row) -> Void) {
    if pending != nil {
      change(&pending!)
    } else if !entries.isEmpty {
      change(&entries[entries.count - 1].row)
    }
  }

  private mutating func flush() {
    if let pending { entries.append((pending, false)) }
    pending = nil
    pendingCount = 0
  }

  private func merged(_ first: Row, _ second: Row) -> Row {
    var (kept, dropped) = size(first) > size(second) ? (first, second) : (second, first)
    merge(&kept, dropped)
    return kept
  }

  private mutating func halve() {
    var kept: [(row: Row, isFixed: Bool)] = []
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      index += 1
      if !entry.isFixed, index < entries.count, !entries[index].isFixed {
        kept.append((merged(entry.row, entries[index].row), false))
        index += 1
      } else {
        kept.append(entry)
      }
    }
    stride *= 2
    entries = kept
    // Where nearly all rows are fixed, halving again at each row would take quadratic time.
    limit = max(capacity, kept.count + capacity / 2)
  }
}
