// Savepoints: named versions that outlive the process, retain their bytes and no more, until they are dropped.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Savepoints")
struct SavepointTests {
  private func write(_ database: Database, _ generation: Int, keys: Range<Int64> = 0..<100) throws {
    try database.write { transaction, table in
      for key in keys { try transaction.put(table, key, row(key, generation, count: 200)) }
    }
  }

  private func expect(
    _ snapshot: Snapshot, holds generation: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let table = try #require(snapshot.table("rows"))
    let rows = try snapshot.rows(table)
    let agree = rows.count == 100 && rows.allSatisfy { $0.1 == row($0.0, generation, count: 200) }
    #expect(agree, sourceLocation: sourceLocation)
  }

  @Test(
    "a savepoint keeps its rows over commits, closing and opening, and frees its bytes when dropped",
    arguments: [DatabaseOptions.Reclamation.exact, .oldestReader])
  func survives(_ reclamation: DatabaseOptions.Reclamation) throws {
    let bench = try Workbench()
    let options = DatabaseOptions(durability: .none, reclamation: reclamation)
    var database = try bench.open("data", options)
    try write(database, 0)
    let version = try database.makeSavepoint("before import")
    #expect(version == database.version)
    for generation in 1...5 { try write(database, generation) }
    let usage = database.usage()
    #expect(usage.pinned > 100 * 200)
    var newest = 5
    for _ in 0..<3 {
      try database.checkedAudit()
      try database.close()
      database = try bench.open("data", options)
      #expect(database.usage().pinned == usage.pinned)
      #expect(try database.savepoints.map(\.name) == ["before import"])
      #expect(try database.savepoints.map(\.version) == [version])
      let snapshot = try database.snapshot(atSavepoint: "before import", label: "look back")
      #expect(snapshot.version == version)
      try expect(snapshot, holds: 0)
      try expect(try database.beginSnapshot(), holds: newest)
      snapshot.end()
      if reclamation == .oldestReader { continue }
      // The newest commit is one that frees nothing which the savepoint sees.
      for _ in 0..<5 {
        newest += 1
        try write(database, newest)
      }
      #expect(database.usage().pinned == usage.pinned)
    }
    let pin = try #require(database.oldestPins().first)
    #expect(pin.kind == .savepoint && pin.label == "before import" && pin.process == nil)
    #expect(pin.exclusive == usage.pinned && pin.shared == 0)
    try database.dropSavepoint("before import")
    #expect(database.usage().pinned == 0)
    #expect(try database.savepoints == [])
    try database.checkedAudit()
    try database.close()
    database = try bench.open("data", options)
    #expect(database.usage().pinned == 0)
    try database.checkedAudit()
  }

  @Test(
    "a savepoint made in a transaction has all of its changes, and does not exist after a rollback")
  func withinTransaction() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try write(database, 0)
    let transaction = try database.beginWrite()
    try transaction.makeSavepoint("mark")
    let table = try transaction.table("rows")
    for key in Int64(0)..<100 { try transaction.put(table, key, row(key, 1, count: 200)) }
    _ = try transaction.table("made later", .bytes)
    try transaction.commit()
    try write(database, 2)
    let snapshot = try database.snapshot(atSavepoint: "mark")
    try expect(snapshot, holds: 1)
    #expect(snapshot.table("made later")?.keyKind == .bytes)
    snapshot.end()
    let undone = try database.beginWrite()
    try undone.dropSavepoint("mark")
    try undone.makeSavepoint("other")
    undone.rollBack()
    #expect(try database.savepoints.map(\.name) == ["mark"])
    try database.checkedAudit()
  }

  @Test(
    "a duplicate, an unknown, an empty and an excess name are refused, and the transaction continues"
  )
  func refusals() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try write(database, 0)
    try database.makeSavepoint("a")
    #expect(throws: StorageError.self) { try database.makeSavepoint("a") }
    let unknown = #expect(throws: StorageError.self) { try database.dropSavepoint("b") }
    #expect(unknown?.code == .notFound && unknown?.message.contains("\"a\"") == true)
    #expect(
      #expect(throws: StorageError.self) { try database.snapshot(atSavepoint: "b") }?.code
        == .notFound)
    let transaction = try database.beginWrite()
    #expect(
      #expect(throws: StorageError.self) { try transaction.makeSavepoint("a") }?.code
        == .alreadyExists)
    #expect(
      #expect(throws: StorageError.self) { try transaction.makeSavepoint("") }?.code == .unsupported
    )
    for number in 1..<Layout.maxSavepoints { try transaction.makeSavepoint("\(number)") }
    #expect(
      #expect(throws: StorageError.self) { try transaction.makeSavepoint("more") }?.code
        == .unsupported)
    try transaction.dropSavepoint("a")
    try transaction.makeSavepoint("a")
    try transaction.commit()
    #expect(try database.savepoints.count == Layout.maxSavepoints)
    #expect(Set(try database.savepoints.map(\.version)) == [database.version])
    try database.checkedAudit()
  }

  @Test(
    "a snapshot of a savepoint stays readable when that is dropped, and pins its bytes")
  func dropBesideSnapshot() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try write(database, 0)
    try database.makeSavepoint("a")
    try write(database, 1)
    let snapshot = try database.snapshot(atSavepoint: "a", label: "reader")
    #expect(database.oldestPins().map(\.exclusive) == [0, 0])
    let pinned = database.usage().pinned
    try database.dropSavepoint("a")
    for generation in 2..<6 { try write(database, generation) }
    try expect(snapshot, holds: 0)
    #expect(database.oldestPins().map(\.label) == ["reader"])
    #expect(database.oldestPins().map(\.exclusive) == [pinned])
    snapshot.end()
    #expect(database.usage().pinned == 0)
    try database.checkedAudit()
  }

  @Test("compaction by copy is skipped with the name of a savepoint; a copy has no savepoints")
  func compaction() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try write(database, 0)
    try database.makeSavepoint("before import")
    try write(database, 1)
    guard case .skipped(let reason) = try database.compact() else {
      Issue.record("a savepoint was lost")
      return
    }
    #expect("\(reason)".contains("\"before import\""))
    try database.writeCopy(to: bench.path("copy"))
    let copy = try bench.open("copy")
    #expect(try copy.savepoints == [])
    try expect(try copy.beginSnapshot(), holds: 1)
    try copy.checkedAudit()
    try database.dropSavepoint("before import")
    guard case .compacted = try database.compact() else {
      Issue.record("nothing stood in the way of compaction")
      return
    }
  }

  @Test("dropping savepoints is possible when they have reached the limit on versions")
  func limit() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.maximumNumberOfActiveVersions = 3
    let database = try bench.open("data", options)
    try write(database, 0)
    try database.makeSavepoint("a")
    try database.makeSavepoint("b")
    let refused = #expect(throws: StorageError.self) {
      try write(database, 1)
      try write(database, 2)
      try database.makeSavepoint("c")
      try write(database, 3)
    }
    #expect(refused?.code == .tooManyVersions)
    #expect(refused?.message.contains("\"a\" (savepoint") == true, "\(refused?.message ?? "")")
    try database.dropSavepoint("a")
    try write(database, 4)
  }

  @Test("automatic compaction moves a savepoint's table list")
  func evacuation() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.growthStep = 16 << 10
    options.automaticCompaction = AutomaticCompaction(
      minimumFile: 16 << 10, freeToUsedTrigger: 0.5, limitFactor: 1.2, minimumLimit: 16 << 10)
    let database = try bench.open("data", options)
    try database.write { transaction, table in
      for key in Int64(0)..<2000 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    try database.write { transaction, table in
      for key in Int64(0)..<1990 { _ = try transaction.delete(table, key) }
    }
    // Made when the rows are gone: it sees ten.
    try database.makeSavepoint("a")
    for generation in 1..<200 {
      try database.write { transaction, table in
        try transaction.put(table, 1995, row(1995, generation, count: 200))
      }
      try database.checkedAudit("commit \(generation)")
    }
    let snapshot = try database.snapshot(atSavepoint: "a")
    #expect(try snapshot.rows(try #require(snapshot.table("rows"))).count == 10)
  }

  @Test(
    "a damaged table list is an error of opening the savepoint, and reported by the audit")
  func damage() throws {
    let bench = try Workbench()
    var database = try bench.open()
    try write(database, 0)
    try database.makeSavepoint("a")
    try write(database, 1)
    let list = try database.store.readers.newest.savepoint("a").list
    try database.close()
    var bytes = try FileSystem.read(bench.path())
    for byteOffset in list.offset..<list.offset + 8 { bytes[byteOffset] ^= 0xFF }
    try FileSystem.write(bytes, to: bench.path())
    database = try bench.open()
    let broken = #expect(throws: StorageError.self) { try database.snapshot(atSavepoint: "a") }
    #expect(broken?.code == .corrupt)
    #expect(try database.audit().violations.contains { $0.contains("savepoint \"a\"") })
    try database.dropSavepoint("a")
    try database.checkedAudit()
    try database.close()
  }
}
