// Compaction of the whole file: at launch, on demand, and as a copy.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Compaction")
struct CompactionTests {
  @Test("a copy has the rows of its snapshot, at most a page of free space, and replaces nothing")
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

  @Test(
    "at launch the predicate gets the file's size; true replaces the file, false leaves every byte")
  func onLaunch() throws {
    let bench = try Workbench()
    var untrimmed = Workbench.fast
    untrimmed.trimsOnClose = false
    let first = try bench.open("data", untrimmed, compactOnLaunch: { _ in true })
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
    #expect(try FileSystem.list(bench.folder) == ["data", "data.lock"])
    #expect(try third.checkedAudit().rows == 600)
  }

  @Test(
    "a file that was opened through a link is compacted in its folder, and the link still leads to it"
  )
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
    // Both names lead to one database, and so to one lock file.
    let byLink = try bench.open("link")
    try touch(byLink, 2)
    #expect(again.version == byLink.version)
    try again.close()
    try byLink.close()
    #expect(try FileSystem.list(bench.folder) == ["link", "real"])
  }

  @Test("compaction on demand skips with a reason while a snapshot or a write transaction is open")
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
}
