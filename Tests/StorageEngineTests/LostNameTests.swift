// Files that are removed or replaced while sessions have them open: no other session may open the database then, and
// these sessions must not write what would be lost.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Lost names")
struct LostNameTests {
  /// Durable commits check the names each time.
  private func open(_ bench: Workbench, _ name: String = "data") throws -> Database {
    try bench.open(name, DatabaseOptions())
  }

  private func put(_ database: Database, _ generation: Int) throws {
    try database.write { transaction, table in
      for key in Int64(0)..<20 { try transaction.put(table, key, row(key, generation, count: 90)) }
    }
  }

  private func expectRows(
    _ database: Database, _ generation: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    let rows = try snapshot.rows(try #require(snapshot.table("rows")))
    #expect(rows.count == 20, sourceLocation: sourceLocation)
    for (key, value) in rows {
      #expect(value == row(key, generation, count: 90), sourceLocation: sourceLocation)
    }
  }

  private func expectRefused(
    _ code: StorageError.Code, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) throws {
    let error = try #require(
      throws: StorageError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.message.contains(words), "\(error)", sourceLocation: sourceLocation)
  }

  @Test(
    "without its lock file a session writes nothing more, no other session opens, and no commit is lost"
  )
  func lockFileRemoved() throws {
    let bench = try Workbench()
    let (first, second) = (try open(bench), try open(bench))
    try put(first, 1)
    let held = try second.beginSnapshot()
    try FileSystem.removeFile(bench.path("data.lock"))
    for _ in 0..<2 {
      try expectRefused(.busy, "lock file") { _ = try open(bench) }
      #expect(try FileSystem.list(bench.folder) == ["data"])
    }
    try expectRefused(.busy, "exclude each other") {
      _ = try bench.open("data", ReadOnlyTests.options)
    }
    for database in [first, second] {
      try expectRefused(.displaced, "data.lock was removed") { try put(database, 2) }
      try expectRefused(.displaced, "data.lock") { _ = try database.reclaimWhileIdle() }
      try expectRows(database, 1)
    }
    held.end()
    for database in [first, second] { try database.checkedAudit() }
    try first.close()
    try expectRefused(.busy, "lock file") { _ = try open(bench) }
    try expectRefused(.displaced, "data.lock") { _ = try second.compact() }
    try second.close()
    let again = try open(bench)
    try expectRows(again, 1)
    try put(again, 2)
    try again.checkedAudit()
    try again.close()
    #expect(try FileSystem.list(bench.folder) == ["data"])
  }

  @Test(
    "another lock file of the same name is neither used nor removed by the session")
  func lockFileReplaced() throws {
    let bench = try Workbench()
    let database = try open(bench)
    try put(database, 1)
    try FileSystem.removeFile(bench.path("data.lock"))
    try FileSystem.write([], to: bench.path("data.lock"))
    try expectRefused(.displaced, "data.lock") { try put(database, 2) }
    try database.close()
    #expect(try FileSystem.list(bench.folder) == ["data", "data.lock"])
    let again = try open(bench)
    try expectRows(again, 1)
    try again.close()
    #expect(try FileSystem.list(bench.folder) == ["data"])
  }

  @Test(
    "a session without syncs detects a lost name within a moment",
    .timeLimit(.minutes(HangGuard.minutes)))
  func unsynced() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try put(database, 0)
    try FileSystem.removeFile(bench.path("data.lock"))
    try expectRefused(.displaced, "data.lock") {
      while !Task.isCancelled { try put(database, 1) }
    }
    try database.checkedAudit()
  }

  @Test("a lock file that gets its name back is the lock file again")
  func lockFileMovedAndBack() throws {
    let bench = try Workbench()
    let database = try open(bench)
    try FileSystem.rename(bench.path("data.lock"), to: bench.path("away"))
    try expectRefused(.displaced, "data.lock") { try put(database, 1) }
    try FileSystem.rename(bench.path("away"), to: bench.path("data.lock"))
    try put(database, 1)
    let second = try open(bench)
    try put(second, 2)
    try expectRows(database, 2)
  }

  @Test(
    "a database that was removed while open takes no more commits, and its contents can be copied",
    arguments: [DatabaseOptions.Sharing.processes, .exclusive])
  func databaseRemoved(_ sharing: DatabaseOptions.Sharing) throws {
    let bench = try Workbench()
    var options = DatabaseOptions()
    options.sharing = sharing
    let database = try bench.open("data", options)
    try put(database, 1)
    try FileSystem.removeFile(bench.path())
    try expectRefused(.displaced, "data was removed") { try put(database, 2) }
    if sharing == .processes {
      try expectRefused(.busy, "another file of this name") { _ = try open(bench) }
      #expect(try FileSystem.list(bench.folder) == ["data.lock"])
    }
    try expectRows(database, 1)
    try database.writeCopy(to: bench.path("saved"))
    try database.close()
    #expect(try FileSystem.list(bench.folder) == ["saved"])
    try expectRows(try open(bench, "saved"), 1)
  }

  @Test("a compaction does not replace a file that is not the database")
  func databaseReplaced() throws {
    let bench = try Workbench()
    for (name, generation) in [("data", 1), ("other", 7)] {
      let database = try open(bench, name)
      try put(database, generation)
      try database.close()
    }
    let database = try open(bench)
    try FileSystem.rename(bench.path("other"), to: bench.path())
    try expectRefused(.displaced, "replaced") { _ = try database.compact() }
    try expectRefused(.displaced, "replaced") { try put(database, 2) }
    try expectRefused(.busy, "another file of this name") { _ = try open(bench) }
    try expectRows(database, 1)
    try database.close()
    let other = try open(bench)
    try expectRows(other, 7)
    try other.checkedAudit()
  }

  @Test("with both files removed a new database is created, and the old session does not touch it")
  func bothRemoved() throws {
    let bench = try Workbench()
    let old = try open(bench)
    try put(old, 1)
    for name in ["data", "data.lock"] { try FileSystem.removeFile(bench.path(name)) }
    let new = try open(bench)
    try put(new, 2)
    try expectRefused(.displaced, "data was removed") { try put(old, 3) }
    try old.close()
    #expect(try FileSystem.list(bench.folder) == ["data", "data.lock"])
    try put(new, 4)
    try expectRows(new, 4)
  }

  @Test(
    "a compaction's own rename is not a lost name, and the new file is checked as the old one was",
    arguments: [DatabaseOptions.Sharing.processes, .exclusive])
  func compaction(_ sharing: DatabaseOptions.Sharing) throws {
    let bench = try Workbench()
    var options = DatabaseOptions()
    options.sharing = sharing
    let database = try bench.open("data", options)
    for generation in 0..<3 {
      try put(database, generation)
      let key: CopyEncryption =
        sharing == .exclusive && generation == 1
        ? .key(EncryptionKey([UInt8](repeating: 7, count: 64))) : .same
      guard case .compacted = try database.compact(encryption: key) else {
        Issue.record("nothing stood in the way")
        return
      }
    }
    try put(database, 4)
    try expectRows(database, 4)
    if sharing == .processes {
      try FileSystem.removeFile(bench.path("data.lock"))
      try expectRefused(.busy, "lock file") { _ = try open(bench) }
    } else {
      try FileSystem.removeFile(bench.path())
    }
    try expectRefused(.displaced, "removed") { try put(database, 5) }
    try expectRows(database, 4)
  }
}
