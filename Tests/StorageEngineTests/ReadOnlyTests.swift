// Read-only openings: nothing is written, whatever the state of the file.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Read-only")
struct ReadOnlyTests {
  static let options: DatabaseOptions = {
    var options = Workbench.fast
    options.readOnly = true
    return options
  }()

  private func make(_ bench: Workbench, _ name: String = "data") throws {
    let database = try bench.open(name)
    for generation in 0..<3 {
      try database.write { transaction, table in
        for key in Int64(0)..<50 {
          try transaction.put(table, key, row(key, generation, count: 90))
        }
      }
    }
    try database.close()
  }

  private func expectRows(_ database: Database, _ generation: Int) throws {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    let rows = try snapshot.rows(try #require(snapshot.table("rows")))
    #expect(rows.count == 50)
    for (key, value) in rows { #expect(value == row(key, generation, count: 90)) }
  }

  @Test("reading, auditing, copying and closing do not change file or folder")
  func nothingIsWritten() throws {
    let bench = try Workbench()
    try make(bench)
    let before = try FileSystem.read(bench.path())
    let names = try FileSystem.list(bench.folder)
    let database = try bench.open("data", Self.options)
    try expectRows(database, 2)
    try database.checkedAudit()
    #expect(try database.compact() == .skipped(.readOnly))
    let elsewhere = try Workbench()
    try database.writeCopy(to: elsewhere.path())
    try database.close()
    #expect(database.bytesWritten == 0 && database.syncCount == 0)
    #expect(try FileSystem.read(bench.path()) == before)
    #expect(try FileSystem.list(bench.folder) == names)
    try expectRows(try elsewhere.open(), 2)
  }

  @Test("every write is refused as readOnly, and reading continues")
  func writesAreRefused() throws {
    let bench = try Workbench()
    try make(bench)
    let database = try bench.open("data", Self.options) { _ in
      Issue.record("a file that is only read is not asked about")
      return true
    }
    #expect(database.launchOutcome == .notCalled(.readOnly))
    let error = try #require(throws: StorageError.self) { try database.beginWrite() }
    #expect(error.code == .readOnly)
    try expectRows(database, 2)
  }

  @Test("any number of read-only openings are allowed, but none beside a writer")
  func sharing() throws {
    let bench = try Workbench()
    try make(bench)
    let first = try bench.open("data", Self.options)
    let second = try bench.open("data", Self.options)
    let refused = try #require(throws: StorageError.self) { try bench.open() }
    #expect(refused.code == .busy)
    try expectRows(second, 2)
    try first.close()
    try second.close()
    let writer = try bench.open()
    let error = try #require(throws: StorageError.self) { try bench.open("data", Self.options) }
    #expect(error.code == .busy)
    try writer.close()
  }

  @Test("a file that is missing, empty or not a database is refused, and nothing is created")
  func nothingThere() throws {
    let bench = try Workbench()
    #expect(throws: StorageError.self) { try bench.open("data", Self.options) }
    #expect(try FileSystem.list(bench.folder) == [])
    try FileSystem.write([], to: bench.path())
    let empty = try #require(throws: StorageError.self) { try bench.open("data", Self.options) }
    #expect(empty.code == .notADatabase)
    #expect(try FileSystem.read(bench.path()) == [])
    try FileSystem.write(Array("text, and no database".utf8), to: bench.path())
    let text = try #require(throws: StorageError.self) { try bench.open("data", Self.options) }
    #expect(text.code == .notADatabase)
  }

  @Test("a torn commit is ignored and not repaired, and a later writer repairs it")
  func torn() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file)
    for generation in 0..<2 {
      try database.write { transaction, table in
        for key in Int64(0)..<50 {
          try transaction.put(table, key, row(key, generation, count: 90))
        }
      }
    }
    // The next commit's slot reaches the disk, and nothing else of it.
    var image: [UInt8] = []
    file.beforeSync = { file in
      let states = file.crashStates()
      let last = states.units(ofChange: states.changeCount - 1, unitSize: 512)
      image = states.image(unitSize: 512, lengthMoment: states.changeCount) {
        last.contains($0) ? states.changeCount : 0
      }
    }
    try database.write { transaction, table in
      for key in Int64(0)..<50 { try transaction.put(table, key, row(key, 2, count: 90)) }
    }
    let left = FaultyStorageFile(image: image)
    var options = DatabaseOptions()
    options.readOnly = true
    let reader = try Database.open(file: left, options: options)
    try expectRows(reader, 1)
    try reader.checkedAudit()
    try reader.close()
    #expect(left.liveBytes == image && left.pendingChanges == 0 && left.syncCount == 0)
    try expectRows(try Database.open(file: left), 1)
    #expect(left.liveBytes != image)
  }

  @Test(
    "a read-only opening needs no write permission on file or folder",
    .enabled(if: geteuid() != 0, "permissions do not bind root; the read-only file system does"))
  func permissions() throws {
    let bench = try Workbench()
    try make(bench)
    #expect(chmod(bench.path().string, 0o444) == 0 && chmod(bench.folder.string, 0o555) == 0)
    defer { chmod(bench.folder.string, 0o755) }
    try expectRows(try bench.open("data", Self.options), 2)
  }

  @Test(
    "a read-only opening needs no writable file system",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func readOnlyFileSystem() async throws {
    let bench = try Workbench()
    try await SmallFileSystem.with(size: "4m", at: bench.folder) {
      try make(bench)
      try await SmallFileSystem.makeReadOnly(bench.folder)
      let database = try bench.open("data", Self.options)
      try expectRows(database, 2)
      try database.close()
    }
  }
}
