// Threads at the critical points: a file replaced under waiting writers, a close concurrent with new snapshots, and
// pins that come and go while commits reclaim.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

/// Counts and the first error of several threads.
private final class Tally: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var count = 0
  private var first: (any Error)?

  func add() { mutex.withLock { count += 1 } }
  func note(_ error: any Error) { mutex.withLock { if first == nil { first = error } } }
  var value: Int { mutex.withLock { count } }
  var error: (any Error)? { mutex.withLock { first } }
}

@Suite("Concurrency")
struct ConcurrencyTests {
  @Test(
    "compaction on demand fails no other thread: writers and snapshots continue in the new file")
  func compactionUnderLoad() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<500 { try transaction.put(table, key, row(key, 0, count: 90)) }
    }
    let commits = 150
    let done = Tally()
    let errors = Tally()
    func thread(_ name: String, _ body: @escaping @Sendable () throws -> Void) throws
      -> SystemThread
    {
      try SystemThread.start(name: name) {
        do { try body() } catch { errors.note(error) }
        done.add()
      }
    }
    let writers = try (Int64(1)...2).map { writer in
      try thread("writer") {
        for commit in 0..<commits {
          try database.write { transaction, table in
            try transaction.put(
              table, writer * 1000 + Int64(commit), row(writer, commit, count: 90))
          }
        }
      }
    }
    let reader = try thread("reader") {
      for _ in 0..<400 {
        let snapshot = try database.beginSnapshot()
        let table = try #require(snapshot.table("rows"))
        #expect(try snapshot.rows(table).count == snapshot.count(table))
        snapshot.end()
        _ = try database.audit()
      }
    }
    var compacted = 0
    while done.value < 3 {
      do {
        if case .compacted = try database.compact() { compacted += 1 }
      } catch {
        errors.note(error)
        break
      }
    }
    for thread in writers + [reader] { thread.join() }
    #expect(errors.error == nil)
    #expect(compacted > 0)
    #expect(try database.checkedAudit().rows == 500 + 2 * commits)
  }

  @Test("a thread that is slow to release a replaced file retains that one and no later one")
  func replacedStores() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { try $0.put($1, 1, [1, 2, 3]) }
    try withExtendedLifetime(database.storeForTests) {
      guard case .compacted = try database.compact() else { throw StoreKept.notReplaced }
      weak let second = database.storeForTests
      #expect(second != nil)
      guard case .compacted = try database.compact() else { throw StoreKept.notReplaced }
      #expect(second == nil)
    }
    try database.checkedAudit()
  }

  private enum StoreKept: Error { case notReplaced }

  @Test("closing wakes every waiting writer with an error")
  func waitingWriters() throws {
    let bench = try Workbench()
    for round in 0..<40 {
      let database = try bench.open("data\(round)")
      let store = database.storeForTests
      let access = try store.acquireWriteLock()
      let (ready, refused) = (Tally(), Tally())
      let threads = try (0..<4).map { _ in
        try SystemThread.start(name: "waits") {
          ready.add()
          do { _ = try store.acquireWriteLock() } catch { refused.add() }
        }
      }
      // Threads that are not waiting yet find the store closed; those that are waiting are tested here.
      while ready.value < 4 { _ = database.usage() }
      let isClosed = access.closeIfUnpinned()
      #expect(isClosed)
      _ = consume access
      for thread in threads { thread.join() }
      #expect(refused.value == 4)
    }
  }

  @Test("a close concurrent with new snapshots either fails or leaves no snapshot open")
  func closeRace() throws {
    let bench = try Workbench()
    for round in 0..<100 {
      let database = try bench.open("data")
      try database.write { transaction, table in
        try transaction.put(table, Int64(round), [1, 2, 3])
      }
      let held = Tally()
      let thread = try SystemThread.start(name: "snapshots") {
        while let snapshot = try? database.beginSnapshot() {
          held.add()
          // The database cannot have been closed while this one is held.
          if !database.isOpen { held.note(StorageError.databaseClosed) }
          snapshot.end()
        }
      }
      while held.value == 0 { _ = database.usage() }
      while database.isOpen {
        do throws(StorageError) { try database.close() } catch {
          #expect(error.code == .snapshotsHeld)
        }
      }
      thread.join()
      #expect(held.error == nil, "round \(round)")
      // No session has the file: it can be opened again at once.
    }
  }

  @Test("pins concurrent with commits see complete versions, and release all bytes at the end")
  func pinsBesideCommits() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let rows = Int64(60)
    func write(_ generation: Int) throws {
      try database.write { transaction, table in
        for key in 0..<rows {
          try transaction.put(table, key, row(key, generation, count: key % 2 == 0 ? 40 : 300))
        }
      }
    }
    try write(0)
    let (over, errors) = (Tally(), Tally())
    let threads = try (0..<3).map { number in
      try SystemThread.start(name: "pins") {
        var random = SeededRandom(seed: UInt64(number))
        var held: [Snapshot] = []
        do {
          while over.value == 0 {
            if held.count < 8 { held.append(try database.beginSnapshot()) }
            let index = random.below(held.count)
            if random.oneIn(3) { try held[index].refresh() }
            let table = Table(index: 0, keyKind: .int64)
            let first = try #require(try held[index].value(table, 0))
            let generation = Int(first[0]) &* 183  // 7 × 183 is 1 modulo 256.
            for key in [Int64(1), 30, rows - 1] {
              let expected = row(key, generation, count: key % 2 == 0 ? 40 : 300)
              #expect(try held[index].value(table, key) == expected)
            }
            if random.oneIn(2) { held.remove(at: index).end() }
          }
        } catch { errors.note(error) }
      }
    }
    for generation in 1...300 {
      try write(generation)
      // Not compared with the running account: pins come and go between the two.
      if generation % 50 == 0 { #expect(try database.audit().violations == []) }
    }
    over.add()
    for thread in threads { thread.join() }
    #expect(errors.error == nil)
    #expect(database.oldestPins().isEmpty)
    #expect(try database.checkedAudit().account.pinned == 0)
    try database.close()
  }
}
