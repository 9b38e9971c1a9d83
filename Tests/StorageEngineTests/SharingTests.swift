// Several sessions of one file in one process, which are to the engine like several processes: they share the file and the lock
// file, and no more with the options `Workbench.asProcess`.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Sharing a file")
struct SharingTests {
  private func put(_ database: Database, _ keys: Range<Int64>, _ generation: Int) throws {
    try database.write { transaction, table in
      for key in keys { try transaction.put(table, key, row(key, generation, count: 200)) }
    }
  }

  private func value(_ database: Database, _ key: Int64) throws -> [UInt8]? {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    return try snapshot.table("rows").flatMap { try snapshot.value($0, key) }
  }

  @Test(
    "an audit accepts versions that only another session has a snapshot of, also the newest one"
  )
  func snapshotsOfOthers() throws {
    let bench = try Workbench()
    let first = try bench.open()
    try first.write { transaction, table in try transaction.put(table, 1, [1]) }
    let second = try bench.open()
    let newest = try second.beginSnapshot()
    try first.checkedAudit()
    try first.write { transaction, table in try transaction.put(table, 1, [2]) }
    try first.checkedAudit()
    newest.end()
    try second.close()
    try first.close()
  }

  @Test(
    "each session sees the commits of the others, however often they take turns",
    arguments: [Workbench.fast, Workbench.asProcess])
  func turns(options: DatabaseOptions) throws {
    let bench = try Workbench()
    let openings = try (0..<3).map { _ in try bench.open("data", options) }
    for turn in 0..<60 {
      try put(openings[turn % 3], 0..<20, turn)
      for database in openings {
        #expect(try value(database, 7) == row(7, turn, count: 200))
        #expect(database.usage() == openings[turn % 3].usage())
      }
      if turn % 7 == 0 { try openings[(turn + 1) % 3].checkedAudit("turn \(turn)") }
    }
    for database in openings { try database.close() }
    #expect(try FileSystem.list(bench.folder) == ["data"])
    #expect(try bench.open().checkedAudit().rows == 20)
  }

  @Test("a session that is alone writes without the byte lock, until another one joins")
  func soleWriter() throws {
    let bench = try Workbench()
    let first = try bench.open()
    let session = try first.store.session
    var transaction = try first.beginWrite()
    #expect(session.isSoleWriter)
    let second = try bench.open()
    let other = try second.store.session
    // The other session has the byte lock to itself, but sees that the first one writes.
    #expect(try !other.tryAcquireWriteLock())
    transaction.rollBack()
    #expect(try other.tryAcquireWriteLock())
    #expect(try !session.tryAcquireWriteLock())
    other.releaseWriteLock()
    transaction = try first.beginWrite()
    #expect(!session.isSoleWriter)
    #expect(try !other.tryAcquireWriteLock())
    transaction.rollBack()
    try second.close()
    // It stays so, since whether others are alive is not asked at each commit.
    transaction = try first.beginWrite()
    #expect(!session.isSoleWriter)
    transaction.rollBack()
    try first.close()
  }

  @Test("a snapshot of another session pins exactly what its own would, until it ends")
  func pins() throws {
    let bench = try Workbench()
    let (writer, reader) = (try bench.open(), try bench.open())
    let alone = try bench.open("alone")
    for database in [writer, alone] { try put(database, 0..<100, 0) }
    let (held, own) = (try reader.beginSnapshot(label: "elsewhere"), try alone.beginSnapshot())
    for generation in 1..<5 {
      for database in [writer, alone] { try put(database, 20..<80, generation) }
    }
    #expect(writer.usage() == alone.usage())
    #expect(reader.usage() == alone.usage())
    #expect(writer.usage().pinned > 60 * 200)
    let pin = try #require(writer.oldestPins().first)
    #expect(pin.label == "elsewhere")
    #expect(pin.exclusive == writer.usage().pinned)
    #expect(reader.oldestPins() == writer.oldestPins())
    try writer.checkedAudit()
    let table = try #require(held.table("rows"))
    #expect(try held.value(table, 50) == row(50, 0, count: 200))
    held.end()
    own.end()
    #expect(writer.usage() == alone.usage())
    #expect(writer.usage().pinned == 0)
    try writer.checkedAudit()
  }

  @Test("compaction is skipped beside another session, and done by the last one")
  func compaction() throws {
    let bench = try Workbench()
    let first = try bench.open()
    try put(first, 0..<2000, 0)
    try first.write { transaction, table in
      for key in Int64(10)..<2000 { _ = try transaction.delete(table, key) }
    }
    let second = try bench.open(compactOnLaunch: { _ in true })
    guard case .skipped(_, .openElsewhere(pid: SystemThread.currentProcess)) = second.launchOutcome
    else {
      Issue.record("\(second.launchOutcome)")
      return
    }
    #expect(try first.compact() == .skipped(.openElsewhere(pid: SystemThread.currentProcess)))
    try first.close()
    guard case .compacted = try second.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    // The file has been replaced; a new session finds the same lock file.
    let third = try bench.open()
    try put(third, 0..<1, 1)
    #expect(try value(second, 0) == row(0, 1, count: 200))
    try second.checkedAudit()
  }

  @Test("exclusive and shared openings exclude each other")
  func alone() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.sharing = .exclusive
    let sharing = try bench.open()
    #expect(throws: StorageError.self) { try bench.open("data", options) }
    try sharing.close()
    let alone = try bench.open("data", options)
    #expect(try FileSystem.list(bench.folder) == ["data"])
    let refused = #expect(throws: StorageError.self) { try bench.open() }
    #expect(refused?.code == .busy)
    try alone.close()
  }

  @Test("a lock file left by a crash of the machine is initialized again, whatever is in it")
  func staleLockFile() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try put(database, 0..<10, 1)
    let snapshot = try database.beginSnapshot(label: "lost")
    let left = try FileSystem.read(bench.path("data.lock"))
    snapshot.end()
    try database.close()
    for bytes in [left, [UInt8](repeating: 0xFF, count: 70_000), [1, 2, 3]] {
      try FileSystem.write(bytes, to: bench.path("data.lock"))
      let again = try bench.open()
      #expect(again.oldestPins() == [])
      try put(again, 0..<10, 2)
      try again.checkedAudit()
      try again.close()
      #expect(try FileSystem.list(bench.folder) == ["data"])
    }
  }

  @Test("the reader table grows with its readers, and its slots are reused")
  func manyReaders() throws {
    let bench = try Workbench()
    let (first, second) = (try bench.open(), try bench.open())
    try put(first, 0..<5, 0)
    var held: [Snapshot] = []
    for _ in 0..<600 {
      held.append(try first.beginSnapshot())
      held.append(try second.beginSnapshot(label: "second"))
    }
    let size = try FileSystem.size(of: bench.path("data.lock")).bytes
    #expect(size > ReaderTable.initialSize)
    #expect(first.oldestPins().count == 1200)
    #expect(second.oldestPins().count { $0.label == "second" } == 600)
    try put(second, 0..<5, 1)
    try first.checkedAudit()
    for snapshot in held { snapshot.end() }
    for _ in 0..<600 { held.append(try first.beginSnapshot()) }
    #expect(try FileSystem.size(of: bench.path("data.lock")).bytes == size)
    held.removeAll()
    #expect(first.usage().pinned == 0)
  }

  @Test("a long label is truncated between two characters")
  func longLabel() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let snapshot = try database.beginSnapshot(label: String(repeating: "ä", count: 30) + "x")
    #expect(database.oldestPins().first?.label == String(repeating: "ä", count: 20))
    snapshot.end()
    let odd = try database.beginSnapshot(label: "x" + String(repeating: "ä", count: 30))
    #expect(database.oldestPins().first?.label == "x" + String(repeating: "ä", count: 19))
    odd.end()
  }

  @Test("a durable commit first syncs what a session without syncs committed before it")
  func mixedDurability() throws {
    let bench = try Workbench()
    let fast = try bench.open()
    let durable = try bench.open("data", DatabaseOptions())
    try put(fast, 0..<5, 0)
    let before = durable.syncCount
    try put(durable, 0..<5, 1)
    #expect(durable.syncCount - before == 2)
    try put(durable, 0..<5, 2)
    #expect(durable.syncCount - before == 3)
    #expect(fast.syncCount == 0)
  }

  @Test(
    "automatic compaction continues when sessions take turns, and truncates what no reader uses")
  func automaticInTurns() throws {
    let bench = try Workbench()
    let (first, second) = (try bench.open(), try bench.open())
    try put(first, 0..<12_000, 0)
    try first.write { transaction, table in
      for key in Int64(100)..<12_000 { _ = try transaction.delete(table, key) }
    }
    let before = first.usage().file
    for turn in 0..<400 {
      let database = turn / 50 % 2 == 0 ? first : second
      try put(database, Int64(turn % 100)..<Int64(turn % 100 + 1), turn)
      _ = try value(turn % 2 == 0 ? first : second, 50)
    }
    #expect(first.usage().file < before / 4)
    #expect(try FileSystem.size(of: bench.path()).bytes == first.usage().file)
    try second.checkedAudit()
  }
}
