// Sessions of one process: the next that writes takes over the free space and the deferred free extents of the last.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("States that are taken over")
struct TakenOverStateTests {
  private static let variants: [DatabaseOptions] = [
    variant(.clustered, .exact), variant(.tightFit, .oldestReader), variant(.wholePages, .exact),
    variant(.exactOrTwice, .oldestReader, .whole),
  ]

  private static func variant(
    _ allocation: Allocation, _ reclamation: DatabaseOptions.Reclamation,
    _ records: DatabaseOptions.FreeListRecords = .differences
  ) -> DatabaseOptions {
    var options = DatabaseOptions(
      durability: .none, reclamation: reclamation, allocation: allocation, automaticCompaction: nil)
    options.freeListRecords = records
    return options
  }

  private func freeExtents(_ space: borrowing FreeSpace) -> [Extent] {
    var all: [Extent] = []
    space.enumerate { all.append($0) }
    return all.sorted { $0.offset < $1.offset }
  }

  /// Calls `body` with the session's own writer, as it is now.
  private func withWriter<Result>(
    of database: Database, _ body: (UnsafeMutablePointer<Writer>) throws -> Result
  ) throws -> Result {
    guard let access = try database.store.tryAcquireThreadLock() else {
      throw StorageError(.busy, "Another thread writes.")
    }
    return try body(access.writerAddress)
  }

  private func freeExtents(_ database: Database) throws -> [Extent] {
    try withWriter(of: database) { freeExtents($0.pointee.allocator.space) }
  }

  /// Records the store as the last writer, as the end of its transaction does.
  private func record(_ database: Database) throws {
    let context = try database.store.context
    try withWriter(of: database) { LastWriters.shared.record($0, context) }
  }

  private func isCurrent(_ database: Database) throws -> Bool {
    try database.store.readers.withLock { $0.isCurrent }
  }

  /// One of the changes of a random series, by `database`. Snapshots are held and ended by any session.
  private func step(
    _ database: Database, _ random: inout SeededRandom, _ held: inout [Snapshot]
  ) throws {
    switch random.below(10) {
    case 0: held.append(try database.beginSnapshot())
    case 1 where !held.isEmpty: held.remove(at: random.below(held.count)).end()
    case 2:
      let transaction = try database.beginWrite()
      try transaction.put(try transaction.table("rows"), 1, random.bytes(900))
      transaction.rollBack()
    default:
      try database.write { transaction, table in
        for _ in 0..<1 + random.below(30) {
          let key = Int64(random.below(900))
          if random.below(3) == 0 {
            _ = try transaction.delete(table, key)
          } else {
            try transaction.put(table, key, random.bytes(random.below(1500)))
          }
        }
      }
    }
  }

  @Test(
    "sessions that take turns write the file that one session writes, byte for byte",
    arguments: variants)
  func sameFile(options: DatabaseOptions) throws {
    let seed = testSeed(31)
    var files: [[UInt8]] = []
    for count in [1, 4] {
      let bench = try Workbench()
      let sessions = try (0..<count).map { _ in try bench.open("data", options) }
      var (random, turns) = (SeededRandom(seed: seed), SeededRandom(seed: seed &+ 1))
      var held: [Snapshot] = []
      for number in 0..<300 {
        let database = sessions[turns.below(4) % count]
        try step(database, &random, &held)
        if number % 25 == 0 { try database.checkedAudit("SEED=\(seed), step \(number)") }
      }
      files.append(try FileSystem.read(bench.path()))
      for snapshot in held { snapshot.end() }
      for database in sessions { try database.close() }
      try bench.open("data", options).checkedAudit("SEED=\(seed), after closing")
    }
    #expect(files[0] == files[1], "SEED=\(seed)")
  }

  @Test(
    "it is taken over without a commit, and back; the session that had it has the account alone")
  func withoutCommit() throws {
    let bench = try Workbench()
    let (first, second) = (try bench.open(), try bench.open())
    var random = SeededRandom(seed: testSeed())
    var held: [Snapshot] = []
    for _ in 0..<60 { try step(first, &random, &held) }
    let snapshot = try first.beginSnapshot()
    try first.makeSavepoint("kept")
    for _ in 0..<5 { try step(first, &random, &held) }
    try first.write { transaction, table in try transaction.put(table, 1, [1]) }
    let (extents, usage) = (try freeExtents(first), first.usage())
    for (taker, other) in [(second, first), (first, second)] {
      try taker.beginWrite().rollBack()
      #expect(try [isCurrent(taker), isCurrent(other)] == [true, false])
      #expect(try freeExtents(taker) == extents)
      #expect(try freeExtents(other) == [])
      #expect(try other.store.readers.withLock { $0.deferredFree.isEmpty && $0.account == usage })
      #expect([taker.usage(), other.usage()] == [usage, usage])
      #expect(taker.oldestPins() == other.oldestPins())
      #expect(try taker.savepoints == other.savepoints)
    }
    snapshot.end()
    for snapshot in held { snapshot.end() }
    try first.close()
    try second.checkedAudit()
    try second.close()
  }

  @Test("an outdated state of the session that wrote last is freed, since it is of no use to any")
  func outdated() throws {
    let bench = try Workbench()
    let (first, second) = (try bench.open(), try bench.open())
    let other = try bench.open("data", Workbench.asProcess)
    for database in [other, first] {
      try database.write { transaction, table in
        for key in Int64(0)..<300 { try transaction.put(table, key, row(key, 0, count: 200)) }
      }
    }
    #expect(try freeExtents(first) != [])
    // Without a takeover, as another process would.
    LastWriters.shared.removeAny(ofFileOf: try first.store.context)
    try other.write { transaction, table in try transaction.put(table, 1, [1]) }
    try record(first)
    try second.write { transaction, table in try transaction.put(table, 2, [2]) }
    #expect(try freeExtents(first) == [])
    for database in [first, second, other] { try database.checkedAudit() }
  }

  @Test(
    "nothing is taken over from a session with another allocation, nor after a commit that was left unfinished"
  )
  func replayed() throws {
    let bench = try Workbench()
    let (first, second) = (try bench.open(), try bench.open("data", Self.variants[1]))
    let third = try bench.open()
    func put(_ database: Database) throws {
      try database.write { transaction, table in
        for key in Int64(0)..<300 { try transaction.put(table, key, row(key, 0, count: 200)) }
      }
    }
    try put(third)
    try put(first)
    let extents = try freeExtents(first)
    try second.beginWrite().rollBack()
    #expect(try freeExtents(first) == extents)
    try put(first)
    // As if it had died in its next commit.
    let session = try first.store.session
    session.table[.committing] = session.number
    try third.beginWrite().rollBack()
    #expect(try isCurrent(third))
    #expect(try freeExtents(first) != [])
    for database in [second, third] { try database.checkedAudit() }
  }

  @Test(
    "threads with a session each commit, read, close and open at once: every commit is there, and all bytes add up",
    arguments: [Workbench.fast, Workbench.asProcess] + variants)
  func threads(options: DatabaseOptions) throws {
    let bench = try Workbench()
    let path = bench.path()
    let first = try bench.open("data", options)
    let failures = Locked<[String]>([])
    let threads = try (Int64(0)..<6).map { number in
      try SystemThread.start(name: "session \(number)") {
        do {
          try Self.work(path, options, number)
        } catch {
          failures.withLock { $0.append("session \(number): \(error)") }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(failures.withLock { $0 } == [])
    let audit = try first.checkedAudit()
    #expect(audit.rows == 6 * 40)
    let snapshot = try first.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    for key in Int64(0)..<6 * 40 {
      #expect(try snapshot.value(table, key) == row(key, Int(80 + key % 40), count: 300))
    }
    snapshot.end()
    try first.close()
  }

  /// Puts 40 rows three times, and closes and opens between them.
  private static func work(
    _ path: FilePath, _ options: DatabaseOptions, _ session: Int64
  ) throws {
    for round in 0..<3 {
      let database = try Database.open(path: path, options: options)
      for index in 0..<40 {
        let held = index % 9 == 0 ? try database.beginSnapshot() : nil
        let key = session * 40 + Int64(index)
        try database.write { transaction, table in
          try transaction.put(table, key, row(key, round * 40 + index, count: 300))
        }
        let usage = database.usage()
        #expect(usage.live + usage.free + usage.pinned + usage.overhead == usage.file)
        held?.end()
      }
      try database.close()
    }
  }
}
