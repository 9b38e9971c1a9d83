// What a snapshot sees, what it keeps, and what goes with it. Space is exact.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Snapshots")
struct SnapshotTests {
  /// 200 rows of 264 bytes, then `commits` commits that each replace 10 of them in turn.
  private func churn(_ database: Database, from first: Int, commits: Int) throws {
    for commit in first..<first + commits {
      try database.write { transaction, table in
        for index in 0..<10 {
          let key = Int64((commit * 10 + index) % 200)
          try transaction.put(table, key, row(key, commit, count: 264))
        }
      }
    }
  }

  @Test("a snapshot keeps its version over commits; refresh moves it, end gives its bytes back")
  func isolation() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try churn(database, from: 0, commits: 20)
    let snapshot = try database.beginSnapshot(label: "reader")
    let table = try #require(snapshot.table("rows"))
    let before = try snapshot.rows(table).map(\.1)
    try churn(database, from: 20, commits: 40)
    #expect(try snapshot.rows(table).map(\.1) == before)
    #expect(database.oldestPins().map(\.label) == ["reader"])
    #expect(database.versions == 2)
    #expect(database.usage().pinned > 200 * 264)
    try snapshot.refresh()
    #expect(snapshot.version == database.version)
    #expect(try snapshot.value(table, 3) == row(3, 40, count: 264))
    #expect(database.usage().pinned == 0)
    try database.checkedAudit()
    snapshot.end()
    #expect(throws: StorageError.self) { try snapshot.count(table) }
    #expect(database.versions == 1)
  }

  @Test("under one pin, exact reclamation keeps the pinned version's blocks and nothing more")
  func exactPlateau() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try churn(database, from: 0, commits: 20)
    let live = database.usage().live
    let snapshot = try database.beginSnapshot()
    try churn(database, from: 20, commits: 20)
    // Every row and every node has been replaced once: what is pinned is the whole old version.
    #expect(database.usage().pinned == live)
    try churn(database, from: 40, commits: 200)
    #expect(database.usage().pinned == live)
    try database.checkedAudit()
    snapshot.end()
    #expect(database.usage().pinned == 0)
  }

  @Test("under one pin, oldest-reader reclamation keeps what every commit freed, to the byte")
  func oldestReaderGrows() throws {
    let bench = try Workbench()
    let database = try bench.open(
      "data", DatabaseOptions(durability: .none, reclamation: .oldestReader))
    try churn(database, from: 0, commits: 40)
    let snapshot = try database.beginSnapshot()
    var pinned: [Int] = []
    for round in 0..<5 {
      try churn(database, from: 40 + round * 20, commits: 20)
      pinned.append(database.usage().pinned)
    }
    // Each round of twenty commits frees the same blocks over again.
    #expect(Set(zip(pinned, [0] + pinned).map { $0 - $1 }).count == 1)
    #expect(pinned[0] > 200 * 264)
    try database.checkedAudit()
    snapshot.end()
    #expect(database.usage().pinned == 0)
    try database.checkedAudit()
  }

  @Test("a hundred snapshots released in random order see their versions and leave nothing behind")
  func manyHolders() throws {
    let bench = try Workbench()
    let database = try bench.open()
    var random = SeededRandom(seed: testSeed())
    var held: [(Snapshot, Int)] = []
    for commit in 0..<100 {
      try churn(database, from: commit, commits: 1)
      held.append((try database.beginSnapshot(), commit))
    }
    while !held.isEmpty {
      let (snapshot, commit) = held.remove(at: random.below(held.count))
      let table = try #require(snapshot.table("rows"))
      let key = Int64(commit * 10 % 200)
      #expect(try snapshot.value(table, key) == row(key, commit, count: 264))
      snapshot.end()
      if held.count % 10 == 0 { try database.checkedAudit("seed \(random.seed)") }
    }
    #expect(database.usage().pinned == 0)
  }

  @Test("a rolled-back transaction leaves no trace, and the writer's place is free again")
  func rollBack() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try churn(database, from: 0, commits: 20)
    let before = database.usage()
    let bytes = database.bytesWritten
    let transaction = try database.beginWrite()
    let table = try transaction.table("other")
    try transaction.put(table, 1, [1, 2, 3])
    transaction.rollBack()
    transaction.rollBack()
    #expect(throws: StorageError.self) { try transaction.commit() }
    #expect(database.usage() == before)
    #expect(database.bytesWritten == bytes)
    try churn(database, from: 20, commits: 1)
    #expect(try database.beginSnapshot().table("other") == nil)
  }

  @Test("close refuses while a snapshot is open, and then everything is refused")
  func closing() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try churn(database, from: 0, commits: 3)
    let snapshot = try database.beginSnapshot()
    let held = #expect(throws: StorageError.self) { try database.close() }
    #expect(held?.code == .snapshotsHeld)
    var alone = Workbench.fast
    alone.sharing = .exclusive
    let busy = #expect(throws: StorageError.self) { try bench.open("data", alone) }
    #expect(busy?.code == .busy)
    snapshot.end()
    try database.close()
    #expect(throws: StorageError.self) { try database.beginSnapshot() }
    #expect(throws: StorageError.self) { try database.beginWrite() }
    let again = try bench.open()
    #expect(try again.checkedAudit().rows == 30)
  }

  @Test("a full commit syncs once, and without durability the file has the same bytes")
  func sameLayout() throws {
    let bench = try Workbench()
    var images: [[UInt8]] = []
    for durability in [DatabaseOptions.Durability.full, .none] {
      let name = "\(durability)"
      let database = try bench.open(name, DatabaseOptions(durability: durability))
      try churn(database, from: 0, commits: 20)
      let snapshot = try database.beginSnapshot()
      let syncs = database.syncCount
      try churn(database, from: 20, commits: 30)
      #expect(database.syncCount - syncs == (durability == .full ? 30 : 0))
      snapshot.end()
      try churn(database, from: 50, commits: 30)
      try database.close()
      images.append(try FileSystem.read(bench.path(name)))
    }
    #expect(images[0] == images[1])
  }
}
