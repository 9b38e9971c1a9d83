// Keeps rows of a run of any length in bounded memory. When there are too many, each two neighbours become one, the
// larger of them; from then on only the larger of each two is taken in, and so on. So no peak is lost, and the rows stay
// evenly spaced.

/// A bounded list of rows in the order in which they came.
struct PeakKeeper<Row> {
  private let capacity: Int
  /// When to halve: the capacity, or more where fixed rows fill it.
  private var limit: Int
  /// Which of two neighbours stays; the later one where they are alike.
  private let size: (Row) -> Int
  /// What the one that stays takes over from the other.
  private let takeOver: (inout Row, Row) -> Void
  private var entries: [(row: Row, isFixed: Bool)] = []
  /// So many rows become one.
  private(set) var stride = 1
  private var pending: Row?
  private var pendingCount = 0

  init(
    capacity: Int, size: @escaping (Row) -> Int,
    takeOver: @escaping (inout Row, Row) -> Void = { _, _ in }
  ) {
    precondition(capacity >= 2, "two neighbours need a capacity of two")
    self.capacity = capacity
    limit = capacity
    self.size = size
    self.takeOver = takeOver
  }

  /// The rows so far.
  var rows: [Row] { entries.map(\.row) + (pending.map { [$0] } ?? []) }

  /// Takes a row in; a fixed one stays whatever its size.
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
    var (kept, gone) = size(first) > size(second) ? (first, second) : (second, first)
    takeOver(&kept, gone)
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
    // Where nearly all are fixed, trying again with each row would take forever.
    limit = max(capacity, kept.count + capacity / 2)
  }
}
