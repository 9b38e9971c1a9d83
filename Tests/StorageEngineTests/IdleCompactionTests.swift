// Idle compaction: called step by step, and by the background thread.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

// The time limit guards against a hang: it cancels the task, which the waiting loops check.
@Suite("Idle compaction", .timeLimit(.minutes(HangGuard.minutes)))
struct IdleCompactionTests {
  /// Most rows are deleted, and no further commits are made.
  private func sparse(_ change: (inout DatabaseOptions) -> Void = { _ in }) throws -> Database {
    let database = try Workbench.memory(change)
    try fill(database)
    try thin(database)
    return database
  }

  @Test("it completes what is due in commits that change no row, and stops with the reason")
  func toTheEnd() throws {
    let database = try sparse()
    guard case .due(_, _, _, let limit) = try database.automaticState.condition else {
      Issue.record("\(try database.automaticState)")
      return
    }
    let version = database.version
    let rows = try database.checkedAudit().rows
    let done = try database.reclaimWhileIdle()
    #expect(database.version == version + UInt64(done.steps))
    #expect(done.steps >= 2)
    #expect(database.usage().file == limit)
    let account = database.usage()
    #expect(
      done.end
        == .idle(.fileTooSmall(file: account.file, minimum: AutomaticCompaction().minimumFile)))
    #expect(database.drainEvents().map(\.kind) == [.started, .finished])
    #expect(try database.checkedAudit().rows == rows)
    // Once more there is nothing to do, and nothing is written.
    let written = database.bytesWritten
    #expect(try database.reclaimWhileIdle().steps == 0)
    #expect(database.bytesWritten == written)
  }

  @Test("a step moves no more than its limit, and the budget ends between two steps")
  func bounded() throws {
    let step = 32 << 10
    let database = try sparse {
      $0.idleCompaction = IdleCompaction(afterMilliseconds: 1 << 40, stepBytes: step)
    }
    defer { try? database.close() }
    var calls = 0
    var done = try database.reclaimWhileIdle(budget: 1)
    while done.end == .budgetSpent {
      #expect(done.steps == 1)
      #expect(database.evacuation.work.moved <= max(step, database.evacuation.work.budget))
      calls += 1
      done = try database.reclaimWhileIdle(budget: 1)
    }
    #expect(calls > 5)
    #expect(database.drainEvents().map(\.kind) == [.started, .finished])
  }

  @Test("an earlier snapshot prevents its beginning, and a later one its end")
  func pins() throws {
    let database = try Workbench.memory()
    try fill(database)
    let early = try database.beginSnapshot(label: "early")
    try thin(database)
    let kept = try database.reclaimWhileIdle()
    #expect(kept.steps == 0)
    guard case .idle(.pinned(let pin, _, _, _)) = kept.end else {
      Issue.record("\(kept)")
      return
    }
    #expect(pin.label == "early")
    early.end()
    _ = try database.reclaimWhileIdle(budget: 1)
    let late = try database.beginSnapshot(label: "late")
    let rows = try late.rows(try #require(late.table("rows")))
    let held = try database.reclaimWhileIdle()
    guard case .idle(.blockedBySnapshot(let other, let limit)) = held.end else {
      Issue.record("\(held)")
      return
    }
    #expect(other.label == "late")
    #expect(database.usage().file > limit)
    #expect(try late.rows(try #require(late.table("rows"))).elementsEqual(rows, by: ==))
    late.end()
    #expect(try database.reclaimWhileIdle().steps >= 1)
    #expect(database.usage().file == limit)
    try database.checkedAudit()
  }

  @Test("with the preset documented it does nothing while a snapshot is open")
  func documented() throws {
    let database = try sparse { $0.automaticCompaction = .documented }
    let reader = try database.beginSnapshot(label: "list")
    let done = try database.reclaimWhileIdle()
    #expect(done.steps == 0)
    guard case .idle(.blockedByReaders(let pin, 1)) = done.end else {
      Issue.record("\(done)")
      return
    }
    #expect(pin.label == "list")
    reader.end()
    #expect(try database.reclaimWhileIdle().steps >= 2)
  }

  @Test("it does nothing while a write transaction is open")
  func openTransaction() throws {
    let database = try sparse()
    let transaction = try database.beginWrite()
    #expect(try database.reclaimWhileIdle() == IdleReclamation(end: .writerWaiting))
    transaction.rollBack()
    #expect(try database.reclaimWhileIdle().steps >= 2)
  }

  @Test("a writer that arrives during a step waits for that step only")
  func waitingWriter() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: Workbench.fast)
    try fill(database)
    try thin(database)
    try database.close()
    var options = DatabaseOptions(durability: .full)
    options.idleCompaction = IdleCompaction(afterMilliseconds: 1 << 40, stepBytes: 8 << 10)
    let again = try Database.open(file: file, options: options)
    _ = try again.reclaimWhileIdle(budget: 1)
    let store = try again.store
    // The step's sync does not return before the writer waits.
    let writer = Handed<SystemThread>()
    file.beforeSync = { file in
      file.beforeSync = nil
      writer.value = try? SystemThread.start(name: "writer") {
        try? again.write { transaction, table in
          try transaction.put(table, -1, row(-1, 0, count: 100))
        }
      }
      while !store.lock.isAwaited && !Task.isCancelled { Clock.sleep(untilNanoseconds: 0) }
    }
    let version = again.version
    let done = try again.reclaimWhileIdle()
    #expect(done.steps == 1)
    #expect(done.end == .writerWaiting)
    writer.value?.join()
    #expect(again.version == version + 2)
    #expect(try again.reclaimWhileIdle().steps > 5)
    try again.checkedAudit()
    try again.close()
  }

  @Test("without automatic compaction there is nothing to do, and a closed database is an error")
  func nothingToDo() throws {
    let database = try sparse { $0.automaticCompaction = nil }
    #expect(try database.reclaimWhileIdle() == IdleReclamation(end: .idle(.switchedOff)))
    try database.close()
    #expect(throws: StorageError.self) { try database.reclaimWhileIdle() }
  }

  // MARK: The thread

  private static let thread = IdleCompaction(afterMilliseconds: 1, stepBytes: 16 << 10)

  /// Waits until the thread has done its work.
  private func wait(until isDone: () -> Bool) {
    while !isDone() && !Task.isCancelled {
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 1_000_000)
    }
  }

  @Test("the thread completes a compaction without further commits, also one of an earlier session")
  func thread() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    let first = try bench.open("data", options)
    try fill(first)
    try thin(first)
    try touch(first, 1)
    let limit = try #require(try first.automaticState.limit)
    try first.close()
    options.idleCompaction = Self.thread
    let second = try bench.open("data", options)
    wait { second.usage().file == limit }
    #expect(try second.checkedAudit().rows == 600)
    // The next thing to do is found after the commit that brings it.
    try fill(second)
    try thin(second)
    var kinds = second.drainEvents().map(\.kind)
    wait {
      kinds += second.drainEvents().map(\.kind)
      return kinds.count { $0 == .finished } >= 2
    }
    try second.close()
    #expect(try bench.open().checkedAudit().rows == 600)
  }

  @Test("it continues when the snapshot that prevented it ends, without a commit")
  func threadAndPin() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.idleCompaction = Self.thread
    let database = try bench.open("data", options)
    try fill(database)
    let pin = try database.beginSnapshot(label: "list")
    try thin(database)
    let full = database.usage().file
    pin.end()
    wait { database.usage().file < full / 2 }
    try database.checkedAudit()
    try database.close()
  }

  @Test("closing and compaction by copy never fail because of a step")
  func threadAndClosing() throws {
    var options = Workbench.fast
    options.idleCompaction = IdleCompaction(afterMilliseconds: 0, stepBytes: 4 << 10)
    var steps = 0
    for round in 0..<12 {
      let bench = try Workbench()
      let database = try bench.open("data", options)
      try fill(database)
      try thin(database)
      let version = database.version
      // After that many steps.
      wait { database.version >= version + UInt64(round) || database.usage().file < 1 << 20 }
      if round % 2 == 0 {
        guard case .compacted = try database.compact() else {
          Issue.record("round \(round): not compacted")
          continue
        }
      }
      steps += Int(database.version - version)
      try database.close()
      #expect(try bench.open().checkedAudit().rows == 600)
    }
    #expect(steps > 20)
  }

  @Test("concurrent writers, readers and the thread leave every row as it was written")
  func threadAndWriters() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.idleCompaction = IdleCompaction(afterMilliseconds: 0, stepBytes: 8 << 10)
    let database = try bench.open("data", options)
    for round in 0..<4 {
      try fill(database)
      try thin(database)
      for commit in 0..<100 {
        let snapshot = try database.beginSnapshot()
        try database.write { transaction, table in
          let key = Int64(commit) * 10 + 3
          try transaction.put(table, key, row(key, round + 1, count: 500))
        }
        #expect(try snapshot.count(try #require(snapshot.table("rows"))) == 600)
        snapshot.end()
      }
    }
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    for (key, value) in try snapshot.rows(table) {
      #expect(value == row(key, key < 1000 ? 4 : 0, count: 500))
    }
    snapshot.end()
    try database.close()
    #expect(try bench.open().checkedAudit().rows == 600)
  }
}

/// A value that one thread passes to another, which waits for it.
private final class Handed<Value>: @unchecked Sendable {
  var value: Value?
}
