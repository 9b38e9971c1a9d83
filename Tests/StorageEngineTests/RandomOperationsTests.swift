// A hundred thousand random operations compared with a dictionary, and the independent walk after every commit.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Random operations")
struct RandomOperationsTests {
  /// One run's database beside its model.
  private final class Run {
    let bench: Workbench
    let options: DatabaseOptions
    var database: Database
    var random: SeededRandom
    var model: [Int64: [UInt8]] = [:]
    var snapshots: [(snapshot: Snapshot, model: [Int64: [UInt8]])] = []
    var operations = 0
    var commits = 0

    init(_ options: DatabaseOptions, seed: UInt64) throws {
      bench = try Workbench()
      self.options = options
      database = try bench.open("data", options)
      random = SeededRandom(seed: seed)
    }

    func transaction() throws {
      let keys: Int64 = 400
      var changed = model
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      let deletes = random.oneIn(3)
      for _ in 0..<1 + random.below(40) {
        operations += 1
        let key = Int64(random.below(Int(keys)))
        if random.below(10) < (deletes ? 7 : 2) {
          let was = try transaction.delete(table, key)
          #expect(was == (changed.removeValue(forKey: key) != nil))
        } else {
          let size = random.oneIn(3) ? random.below(64) : random.below(500)
          let value = row(key, operations, count: size)
          try transaction.put(table, key, value)
          changed[key] = value
        }
      }
      if random.oneIn(12) {
        transaction.rollBack()
      } else {
        try transaction.commit()
        commits += 1
        model = changed
      }
    }

    func step() throws {
      try transaction()
      if random.oneIn(10) {
        snapshots.append((try database.beginSnapshot(label: "\(commits)"), model))
      }
      if random.oneIn(8), !snapshots.isEmpty {
        let index = random.below(snapshots.count)
        try check(snapshots[index])
        snapshots.remove(at: index).snapshot.end()
      }
      if random.oneIn(100) { try reopen() }
      if random.oneIn(300) { try compact() }
    }

    func check(_ held: (snapshot: Snapshot, model: [Int64: [UInt8]])) throws {
      guard let table = held.snapshot.table("rows") else {
        #expect(held.model.isEmpty)
        return
      }
      let rows = try held.snapshot.rows(table)
      #expect(rows.map(\.0) == held.model.keys.sorted())
      #expect(rows.allSatisfy { held.model[$0.0] == $0.1 })
      #expect(try held.snapshot.count(table) == held.model.count)
    }

    func endSnapshots() {
      for held in snapshots { held.snapshot.end() }
      snapshots = []
    }

    func reopen() throws {
      endSnapshots()
      try database.close()
      database = try bench.open("data", options)
    }

    func compact() throws {
      endSnapshots()
      guard case .compacted(_, let after, _) = try database.compact() else {
        Issue.record("nothing stood in the way of compaction")
        return
      }
      #expect(after == database.usage())
    }
  }

  private func run(_ options: DatabaseOptions, operations: Int, seed: UInt64) throws {
    let run = try Run(options, seed: testSeed(seed))
    while run.operations < operations {
      try run.step()
      let audit = try run.database.checkedAudit("seed \(run.random.seed), commit \(run.commits)")
      #expect(audit.rows == run.model.count, "seed \(run.random.seed)")
      guard audit.violations.isEmpty else { return }
    }
    run.endSnapshots()
    #expect(run.database.usage().pinned == 0)
    try run.reopen()
    #expect(try run.database.checkedAudit().rows == run.model.count)
  }

  @Test("under exact reclamation rows are the model's and every byte is accounted for (SPACE-2)")
  func exact() throws {
    try run(DatabaseOptions(durability: .none), operations: 60_000, seed: 1)
  }

  @Test("under oldest-reader reclamation rows are the model's and every byte is accounted for")
  func oldestReader() throws {
    try run(
      DatabaseOptions(durability: .none, reclamation: .oldestReader), operations: 25_000, seed: 2)
  }

  @Test(
    "with small thresholds compaction starts, ends and gives up while every byte is accounted for")
  func compacting() throws {
    let eager = AutomaticCompaction(
      minimumFile: 16 << 10, freeToUsedTrigger: 0.5, limitFactor: 1.2, minimumLimit: 16 << 10,
      baseBudget: 512, backOffCommits: 3)
    try run(
      DatabaseOptions(
        durability: .none, automaticCompaction: eager, growthStep: 16 << 10, inlineValueLimit: 200),
      operations: 25_000, seed: 3)
  }

  @Test(
    "under every allocation strategy rows are the model's and every byte is accounted for",
    arguments: Allocation.allCases)
  func allocation(_ allocation: Allocation) throws {
    try run(
      DatabaseOptions(durability: .none, allocation: allocation, growthStep: 64 << 10),
      operations: 8000, seed: 4)
  }
}
