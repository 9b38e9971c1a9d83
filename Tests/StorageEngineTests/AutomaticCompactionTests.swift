// Automatic compaction, transition by transition: what begins it, what it does in a commit, what delays it, what ends it.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Automatic compaction")
struct AutomaticCompactionTests {
  @Test("after nine of ten rows are deleted, commits shrink the file to 1.5 times the used bytes")
  func shrinks() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    let full = database.usage().file
    #expect(try database.stage == .idle)
    try thin(database)
    let account = database.usage()
    guard
      case .due(let free, let used, let factor, let limit) = try database.automaticState.condition
    else {
      Issue.record("\(try database.automaticState)")
      return
    }
    #expect((free, used, factor) == (account.free, account.file - account.free, 2))
    #expect(limit == (used * 3 / 2 + 4095) / 4096 * 4096)
    let steps = database.drainEvents() + (try untilEnd(database, atMost: 500))
    #expect(steps.map(\.kind) == [.started, .finished])
    #expect(steps.first?.condition == .due(free: free, used: used, factor: 2, limit: limit))
    let last = try #require(steps.last)
    #expect((last.before, last.after) == (full, limit))
    #expect(database.usage().file == limit)
    #expect(try database.automaticState.since == last.version)
    #expect(try database.stage == .idle)
    // The file is shortened on disk in pieces, one with each commit.
    let piece = AutomaticCompaction().maxTruncationBytes
    #expect(try FileSystem.size(of: bench.path()).bytes == max(limit, full - piece))
    #expect(full - 4 * piece < limit)
    try touch(database, 3)
    #expect(try FileSystem.size(of: bench.path()).bytes == limit)
    try database.close()
    let again = try bench.open()
    #expect(try again.checkedAudit().rows == 600)
  }

  @Test("each stage begins with the commit that its state names")
  func states() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    var seen: [AutomaticState] = [try database.automaticState]
    for _ in 0..<500 {
      try database.write { _, _ in }
      let state = try database.automaticState
      if state.stage != seen[seen.count - 1].stage {
        #expect(state.since == database.version)
        seen.append(state)
      }
      #expect(state.since <= database.version)
    }
    #expect(seen.map(\.stage) == [.idle, .evacuating, .waiting, .idle])
    let limit = try #require(seen[1].limit)
    #expect(seen[1].condition == .moving(limit: limit))
    #expect(seen[2].condition == .awaitingNextCommit(limit: limit))
    #expect((seen[2].limit, seen[2].until) == (limit, seen[2].since + 1000))
    #expect(seen[2].moved > seen[1].moved)
    // The truncation comes with the first commit after the last move.
    #expect(seen[3].since == seen[2].since + 1)
    #expect((seen[3].limit, seen[3].until, seen[3].moved) == (nil, nil, 0))
  }

  @Test("a commit moves at most half its bytes plus the free list's and 4 KiB, to the byte")
  func bounded() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    var moved = 0
    var commits = 0
    while commits < 300, try database.stage == .idle || database.stage == .evacuating {
      let extents = try database.audit().freeExtents
      let before = database.usage()
      let was = try database.automaticState.moved
      // An empty transaction allocates nothing, so all that is written is moved.
      try database.write { _, _ in }
      let work = database.evacuation.work
      // The limit splits one free extent.
      #expect([0, 16].contains(work.budget - (4096 + 16 * extents)))
      #expect(work.moved <= work.budget)
      #expect(try database.automaticState.moved - was == work.copied)
      // What is moved stays live, byte by byte.
      #expect(database.usage().live == before.live)
      moved += work.moved
      commits += 1
    }
    #expect(moved > 250_000)
    #expect(commits > 30)
  }

  @Test("a block larger than the budget is moved alone, and the next commit continues after it")
  func largeValues() throws {
    let database = try Workbench.memory()
    let size = 40_000
    try database.write { transaction, table in
      for key in Int64(0)..<100 { try transaction.put(table, key, row(key, 0, count: size)) }
    }
    try database.write { transaction, table in
      for key in Int64(0)..<85 { _ = try transaction.delete(table, key) }
    }
    var alone = 0
    for _ in 0..<40 {
      try database.write { _, _ in }
      let work = database.evacuation.work
      // One value, or the leaf and the root where they lie above the limit too.
      #expect(work.moved <= max(work.budget, size + 2 * 8192))
      if work.moved >= size { alone += 1 }
    }
    #expect(alone > 5)
    #expect(database.drainEvents().map(\.kind) == [.started, .finished])
    try database.checkedAudit()
  }

  @Test("the budget grows with half of what the transaction wrote")
  func budget() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    try database.write { _, _ in }
    let extents = try database.audit().freeExtents
    try database.write { transaction, table in
      try transaction.put(table, 1, [UInt8](repeating: 1, count: 100_000))
    }
    let work = database.evacuation.work
    // The value and the nodes of its path, in buffers of multiples of 512 bytes.
    #expect(work.budget > 4096 + 16 * extents + 50_000)
    #expect(work.budget < 4096 + 16 * extents + 50_000 + 8192)
    #expect(work.moved <= work.budget)
  }

  @Test("an earlier snapshot prevents the beginning, which is reported once, with its label")
  func delayed() throws {
    let database = try Workbench.memory()
    try fill(database)
    let early = try database.beginSnapshot(label: "early")
    let version = early.version
    try thin(database)
    try touch(database, 300)
    let steps = database.drainEvents()
    #expect(steps.map(\.kind) == [.delayed])
    let state = try database.automaticState
    #expect(state.stage == .idle)
    let account = database.usage()
    #expect(
      state.condition
        == .pinned(
          AutomaticPin(version: version, label: "early", bytes: account.pinned),
          free: account.free, used: account.usedForAutomatic, factor: 2))
    #expect(state.condition.explanation().contains("\"early\" of version \(version)"))
    early.end()
    guard case .due = try database.automaticState.condition else {
      Issue.record("nothing stands in the way")
      return
    }
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started])
  }

  @Test("of the snapshots of the oldest version the greatest label is reported, not a later one's")
  func labels() throws {
    let database = try Workbench.memory()
    try fill(database)
    let early = try ["b", "c", "a"].map { try database.beginSnapshot(label: $0) }
    try thin(database)
    let late = try database.beginSnapshot(label: "z")
    try touch(database, 1)
    guard case .pinned(let pin, _, _, _) = try database.automaticState.condition else {
      Issue.record("the snapshots stand in the way")
      return
    }
    #expect((pin.version, pin.label) == (early[0].version, "c"))
    for snapshot in early + [late] { snapshot.end() }
  }

  @Test("a snapshot that began meanwhile delays the truncation to the commit after its end")
  func waiting() throws {
    let database = try Workbench.memory { $0.automaticCompaction?.minPartialTruncation = nil }
    try fill(database)
    let full = database.usage().file
    try thin(database)
    try touch(database, 1)
    let late = try database.beginSnapshot(label: "late")
    let table = try #require(late.table("rows"))
    try touch(database, 300)
    #expect(database.drainEvents().map(\.kind) == [.started, .waiting])
    let state = try database.automaticState
    #expect(state.stage == .waiting)
    let limit = try #require(state.limit)
    let pin = try #require(database.oldestPins().first)
    guard case .blockedBySnapshot(let holder, limit) = state.condition else {
      Issue.record("\(state)")
      return
    }
    #expect((holder.version, holder.label) == (late.version, "late"))
    #expect(holder.bytes > 0)
    #expect(holder.bytes <= pin.retained)
    #expect(database.usage().file == full)
    #expect(try late.rows(table).count == 600)
    try database.checkedAudit()
    late.end()
    #expect(try database.automaticState.condition == .awaitingNextCommit(limit: limit))
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.finished])
    #expect(database.usage().file == limit)
  }

  @Test("a waiting compaction scans the tables again after the configured number of commits")
  func walksAgain() throws {
    let database = try Workbench.memory {
      $0.automaticCompaction?.waitingCommits = 20
      $0.automaticCompaction?.minPartialTruncation = nil
    }
    try fill(database)
    try thin(database)
    try touch(database, 1)
    let late = try database.beginSnapshot(label: "late")
    #expect(try database.commit(until: .waiting, atMost: 500))
    let since = try database.automaticState.since
    for _ in 0..<19 { try database.write { _, _ in } }
    #expect(try database.automaticState.since == since)
    // Nothing is left above the limit, so the scan ends in the commit in which it begins.
    try database.write { _, _ in }
    #expect(try database.automaticState.since == since + 20)
    #expect(database.evacuation.work.budget > 0)
    #expect(database.drainEvents().map(\.kind) == [.started, .waiting, .resumed])
    late.end()
    #expect(try database.commit(until: .idle, atMost: 2))
  }

  @Test(
    "without space below the limit it gives up, reports that, and begins again ten commits later")
  func givesUp() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started])
    let limit = try #require(try database.automaticState.limit)
    // One value larger than all free bytes: it fits below no limit within the file.
    let file = database.usage().file
    try database.write { transaction, table in
      try transaction.put(table, -1, [UInt8](repeating: 1, count: file))
    }
    let version = database.version
    let abandoned = database.drainEvents()
    #expect(abandoned.map(\.kind) == [.abandoned])
    #expect(abandoned.map(\.condition) == [.noSpaceBelowLimit(limit: limit, until: version + 10)])
    let state = try database.automaticState
    #expect((state.stage, state.since, state.until) == (.blocked, version, version + 10))
    #expect(state.condition == .noSpaceBelowLimit(limit: limit, until: version + 10))
    try database.checkedAudit()
    try database.write { transaction, table in _ = try transaction.delete(table, -1) }
    try touch(database, 8)
    #expect(database.version == version + 9)
    #expect(database.drainEvents() == [])
    #expect(try database.stage == .blocked)
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started])
    #expect(try untilEnd(database, atMost: 500).map(\.kind) == [.finished])
  }

  @Test("a blocked compaction without a reason is idle once its commits have passed")
  func blockedToIdle() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    try touch(database, 1)
    let file = database.usage().file
    try database.write { transaction, table in
      try transaction.put(table, -1, [UInt8](repeating: 1, count: file))
    }
    #expect(try database.stage == .blocked)
    let version = database.version
    #expect(try database.commit(until: .idle, atMost: 20))
    #expect(database.version == version + 10)
    #expect(try database.automaticState.since == version + 10)
  }

  @Test("disabled, or below the minimum size, it never shortens the file, and reports why")
  func off() throws {
    let off = try Workbench.memory { $0.automaticCompaction = nil }
    let small = try Workbench.memory { $0.automaticCompaction?.minimumFile = 64 << 20 }
    for database in [off, small] {
      try fill(database)
      let full = database.usage().file
      try thin(database)
      try touch(database, 100)
      #expect(database.usage().file == full)
      #expect(database.drainEvents() == [])
    }
    #expect(try off.automaticState.condition == .switchedOff)
    #expect(
      try small.automaticState.condition
        == .fileTooSmall(file: small.usage().file, minimum: 64 << 20))
  }

  @Test(
    "a commit that fails while blocks are moved abandons it, and ten commits later it begins again")
  func failedCommit() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: Workbench.fast)
    try fill(database)
    try thin(database)
    try touch(database, 3)
    #expect(database.drainEvents().map(\.kind) == [.started])
    file.fail(.resize, code: ENOSPC)
    let error = #expect(throws: StorageError.self) {
      try database.write { transaction, table in
        try transaction.put(table, -1, [UInt8](repeating: 1, count: 8 << 20))
      }
    }
    #expect(error?.code == .outOfSpace)
    let version = database.version
    let steps = database.drainEvents()
    #expect(steps.map(\.kind) == [.abandoned])
    #expect(steps.map(\.condition) == [.commitFailed(until: version + 11)])
    #expect(try database.automaticState.condition == .commitFailed(until: version + 11))
    try database.checkedAudit()
    #expect(try untilEnd(database, atMost: 500).map(\.kind) == [.started, .finished])
  }

  @Test("the bytes of the steps add up to what was moved")
  func rewritten() throws {
    let database = try Workbench.memory()
    try fill(database)
    try thin(database)
    var copied = 0
    for commit in 0..<400 {
      var snapshot: Snapshot?
      if commit == 20 { snapshot = try database.beginSnapshot() }
      try touch(database, 1)
      copied += database.evacuation.work.copied
      if commit == 200 { snapshot?.end() }
      withExtendedLifetime(snapshot) {}
    }
    let steps = database.drainEvents()
    #expect(steps.last?.kind == .finished)
    #expect(steps.reduce(0) { $0 + $1.rewritten } == copied)
  }
}
