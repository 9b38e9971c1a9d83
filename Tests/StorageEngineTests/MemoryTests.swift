// Databases in memory: shared by name within the process, and freed with the last opening.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("In memory")
struct MemoryTests {
  @Test("openings of one identifier share a database, and those of two identifiers do not")
  func sharing() throws {
    let first = try Database.open(inMemory: "sharing-a")
    let second = try Database.open(inMemory: "sharing-a")
    let other = try Database.open(inMemory: "sharing-b")
    try first.write { try $0.put($1, 1, [1, 2, 3]) }
    let snapshot = try second.beginSnapshot()
    #expect(try snapshot.value(try #require(snapshot.table("rows")), 1) == [1, 2, 3])
    snapshot.end()
    #expect(other.version == 1)
    try first.close()
    #expect(second.isOpen)
    try second.close()
    #expect(!second.isOpen)
    #expect(throws: StorageError.self) { try second.close() }
  }

  @Test("the rows are gone with the last closing, or the last release")
  func gone() throws {
    for closes in [true, false] {
      let database = try Database.open(inMemory: "gone")
      #expect(database.version == 1)
      try database.write { try $0.put($1, 1, [1]) }
      #expect(database.version == 2)
      if closes { try database.close() }
    }
    let again = try Database.open(inMemory: "gone")
    #expect(again.version == 1)
    try again.close()
  }

  @Test("growth, reuse and automatic compaction work as in a file, and compact() skips")
  func space() throws {
    let database = try Database.open(inMemory: "space")
    for generation in 0..<40 {
      try database.write { transaction, table in
        for key in Int64(0)..<400 {
          try transaction.put(table, key, row(key, generation, count: 300))
        }
      }
    }
    for key in Int64(0)..<400 where key % 20 != 0 {
      try database.write { transaction, table in _ = try transaction.delete(table, key) }
    }
    let big = database.usage()
    #expect(database.syncCount == 0)
    try database.checkedAudit()
    #expect(try database.compact() == .skipped(.inMemory))
    let bench = try Workbench()
    try database.writeCopy(to: bench.path())
    try database.close()
    let copy = try bench.open()
    #expect(copy.usage().live <= big.live)
    let snapshot = try copy.beginSnapshot()
    #expect(try snapshot.rows(try #require(snapshot.table("rows"))).count == 20)
    snapshot.end()
    try copy.close()
  }

  @Test("options that require a file are refused")
  func refusals() throws {
    var options = DatabaseOptions()
    options.readOnly = true
    let error = try #require(throws: StorageError.self) {
      try Database.open(inMemory: "refusals", options: options)
    }
    #expect(error.code == .unsupported)
  }

  @Test("memory that truncation released reads as zeros when it is used again")
  func cutting() throws {
    let file = try MemoryStorageFile()
    try file.resize(to: 50_000)
    let bytes = [UInt8](repeating: 7, count: 50_000)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.resize(to: 100)
    try file.resize(to: 50_000)
    let now = Array(UnsafeRawBufferPointer(start: file.base, count: file.size))
    #expect(now == Array(repeating: 7, count: 100) + Array(repeating: 0, count: 49_900))
    file.limitCapacity(to: 60_000)
    #expect(throws: SystemError.self) { try file.resize(to: 60_001) }
    #expect(file.size == 50_000)
  }
}
