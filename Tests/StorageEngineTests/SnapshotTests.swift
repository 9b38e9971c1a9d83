// Snapshots: what they see, what they retain, and what their end frees. Space is exact.
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

  @Test("a snapshot keeps its version over commits, until it is refreshed or ended")
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

  @Test("a duplicate pins the version with its own label, after the first has moved on")
  func duplicate() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try churn(database, from: 0, commits: 20)
    let first = try database.beginSnapshot(label: "first")
    let table = try #require(first.table("rows"))
    try churn(database, from: 20, commits: 20)
    let second = try first.duplicate(label: "second")
    let before = try first.rows(table).map(\.1)
    #expect(second.version == first.version)
    #expect(database.oldestPins().map(\.label) == ["first", "second"])
    let pinned = database.usage().pinned
    try first.refresh()
    try churn(database, from: 40, commits: 1)
    first.end()
    #expect(try second.rows(table).map(\.1) == before)
    #expect(database.usage().pinned == pinned)
    try database.checkedAudit()
    second.end()
    #expect(throws: StorageError.self) { try first.duplicate(label: "third") }
    #expect(database.usage().pinned == 0)
  }

  @Test("a transaction's scan gives the rows as they are within it, in order")
  func scanInTransaction() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try churn(database, from: 0, commits: 20)
    let transaction = try database.beginWrite()
    let table = try transaction.table("rows")
    let named = try transaction.table("named", .bytes)
    for key in stride(from: Int64(0), to: 200, by: 2) {
      #expect(try transaction.delete(table, key))
      try transaction.put(named, Array("k\(key)".utf8), row(key, 0, count: 600))
    }
    try transaction.put(table, 1_000, row(1_000, 0, count: 600))
    var keys: [Int64] = []
    #expect(try transaction.scan(table) { key, _ in keys.append(key) } == 101)
    #expect(keys == Array(stride(from: Int64(1), to: 200, by: 2)) + [1_000])
    var portion: [Int64] = []
    #expect(try transaction.scan(table, from: 50, limit: 3) { key, _ in portion.append(key) } == 3)
    #expect(portion == [51, 53, 55])
    var names: [String] = []
    let first = Array("k9".utf8)
    _ = try first.withBytes { (first) throws(StorageError) in
      try transaction.scan(named, from: first) { key, value in
        names.append(String(decoding: key, as: UTF8.self))
        #expect(value.count == 600)
      }
    }
    #expect(names == ["k90", "k92", "k94", "k96", "k98"])
    transaction.rollBack()
    #expect(throws: StorageError.self) { try transaction.scan(table) { _, _ in } }
  }

  @Test("under one pin, exact reclamation retains the blocks of the pinned version and no others")
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

  @Test("under one pin, oldest-reader reclamation retains what every commit freed, to the byte")
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

  @Test("a hundred snapshots ended in random order see their versions, and nothing stays pinned")
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

  @Test("a rolled-back transaction leaves no trace and releases the write lock")
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

  @Test("close fails while a snapshot is open; after it every call fails")
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

  @Test("a durable commit syncs once, and without durability the file has the same bytes")
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
