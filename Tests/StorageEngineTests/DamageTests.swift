// Files that are not what they should be, and disks that fail: a clear error, the file untouched, nothing lost.
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Damage")
struct DamageTests {
  /// A small database, closed.
  private func image(_ bench: Workbench) throws -> [UInt8] {
    let database = try bench.open()
    for commit in 0..<6 {
      try database.write { transaction, table in
        for key in Int64(0)..<40 {
          try transaction.put(table, key, row(key, commit, count: key % 2 == 0 ? 30 : 100))
        }
      }
    }
    try database.close()
    return try FileSystem.read(bench.path())
  }

  private static let thorough = DatabaseOptions(durability: .none, verification: .everything)

  @Test("a flipped bit anywhere is an error, or lies in unused bytes and every row is right")
  func flips() throws {
    let bench = try Workbench()
    let good = try image(bench)
    var random = SeededRandom(seed: testSeed())
    var refused = 0
    for _ in 0..<600 {
      var bytes = good
      let byteOffset = random.below(bytes.count)
      bytes[byteOffset] ^= 1 << UInt8(random.below(8))
      let file = FaultyStorageFile(image: bytes)
      do {
        let database = try Database.open(file: file, options: Self.thorough)
        let snapshot = try database.beginSnapshot()
        let table = try #require(snapshot.table("rows"))
        let rows = try snapshot.rows(table)
        #expect(rows.count == 40, "seed \(random.seed), bit at \(byteOffset)")
        for (key, value) in rows {
          #expect(value == row(key, 5, count: key % 2 == 0 ? 30 : 100), "bit at \(byteOffset)")
        }
      } catch let error as StorageError {
        #expect([.corrupt, .notADatabase].contains(error.code), "\(error)")
        #expect(file.pendingChanges == 0)
        refused += 1
      }
    }
    #expect(refused > 50)
  }

  @Test("a file truncated anywhere is refused and not changed")
  func cuts() throws {
    let bench = try Workbench()
    let good = try image(bench)
    for size in [1, 7, 64, 100, 4096, 8192, 12_288, 13_000, good.count - 1] {
      try FileSystem.write(Array(good[..<size]), to: bench.path())
      let error = #expect(throws: StorageError.self, "\(size) bytes") { try bench.open() }
      #expect([.truncated, .notADatabase].contains(error?.code), "\(String(describing: error))")
      #expect(error?.message.contains(bench.path().string) == true)
      #expect(try FileSystem.read(bench.path()) == Array(good[..<size]))
    }
  }

  @Test(
    "text, zeros and noise are refused and not changed; an empty file becomes a database")
  func foreign() throws {
    let bench = try Workbench()
    var random = SeededRandom(seed: testSeed())
    let files = [
      Array("key,value\n".utf8), Array("CREATING\(String(repeating: " A TEXT", count: 20))".utf8),
      [UInt8](repeating: 0, count: 16_384), random.bytes(20_000), [0],
    ]
    for bytes in files {
      try FileSystem.write(bytes, to: bench.path())
      let error = #expect(throws: StorageError.self) { try bench.open() }
      #expect(error?.code == .notADatabase)
      #expect(try FileSystem.read(bench.path()) == bytes)
    }
    try FileSystem.write([], to: bench.path())
    #expect(try bench.open().checkedAudit().rows == 0)
  }

  @Test("a node damaged while the file is open is an error of the first read or write that uses it")
  func damagedWhileOpen() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: Workbench.fast)
    try database.write { transaction, table in
      for key in Int64(0)..<640 { try transaction.put(table, key, [1, 2, 3]) }
    }
    let root = database.storeForTests.readers.newest.roots[0].root
    try [UInt8](repeating: 0xFF, count: 16).withUnsafeBytes {
      try file.write($0, at: root.offset)
    }
    let snapshot = try database.beginSnapshot()
    let read = #expect(throws: StorageError.self) {
      try snapshot.value(Table(index: 0, keyKind: .int64), 5)
    }
    #expect(read?.code == .corrupt)
    let write = #expect(throws: StorageError.self) {
      try database.write { transaction, table in try transaction.put(table, 5, [1]) }
    }
    #expect(write?.code == .corrupt)
    #expect(try !database.audit().violations.isEmpty)
  }

  @Test("a full disk fails the commit; rows stay readable, and the next commit that fits succeeds")
  func fullDisk() throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: DatabaseOptions())
    try database.write { transaction, table in try transaction.put(table, 1, [1]) }
    let before = database.usage()
    file.fail(.resize, code: ENOSPC)
    let error = #expect(throws: StorageError.self) {
      try database.write { transaction, table in
        try transaction.put(table, 2, [UInt8](repeating: 1, count: 100_000))
      }
    }
    #expect(error?.code == .outOfSpace)
    #expect(database.usage() == before)
    try database.checkedAudit()
    try database.write { transaction, table in try transaction.put(table, 3, [3]) }
    try database.write { transaction, table in
      try transaction.put(table, 2, [UInt8](repeating: 1, count: 100_000))
    }
    #expect(try database.checkedAudit().rows == 3)
  }

  @Test(
    "after a failed write or sync nothing is written, reads continue, and reopening recovers",
    arguments: [FaultyStorageFile.Call.write, .sync])
  func poisoned(_ call: FaultyStorageFile.Call) throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: DatabaseOptions())
    try database.write { transaction, table in try transaction.put(table, 1, [1]) }
    file.fail(call, code: EIO)
    #expect(throws: StorageError.self) {
      try database.write { transaction, table in try transaction.put(table, 1, [2]) }
    }
    let poisoned = #expect(throws: StorageError.self) { try database.beginWrite() }
    #expect(poisoned?.code == .poisoned)
    let snapshot = try database.beginSnapshot()
    let table = try #require(snapshot.table("rows"))
    #expect(try snapshot.value(table, 1) == [1])
    snapshot.end()
    try database.close()
    let again = try Database.open(file: FaultyStorageFile(image: file.liveBytes))
    #expect(try again.checkedAudit().rows == 1)
    try again.write { transaction, table in try transaction.put(table, 2, [2]) }
  }
}

extension Database {
  /// The internal state, for tests that damage it.
  var storeForTests: Store {
    guard let store = try? store else { preconditionFailure("The database is closed.") }
    return store
  }
}
