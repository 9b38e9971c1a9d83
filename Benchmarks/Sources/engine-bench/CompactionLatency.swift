// The cost of automatic compaction for the commits that carry it: two databases with the same rows, one that compacts
// and one that does not, with alternating commits while the first compacts.
import BenchSupport
import CommitFloor
import StorageEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct CompactionLatency {
  /// Rows in the table before nine of ten are deleted, and the bytes of each.
  let rows: Int
  let value: Int
  /// Updates in each commit, at random keys of those that are left.
  let updates: Int
  /// Each with new files and one compaction.
  let rounds: Int
  let seed: UInt64
  let folder: String

  func run() throws {
    var pairs: [Pair] = []
    for round in 0..<rounds {
      pairs.append(try measure(seed &+ UInt64(round) &* 7919))
      say("round \(round + 1) of \(rounds): \(pairs[round].with.count) commits\n")
    }
    print(table(pairs))
  }

  /// Latencies in nanoseconds of the commits during which the one database compacted, and the other's beside them.
  private struct Pair {
    var with: [Double] = []
    var without: [Double] = []
    /// The same for their writes, syncs and truncations alone.
    var floorWith: [Double] = []
    var floorWithout: [Double] = []
    var moved = 0
    var before = 0
    var after = 0
  }

  private func measure(_ seed: UInt64) throws -> Pair {
    let names = ["/with.db", "/without.db"].map { folder + "/compaction-bench-\(getpid())" + $0 }
    let made = folder + "/compaction-bench-\(getpid())"
    guard mkdir(made, 0o700) == 0 else {
      throw BenchError.system(made)
    }
    defer {
      for name in names {
        unlink(name)
        unlink(name + ".lock")
      }
      rmdir(made)
    }
    let databases = try names.enumerated().map { index, name in
      try Database.open(
        path: .init(name),
        options: DatabaseOptions(
          automaticCompaction: index == 0 ? .eager : nil))
    }
    let bytes = [UInt8](repeating: 7, count: value)
    for database in databases { try prepare(database, bytes) }
    var keys = KeyStream(seed: seed)
    var pair = Pair()
    pair.before = databases[0].usage().file
    let floor = CommitFloor()
    var calls: [(index: Int, calls: [CommitFloor.Call])] = []
    var hasBegun = false
    while true {
      let stage = try databases[0].automaticState.stage
      // Idle before the first of these commits, active in all others; the last ones truncate the file.
      if hasBegun, stage == .idle, databases[0].tailBytes == 0 { break }
      guard stage != .blocked else { throw BenchError(description: "compaction gave up") }
      hasBegun = true
      let chosen = keys.keys(updates, below: rows / 10).map { $0 * 10 }
      let isFirst = keys.next() & 1 == 0
      for index in isFirst ? [0, 1] : [1, 0] {
        let (time, made) = try floor.record { try commit(databases[index], chosen, bytes) }
        if index == 0 { pair.with.append(time) } else { pair.without.append(time) }
        calls.append((index, made))
      }
    }
    pair.after = databases[0].usage().file
    pair.moved = databases[0].drainEvents().reduce(0) { $0 + $1.rewritten }
    for database in databases { try database.close() }
    // In the same order, once all commits are done: syncs of copies in between would delay those of the engine.
    for (index, calls) in calls where !calls.isEmpty {
      let time = try floor.replay(calls) * 1e9
      if index == 0 { pair.floorWith.append(time) } else { pair.floorWithout.append(time) }
    }
    return pair
  }

  private func prepare(_ database: Database, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { value in
      let load = try database.beginWrite()
      let table = try load.table("rows")
      for key in 0..<rows { try load.put(table, Int64(key), value) }
      try load.commit()
      let thin = try database.beginWrite()
      for key in 0..<rows where key % 10 != 0 { _ = try thin.delete(table, Int64(key)) }
      try thin.commit()
    }
  }

  private func commit(_ database: Database, _ keys: [Int64], _ bytes: [UInt8]) throws -> Double {
    let start = nanoseconds()
    try bytes.withUnsafeBytes { value in
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for key in keys { try transaction.put(table, key, value) }
      try transaction.commit()
    }
    return Double(nanoseconds() - start)
  }

  private func table(_ pairs: [Pair]) -> String {
    let commits = pairs.map(\.with.count).reduce(0, +)
    var lines = [
      machineLine(), "",
      "\(rows) rows × \(value) B, nine of ten deleted, then \(updates) updates per commit, "
        + "durable; \(rounds) compactions of "
        + "\(pairs[0].before) to \(pairs[0].after) bytes, \(pairs[0].moved) bytes moved, in \(commits) commits. "
        + "Medians over the rounds; ratios within rounds [least–greatest].", "",
      "| commit latency, µs | compacting | not compacting | ratio |", "|---|---:|---:|---:|",
    ]
    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)] {
      lines.append(line(name, share, pairs.map(\.with), pairs.map(\.without)))
    }
    if pairs.allSatisfy({ !$0.floorWith.isEmpty }) {
      for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        lines.append(
          line(
            "\(name) of writes, syncs and truncations alone", share, pairs.map(\.floorWith),
            pairs.map(\.floorWithout)))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func line(
    _ name: String, _ share: Double, _ with: [[Double]], _ without: [[Double]]
  ) -> String {
    let with = with.map { quantile($0, share) / 1000 }
    let without = without.map { quantile($0, share) / 1000 }
    let ratio = Spread(zip(with, without).map { $0 / $1 })
    return "| \(name) | \(rounded(Spread(with).median)) | \(rounded(Spread(without).median)) | "
      + "\(rounded(ratio.median)) [\(rounded(ratio.low))–\(rounded(ratio.high))] |"
  }

  /// The least value that this share of the values does not exceed.
  private func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}
