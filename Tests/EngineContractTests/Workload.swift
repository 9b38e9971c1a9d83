// A small generator of work: the same seed gives the same operations, and a dictionary says what must be there.
import EngineInterface
import TestSupport
import Testing

/// Random inserts, updates and deletes over a limited set of keys.
struct Workload {
  var random: SeededRandom
  /// What the tables hold by now, by table.
  private(set) var model: [[Int64: [UInt8]]]
  var keys: Int64 = 500
  var largestValue = 900
  /// In percent of the operations.
  var deletes = 30

  init(seed: UInt64, tables: Int = 1) {
    random = SeededRandom(seed: seed)
    model = Array(repeating: [:], count: tables)
  }

  var seedText: String { "SEED=\(random.seed)" }

  /// Runs one transaction of this many operations, and checks each answer on the way.
  mutating func commit(_ session: any EngineSession, operations: Int) throws {
    let transaction = try session.beginWrite()
    for _ in 0..<operations { try step(transaction) }
    try transaction.commit()
  }

  private mutating func step(_ transaction: any EngineTransaction) throws {
    let table = random.below(model.count)
    let key = Int64(random.below(Int(keys))) - keys / 2
    let text = seedText
    if random.below(100) < deletes {
      let wasThere = model[table].removeValue(forKey: key) != nil
      try #expect(transaction.delete(table, key) == wasThere, "\(text)")
    } else {
      let value = random.bytes(random.below(largestValue + 1))
      model[table][key] = value
      try transaction.put(key, value, table: table)
      try #expect(transaction.value(key, table: table) == value, "\(text)")
    }
  }

  /// The rows of a table, in order.
  func rows(_ table: TableIndex = 0) -> [Row] {
    model[table].map { Row(key: $0, value: $1) }.sorted { $0.key < $1.key }
  }
}

/// Fills a table with this many rows of this size, in transactions of a thousand.
func fill(
  _ session: any EngineSession, rows: Int, bytes: Int, seed: UInt64 = 1, from first: Int = 0
) throws {
  var random = SeededRandom(seed: seed)
  for start in stride(from: first, to: first + rows, by: 1000) {
    try session.write { transaction in
      for key in start..<min(start + 1000, first + rows) {
        try transaction.put(Int64(key), random.bytes(bytes))
      }
    }
  }
}

/// Rewrites this many random rows in each of so many transactions.
func update(
  _ session: any EngineSession, commits: Int, each rows: Int = 10, of keys: Int, bytes: Int,
  seed: UInt64 = 2
) throws {
  var random = SeededRandom(seed: seed)
  for _ in 0..<commits {
    try session.write { transaction in
      for _ in 0..<rows {
        try transaction.put(Int64(random.below(keys)), random.bytes(bytes))
      }
    }
  }
}

/// Deletes the rows of the keys, in transactions of five hundred.
func delete(_ session: any EngineSession, keys: Range<Int>) throws {
  for start in stride(from: keys.lowerBound, to: keys.upperBound, by: 500) {
    try session.write { transaction in
      for key in start..<min(start + 500, keys.upperBound) {
        _ = try transaction.delete(0, Int64(key))
      }
    }
  }
}
