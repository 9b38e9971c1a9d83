// Copies, and compaction by copy: contents, estimates, progress, and errors.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Copies and compaction by copy")
struct CopyTests {
  /// Rows of many sizes at random keys in two tables, some changed, some deleted: nothing lies in key order.
  private func scatter(_ database: Database, seed: UInt64 = 7) throws {
    var random = SeededRandom(seed: testSeed(seed))
    for commit in 0..<40 {
      try database.write { transaction, table in
        let names = try transaction.table("names", .bytes)
        for _ in 0..<60 {
          let key = Int64(random.below(1500))
          try transaction.put(table, key, row(key, commit, count: random.below(900)))
          let name = Array("name \(random.below(1000))".utf8) + random.bytes(random.below(300))
          try transaction.put(names, name, random.bytes(random.below(200)))
          _ = try transaction.delete(table, Int64(random.below(1500)))
        }
      }
    }
  }

  private func allRows(_ database: Database) throws -> [[UInt8]] {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    var rows: [[UInt8]] = []
    if let table = snapshot.table("rows") {
      _ = try snapshot.scan(table) { rows.append(Array("\($0)".utf8) + Array($1)) }
    }
    if let names = snapshot.table("names") {
      let first = UnsafeRawBufferPointer(start: nil, count: 0)
      _ = try snapshot.scan(names, from: first) { rows.append(Array($0) + Array($1)) }
    }
    return rows
  }

  @Test("a copy of scattered rows has all of them, and passes full verification")
  func scattered() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try scatter(database)
    // Longer than the copy's buffer, and longer than its read-ahead window.
    try database.write { transaction, table in
      try transaction.put(table, -2, row(-2, 1, count: 900_000))
      try transaction.put(table, -1, row(-1, 1, count: 5_000_001))
    }
    try database.writeCopy(to: bench.path("copy"))
    let copy = try bench.open(
      "copy", DatabaseOptions(durability: .none, verification: .everything))
    let rows = try allRows(database)
    #expect(try allRows(copy) == rows)
    #expect(try copy.checkedAudit().rows == rows.count)
    try scatter(copy, seed: 8)
    try copy.checkedAudit()
  }

  @Test("within a write transaction the copy has the uncommitted changes, the database does not")
  func uncommitted() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try scatter(database)
    let before = try allRows(database)
    let transaction = try database.beginWrite()
    let table = try transaction.table("rows")
    for key in Int64(0)..<700 {
      try transaction.put(table, key, row(key, 99, count: Int(key) % 300))
    }
    try transaction.put(table, 9000, row(9000, 0, count: 2_000_000))
    for key in Int64(700)..<900 { _ = try transaction.delete(table, key) }
    let added = try transaction.table("added", .bytes)
    try transaction.put(added, Array("k".utf8), [1, 2, 3])
    var last: CompactionProgress?
    try transaction.writeCopy(to: bench.path("copy")) {
      last = $0
      return .continue
    }
    #expect(last.map { $0.bytesDone == $0.bytesTotal } == true)
    let exists = #expect(throws: StorageError.self) {
      try transaction.writeCopy(to: bench.path("copy"))
    }
    #expect(exists?.code == .alreadyExists)
    transaction.rollBack()
    #expect(try allRows(database) == before)
    let ended = #expect(throws: StorageError.self) {
      try transaction.writeCopy(to: bench.path("late"))
    }
    #expect(ended?.code == .closed)
    let copy = try bench.open(
      "copy", DatabaseOptions(durability: .none, verification: .everything))
    try copy.checkedAudit()
    let snapshot = try copy.beginSnapshot()
    let rows = try #require(snapshot.table("rows"))
    #expect(try snapshot.value(rows, 42) == row(42, 99, count: 42))
    #expect(try snapshot.value(rows, 9000) == row(9000, 0, count: 2_000_000))
    #expect(try snapshot.value(rows, 800) == nil)
    #expect(
      try snapshot.value(try #require(snapshot.table("added")), Array("k".utf8)) == [1, 2, 3])
  }

  @Test("the estimate equals what the compaction then writes, and changes no byte")
  func estimate() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try scatter(database)
    let bytes = try FileSystem.read(bench.path())
    let estimate = try database.estimateCompaction()
    #expect(try FileSystem.read(bench.path()) == bytes)
    #expect(try FileSystem.list(bench.folder) == ["data", "data.lock"])
    #expect(estimate.skip == nil)
    #expect(estimate.before == database.usage())
    #expect(estimate.nanoseconds != nil)
    #expect(try #require(estimate.diskAvailable) > estimate.diskNeeded)
    guard case .compacted(_, let after, let rewritten) = try database.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    #expect(after.file == estimate.resultBytes)
    #expect(rewritten == estimate.bytesToWrite)
    // A compact file stays as it is.
    #expect(try database.estimateCompaction().resultBytes == after.file)
    #expect(after.live <= estimate.before.live)
  }

  @Test(
    "the estimate of an encrypted database is right, and its sample on disk is encrypted")
  func encryptedEstimate() throws {
    let volume = FaultyVolume()
    var options = DatabaseOptions(automaticCompaction: nil)
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
    let database = try Database.open(path: "/data", on: volume, options: options)
    try database.write { transaction, table in
      for key in Int64(0)..<300 {
        try transaction.put(table, key, [UInt8](repeating: 7, count: 300))
      }
    }
    let sample = Array(repeating: UInt8(7), count: 40)
    var samples = 0
    volume.beforeOperation = { volume, operation, path in
      guard operation == .remove, let bytes = volume.file(path)?.liveBytes else { return }
      samples += 1
      #expect(bytes.count > 80_000)
      #expect(!(0..<bytes.count - 40).contains { Array(bytes[$0..<$0 + 40]) == sample })
    }
    let estimate = try database.estimateCompaction()
    volume.beforeOperation = nil
    #expect(samples == 1)
    #expect(estimate.skip == nil && estimate.nanoseconds != nil)
    guard case .compacted(_, let after, _) = try database.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    #expect(after.file == estimate.resultBytes)
    #expect(try database.inspect().account == after)
  }

  @Test("an empty database is copied, compacted and estimated like any other")
  func empty() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let estimate = try database.estimateCompaction()
    guard case .compacted(_, let after, _) = try database.compact() else {
      Issue.record("nothing stood in the way")
      return
    }
    #expect(after.file == estimate.resultBytes)
    try database.checkedAudit()
    try database.writeCopy(to: bench.path("copy"))
    #expect(try bench.open("copy").checkedAudit().rows == 0)
  }

  @Test("progress begins at zero, ascends, and ends with all live bytes")
  func progress() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try scatter(database)
    try database.write { transaction, table in
      for key in Int64(2000)..<8000 { try transaction.put(table, key, row(key, 0, count: 500)) }
    }
    let live = database.usage().live
    var seen: [CompactionProgress] = []
    let outcome = try database.compact {
      seen.append($0)
      return .continue
    }
    guard case .compacted = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(seen.first == CompactionProgress(bytesDone: 0, bytesTotal: live))
    #expect(seen.last == CompactionProgress(bytesDone: live, bytesTotal: live))
    #expect(seen.count > 3)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bytesDone <= $1.bytesDone })
  }

  @Test(
    "after a cancellation the file is unchanged, and nothing is left beside it",
    arguments: [0, 1, 2])
  func cancel(_ reports: Int) throws {
    let bench = try Workbench()
    let database = try bench.open()
    try scatter(database)
    try database.write { transaction, table in
      for key in Int64(2000)..<8000 { try transaction.put(table, key, row(key, 0, count: 500)) }
    }
    let bytes = try FileSystem.read(bench.path())
    var calls = 0
    let observer: CompactionObserver = { _ in
      calls += 1
      return calls > reports ? .cancel : .continue
    }
    #expect(try database.compact(observer) == .skipped(.cancelled))
    calls = 0
    let error = #expect(throws: StorageError.self) {
      try database.writeCopy(to: bench.path("copy"), observer)
    }
    #expect(error?.code == .cancelled)
    #expect(try FileSystem.list(bench.folder) == ["data", "data.lock"])
    #expect(try FileSystem.read(bench.path()) == bytes)
    try database.close()
    calls = 0
    let again = try Database.open(
      path: bench.path(), options: Workbench.fast, compactOnLaunch: { _ in true },
      compactionObserver: observer)
    #expect(again.launchOutcome.skip == .cancelled)
    try again.checkedAudit()
  }

  @Test("a damaged value fails a copy and never gets a valid checksum")
  func damage() throws {
    let bench = try Workbench()
    let first = try bench.open()
    try first.write { transaction, table in
      for key in Int64(0)..<500 { try transaction.put(table, key, row(key, 0, count: 600)) }
    }
    // Opening verifies what the newest commit wrote; other blocks are verified when they are read.
    try first.write { transaction, table in try transaction.put(table, 0, [1]) }
    try first.close()
    var bytes = try FileSystem.read(bench.path())
    let wanted = row(250, 0, count: 600)
    let byteOffset = try #require(
      (0..<bytes.count - 600).first { Array(bytes[$0..<$0 + 600]) == wanted })
    bytes[byteOffset + 100] ^= 1
    try FileSystem.write(bytes, to: bench.path())
    let database = try bench.open()
    let compacting = #expect(throws: StorageError.self) { try database.compact() }
    #expect(compacting?.code == .corrupt)
    let copying = #expect(throws: StorageError.self) {
      try database.writeCopy(to: bench.path("copy"))
    }
    #expect(copying?.code == .corrupt)
    #expect(copying?.message.contains("offset \(byteOffset)") == true)
    #expect(try FileSystem.list(bench.folder) == ["data", "data.lock"])
  }
}
