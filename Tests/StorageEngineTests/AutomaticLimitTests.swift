// The limit of automatic compaction when there is too little space below it: it is raised, so that writers and
// snapshots that come and go reduce what is gained instead of preventing it.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("The limit of automatic compaction")
struct AutomaticLimitTests {
  /// A compaction that has just begun, and more rows in one commit than fit below its limit.
  private func crowd(_ database: Database) throws -> (limit: Int, steps: [CompactionStep]) {
    try fill(database)
    try thin(database)
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started])
    let limit = try #require(try database.automaticState.limit)
    try database.write { transaction, table in
      for key in Int64(10_000)..<10_700 { try transaction.put(table, key, row(key, 0, count: 500)) }
    }
    try database.checkedAudit()
    return (limit, database.drainEvents())
  }

  @Test(
    "without space below it the limit is raised by at least an eighth, and the step is reported")
  func rises() throws {
    let database = try Workbench.memory()
    let (limit, steps) = try crowd(database)
    let state = try database.automaticState
    let higher = try #require(state.limit)
    #expect(state.stage == .evacuating)
    #expect(steps.map(\.kind) == [.raised])
    #expect(steps.first?.condition == .limitRaised(from: limit, to: higher))
    #expect(higher >= limit + limit / 8)
    #expect(higher < database.usage().file)
    let rest = try untilEnd(database, atMost: 1000)
    #expect(rest.last?.kind == .finished)
    // The file is truncated at the raised limit.
    let last = rest.last { $0.kind == .raised }
    let end = database.usage().file
    #expect(
      last.map { $0.condition.explanation().contains("it is \(end) bytes now") } ?? (end == higher))
    #expect(try database.checkedAudit().rows == 1300)
  }

  @Test("the Realm preset gives up there, with the limit unchanged")
  func givesUp() throws {
    let database = try Workbench.memory { $0.automaticCompaction = .realmCompatible }
    let (limit, steps) = try crowd(database)
    #expect(steps.map(\.kind) == [.abandoned])
    #expect(
      steps.map(\.condition) == [.noSpaceBelowLimit(limit: limit, until: database.version + 10)])
  }

  @Test("a raised limit survives a crash and a new session")
  func resumes() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: Workbench.fast)
    _ = try crowd(database)
    let limit = try #require(try database.automaticState.limit)
    let again = try Database.open(
      file: FaultyStorageFile(image: file.liveBytes), options: Workbench.fast)
    #expect(try again.automaticState.limit == limit)
    #expect(try untilEnd(again, atMost: 1000).last?.kind == .finished)
  }

  @Test("a failed commit also undoes its raise of the limit")
  func failedCommit() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: Workbench.fast)
    try fill(database)
    try thin(database)
    try touch(database, 1)
    let before = database.usage()
    file.sizeLimit = before.file
    // First it rises to the end of the file, then the file cannot grow.
    #expect(throws: StorageError.self) {
      try database.write { transaction, table in
        for key in Int64(10_000)..<20_000 {
          try transaction.put(table, key, row(key, 0, count: 500))
        }
      }
    }
    file.sizeLimit = nil
    #expect(database.usage() == before)
    #expect(try database.stage == .blocked)
    try database.checkedAudit()
  }

  /// Background jobs that release snapshots late: each holds its version for sixty commits, and one begins every
  /// twenty.
  private func withLateJobs(
    _ database: Database, commits: Int, _ random: inout SeededRandom
  ) throws -> [CompactionStep] {
    var held: [Snapshot] = []
    var steps: [CompactionStep] = []
    for commit in 0..<commits {
      if commit % 20 == 0 {
        held.append(try database.beginSnapshot())
        if held.count > 3 { held.removeFirst().end() }
      }
      try database.write { transaction, table in
        for _ in 0..<10 {
          let key = Int64(random.below(2000))
          try transaction.put(table, key, row(key, commit, count: 256))
        }
      }
      steps += database.drainEvents()
    }
    for snapshot in held { snapshot.end() }
    return steps
  }

  /// The file's length and its live bytes before, and 1500 commits after, most rows are deleted.
  private func trimmed(
    _ compaction: AutomaticCompaction
  ) throws -> (full: Int, after: SpaceAccount, steps: [CompactionStep]) {
    var random = SeededRandom(seed: testSeed(21))
    let database = try Workbench.memory { $0.automaticCompaction = compaction }
    try database.write { transaction, table in
      for key in Int64(0)..<2000 { try transaction.put(table, key, row(key, 0, count: 256)) }
    }
    for batch in Int64(0)..<10 {
      try database.write { transaction, table in
        for key in (2000 + batch * 1000)..<(3000 + batch * 1000) {
          try transaction.put(table, key, row(key, 0, count: 512))
        }
      }
    }
    _ = try withLateJobs(database, commits: 500, &random)
    let full = database.usage().file
    try database.write { transaction, table in
      for key in Int64(2000)..<12_000 where key % 7 != 0 {
        _ = try transaction.delete(table, key)
      }
    }
    let steps = try withLateJobs(database, commits: 1500, &random)
    try database.checkedAudit()
    return (full, database.usage(), steps)
  }

  @Test("snapshots that come and go do not stop it: 1500 commits later the file is short")
  func lateJobs() throws {
    let (full, after, steps) = try trimmed(.eager)
    let story = "SEED=\(testSeed(21)): \(full) to \(after), \(steps.map(\.kind))"
    #expect(!steps.contains { $0.kind == .abandoned }, "\(story)")
    #expect(steps.contains { $0.kind == .finished }, "\(story)")
    #expect(after.file <= 3 * after.live, "\(story)")
    #expect(after.file < full / 2, "\(story)")
    // The same snapshots stop a compaction that does not raise its limit.
    var strict = AutomaticCompaction.eager
    strict.limitStep = nil
    #expect(try trimmed(strict).steps.contains { $0.kind == .abandoned })
  }
}
