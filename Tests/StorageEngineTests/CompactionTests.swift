// Compaction in its three forms: by itself while commits go on, at launch, and as a copy.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Compaction")
struct CompactionTests {
  /// 6000 rows of 500 bytes in commits of 200: about 3.5 MB.
  private func fill(_ database: Database) throws {
    for commit in 0..<30 {
      try database.write { transaction, table in
        for index in 0..<200 {
          let key = Int64(commit * 200 + index)
          try transaction.put(table, key, row(key, 0, count: 500))
        }
      }
    }
  }

  /// Deletes nine of ten rows, spread over the file.
  private func thin(_ database: Database) throws {
    try database.write { transaction, table in
      for key in Int64(0)..<6000 where key % 10 != 3 { _ = try transaction.delete(table, key) }
    }
  }

  private func touch(_ database: Database, _ commits: Int) throws {
    for commit in 0..<commits {
      try database.write { transaction, table in
        let key = Int64(commit % 600) * 10 + 3
        try transaction.put(table, key, row(key, commit, count: 500))
      }
    }
  }

  /// Commits until compaction has ended or given up; answers the steps.
  private func untilEnd(_ database: Database, atMost commits: Int) throws -> [CompactionStep] {
    var steps: [CompactionStep] = []
    for _ in 0..<commits where steps.last?.kind != .finished && steps.last?.kind != .abandoned {
      try touch(database, 1)
      steps += database.drainEvents()
      try database.checkedAudit()
    }
    return steps
  }

  @Test("after nine of ten rows are gone, commits shrink the file to 1.5 times the used bytes")
  func automatic() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    let full = database.usage().file
    try thin(database)
    let steps = database.drainEvents() + (try untilEnd(database, atMost: 500))
    #expect(steps.map(\.kind) == [.started, .finished])
    let last = try #require(steps.last)
    #expect((last.before, last.after) == (full, database.usage().file))
    #expect(last.after < full / 4)
    #expect(last.rewritten > 0)
    let path = bench.path()
    #expect(try FileSystem.size(of: path).bytes == last.after)
    try database.close()
    let again = try bench.open()
    #expect(try again.checkedAudit().rows == 600)
  }

  @Test("a commit moves no more than its budget allows: half its bytes, the free list, 4 KiB")
  func bounded() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    try thin(database)
    var moved = 0
    while database.drainEvents().allSatisfy({ $0.kind != .finished }) {
      let extents = try database.audit().freeExtents
      let before = database.bytesWritten
      try touch(database, 1)
      moved = max(moved, database.bytesWritten - before)
      // What one more leaf with its values can take comes on top, and the record.
      let budget = extents * 16 + (4 << 10) + (48 << 10) + extents * 24
      #expect(database.bytesWritten - before < budget)
    }
    #expect(moved > 0)
  }

  @Test("a snapshot of the time before delays the cut; the cut follows its end")
  func pinned() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    let full = database.usage().file
    let early = try database.beginSnapshot(label: "early")
    try thin(database)
    try touch(database, 300)
    // What the snapshot holds counts as used: there is nothing to compact.
    #expect(database.drainEvents() == [])
    early.end()
    try touch(database, 2)
    #expect(database.drainEvents().map(\.kind) == [.started])
    let late = try database.beginSnapshot(label: "late")
    let table = try #require(late.table("rows"))
    try touch(database, 300)
    #expect(database.drainEvents() == [])
    #expect(database.usage().file == full)
    #expect(try late.rows(table).count == 600)
    try database.checkedAudit()
    late.end()
    #expect(try untilEnd(database, atMost: 5).map(\.kind) == [.finished])
    #expect(database.usage().file < full / 4)
  }

  @Test("without room below the limit compaction gives up, says so, and begins again later")
  func givesUp() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    try thin(database)
    try touch(database, 1)
    #expect(database.drainEvents().map(\.kind) == [.started])
    // One value larger than all that is free below the limit.
    let limit = database.usage().usedForAutomatic * 3 / 2
    try database.write { transaction, table in
      try transaction.put(table, -1, [UInt8](repeating: 1, count: limit))
    }
    let abandoned = database.drainEvents()
    #expect(abandoned.map(\.kind) == [.abandoned])
    try database.checkedAudit()
    try database.write { transaction, table in _ = try transaction.delete(table, -1) }
    try touch(database, 7)
    #expect(database.drainEvents() == [])
    #expect(try untilEnd(database, atMost: 500).map(\.kind) == [.started, .finished])
  }

  @Test("switched off, and below the least size, the file stays as long as it is")
  func off() throws {
    let bench = try Workbench()
    let database = try bench.open(
      "data", DatabaseOptions(durability: .none, automaticCompaction: nil))
    try fill(database)
    let full = database.usage().file
    try thin(database)
    try touch(database, 100)
    #expect(database.usage().file == full)
    #expect(database.drainEvents() == [])
  }

  @Test("a copy has the rows of its snapshot, no more than a page free, and replaces nothing")
  func copy() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    try thin(database)
    try database.write { transaction, _ in
      let names = try transaction.table("names", .bytes)
      for key in 0..<300 { try transaction.put(names, Array("k\(key)".utf8), [UInt8(key & 255)]) }
      _ = try transaction.table("empty")
    }
    try database.writeCopy(to: bench.path("copy"))
    let exists = #expect(throws: StorageError.self) {
      try database.writeCopy(to: bench.path("copy"))
    }
    #expect(exists?.code == .alreadyExists)
    let copy = try bench.open(
      "copy", DatabaseOptions(durability: .none, verification: .everything))
    #expect(try copy.checkedAudit().rows == 900)
    #expect(copy.usage().free < 4096)
    #expect(copy.version == database.version)
    let mine = try database.beginSnapshot()
    let theirs = try copy.beginSnapshot()
    let table = try #require(mine.table("rows"))
    #expect(try mine.rows(table).map(\.1) == theirs.rows(table).map(\.1))
    theirs.end()
    try touch(copy, 20)
    #expect(try copy.checkedAudit().rows == 900)
  }

  @Test("at launch the predicate sees the file; a yes replaces it, a no leaves every byte")
  func onLaunch() throws {
    let bench = try Workbench()
    let first = try bench.open(compactOnLaunch: { _ in true })
    #expect(first.launchOutcome == .notCalled(.newDatabase))
    try fill(first)
    try thin(first)
    let account = first.usage()
    try first.close()
    let bytes = try FileSystem.read(bench.path())
    var seen: [LaunchUsage] = []
    let second = try bench.open(compactOnLaunch: {
      seen.append($0)
      return false
    })
    #expect(seen.map(\.totalBytes) == [account.file])
    #expect(seen.map(\.usedBytes) == [account.live + account.overhead])
    #expect(second.launchOutcome == .declined(seen[0]))
    try second.close()
    #expect(try FileSystem.read(bench.path()) == bytes)
    try FileSystem.write([1, 2, 3], to: bench.path("data.compacting"))
    let third = try bench.open(compactOnLaunch: { $0.totalBytes > 2 * $0.usedBytes })
    guard case .compacted(let before, let after, let rewritten) = third.launchOutcome else {
      Issue.record("\(third.launchOutcome)")
      return
    }
    #expect(before == seen[0])
    #expect(after.account == third.usage())
    #expect(after.totalBytes < before.totalBytes / 4)
    #expect(rewritten >= after.account.live)
    #expect(try FileSystem.list(bench.folder) == ["data"])
    #expect(try third.checkedAudit().rows == 600)
  }

  @Test("a file that was opened by a link is compacted where it is, and the link still leads to it")
  func throughLink() throws {
    let bench = try Workbench()
    #expect(symlink(bench.path("real").string, bench.path("link").string) == 0)
    let database = try bench.open("link")
    try fill(database)
    try thin(database)
    guard case .compacted = try database.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    try touch(database, 1)
    try database.close()
    let again = try bench.open("real")
    #expect(try again.checkedAudit().rows == 600)
    #expect(throws: StorageError.self) { try bench.open("link") }
    try again.close()
  }

  @Test("compaction on demand skips with a reason where a snapshot or a writer is")
  func skips() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try fill(database)
    let snapshot = try database.beginSnapshot(label: "the reader")
    try thin(database)
    let pin = try #require(database.oldestPins().first)
    let held = CompactionSkip.snapshotHeld(
      by: "the reader", version: snapshot.version, since: pin.beganWall,
      bytesRetained: database.usage().pinned)
    #expect(try database.compact() == .skipped(held))
    #expect(held.description.contains("\"the reader\""))
    snapshot.end()
    let transaction = try database.beginWrite()
    #expect(try database.compact() == .skipped(.writeTransactionOpen))
    #expect(try database.estimateCompaction().skip == .writeTransactionOpen)
    transaction.rollBack()
    let pathless = try Database.open(file: FaultyStorageFile(), options: Workbench.fast)
    #expect(try pathless.compact() == .skipped(.noPath))
    guard case .compacted(let before, let after, _) = try database.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    #expect(before.live >= after.live)
    #expect(try database.checkedAudit().rows == 600)
  }

  @Test("a commit that fails while blocks are moved abandons the compaction; a later one ends it")
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
    #expect(database.drainEvents().map(\.kind) == [.abandoned])
    try database.checkedAudit()
    #expect(try untilEnd(database, atMost: 500).map(\.kind) == [.started, .finished])
  }
}
