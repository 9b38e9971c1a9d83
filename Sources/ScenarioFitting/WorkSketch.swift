// The transactions of one kind on one table, as sketches: of a shape that comes again and again, or of many shapes of about
// the same size.

/// The operations of a transaction on one table.
struct TransactionShape: Hashable, Sendable {
  var table: Int
  var inserts = 0
  var updates = 0
  var deletes = 0
  var reads = 0
  /// Whether every row was deleted and as many as the table began with were inserted.
  var isReload = false

  var operations: Int { inserts + updates + deletes + reads }
  var changesRows: Bool { inserts + updates + deletes > 0 }

  /// The shape that stands for all with the same kinds of operations and about as many: a power of two of each.
  var coarse: Self {
    func power(_ count: Int) -> Int {
      count == 0 ? 0 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
    }
    var shape = self
    shape.inserts = power(inserts)
    shape.updates = power(updates)
    shape.deletes = power(deletes)
    shape.reads = power(reads)
    return shape
  }

  /// The shape that stands for all with the same kinds of operations.
  var kinds: Self {
    var shape = self
    shape.inserts = min(1, inserts)
    shape.updates = min(1, updates)
    shape.deletes = min(1, deletes)
    shape.reads = min(1, reads)
    return shape
  }
}

/// An operation of a transaction on a row.
struct RowOperation: Sendable {
  enum Kind: Sendable { case update, delete, read }
  var kind: Kind
  var key: Int64
  /// How many rows are older than the row, and how many rows there are.
  var rank: Int
  var rows: Int
}

/// What is stored of the transactions of one shape.
struct WorkSketch: Sendable {
  private(set) var transactions = 0
  private(set) var inserts = Moments()
  private(set) var updates = Moments()
  private(set) var deletes = Moments()
  private(set) var reads = Moments()
  private(set) var sizes = SizeSketch()
  private(set) var updatedKeys = KeySketch()
  private(set) var deletedKeys = KeySketch()
  private(set) var readKeys = KeySketch()

  mutating func add(_ shape: TransactionShape, _ rows: [RowOperation], sizes: [Int]) {
    transactions += 1
    inserts.add(shape.inserts)
    updates.add(shape.updates)
    deletes.add(shape.deletes)
    reads.add(shape.reads)
    for size in sizes { self.sizes.add(size) }
    for row in rows {
      switch row.kind {
      case .update: updatedKeys.add(rank: row.rank, of: row.rows, key: row.key)
      // A deleted row does not come again: what may come again is the position.
      case .delete: deletedKeys.add(rank: row.rank, of: row.rows, key: Int64(row.rank))
      case .read: readKeys.add(rank: row.rank, of: row.rows, key: row.key)
      }
    }
  }

  mutating func merge(_ other: Self) {
    transactions += other.transactions
    inserts.merge(other.inserts)
    updates.merge(other.updates)
    deletes.merge(other.deletes)
    reads.merge(other.reads)
    sizes.merge(other.sizes)
    updatedKeys.merge(other.updatedKeys)
    deletedKeys.merge(other.deletedKeys)
    readKeys.merge(other.readKeys)
  }
}

/// The transactions of a phase by their shapes: the first shapes exactly, further ones by powers of two.
struct WorkTable: Sendable {
  static let maxShapes = 24

  private(set) var sketches: [TransactionShape: WorkSketch] = [:]
  private var exact: Set<TransactionShape> = []

  mutating func add(_ shape: TransactionShape, _ rows: [RowOperation], sizes: [Int]) {
    sketches[stored(shape), default: WorkSketch()].add(shape, rows, sizes: sizes)
  }

  mutating func merge(_ other: Self) {
    for (shape, sketch) in other.sketches {
      sketches[stored(shape), default: WorkSketch()].merge(sketch)
    }
  }

  /// Returns the shape under which transactions of one are counted, which is exact while there are few.
  private mutating func stored(_ shape: TransactionShape) -> TransactionShape {
    if exact.contains(shape) { return shape }
    guard exact.count < Self.maxShapes else { return shape.coarse }
    exact.insert(shape)
    return shape
  }

  var transactions: Int { sketches.values.reduce(0) { $0 + $1.transactions } }

  /// Returns the shapes that have a share of the transactions each; those with less are joined, first with those of about
  /// as many operations, then with all of the same kinds. In the order of their tables and kinds.
  func joined(minShare: Double) -> [(shape: TransactionShape, sketch: WorkSketch)] {
    let limit = minShare * Double(transactions)
    var found = sketches
    for coarser in [\TransactionShape.coarse, \TransactionShape.kinds] {
      var next: [TransactionShape: WorkSketch] = [:]
      for (shape, sketch) in found.sorted(by: { Self.isBefore($0.key, $1.key) }) {
        let stored = Double(sketch.transactions) < limit ? shape[keyPath: coarser] : shape
        next[stored, default: WorkSketch()].merge(sketch)
      }
      found = next
    }
    return found.sorted { Self.isBefore($0.key, $1.key) }.map { ($0.key, $0.value) }
  }

  private static func isBefore(_ a: TransactionShape, _ b: TransactionShape) -> Bool {
    (a.table, a.isReload ? 1 : 0, a.inserts, a.updates, a.deletes, a.reads)
      < (b.table, b.isReload ? 1 : 0, b.inserts, b.updates, b.deletes, b.reads)
  }
}
