// What a program may ask Realm Core for and a run does not: a database in memory, compaction at any time, a copy of what
// is not committed.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RealmCoreEngine

@Suite(
  "Realm Core itself, asked by a program",
  .enabled(
    if: getenv("COMPACTION_LAB_REALM") != nil,
    "COMPACTION_LAB_REALM names no library of Realm Core's"))
struct RealmCoreCallTests {
  private let options = SessionOptions(tables: ["rows"], automaticCompaction: true)

  private func open(_ folder: FilePath, key: [UInt8]? = nil) throws -> RealmCoreSession {
    var options = options
    options.encryptionKey = key
    return try #require(try RealmCoreEngine().open(folder, options).session as? RealmCoreSession)
  }

  @Test("a database in memory keeps its rows for all who have it open, and is gone with the last")
  func inMemory() throws {
    try withTemporaryFolder { folder in
      let engine = try RealmCoreEngine()
      let file = folder.appending(engine.mainFile)
      let first = try engine.openInMemory(folder, options)
      try first.fill(0..<1000, bytes: 1000)
      let second = try engine.openInMemory(folder, options)
      try #expect(second.count() == 1000)
      try first.close()
      try second.fill(1000..<1001, bytes: 10)
      try #expect(second.count() == 1001)
      // There is a file meanwhile, which is the memory; its books are not kept up.
      #expect(FileSystem.exists(file))
      let usage = try second.spaceUsage()
      try #expect(usage.file.bytes == FileSystem.size(of: file).bytes)
      #expect(usage.file > ByteCount(1_000_000) && usage.live == nil)
      try second.close()
      #expect(!FileSystem.exists(file))
      let third = try engine.openInMemory(folder, options)
      try #expect(third.count() == 0)
      try third.close()
    }
  }

  @Test("a file is not opened in memory while it is open, nor the other way round")
  func oneOfBoth() throws {
    try withTemporaryFolder { folder in
      let plain = try open(folder)
      try plain.fill(0..<10, bytes: 10)
      #expect(throws: EngineError.self) {
        try RealmCoreEngine().openInMemory(folder, options)
      }
      try #expect(plain.count() == 10)
      try plain.close()
    }
  }

  @Test("compaction without a callback shrinks the open file and keeps the rows")
  func compacting() throws {
    try withTemporaryFolder { folder in
      for key in [nil, [UInt8](repeating: 7, count: 64)] {
        let caseFolder = folder.appending(key == nil ? "plain" : "encrypted")
        try FileSystem.makeFolders(caseFolder)
        let session = try open(caseFolder, key: key)
        try session.fill(0..<2000, bytes: 1000)
        try session.delete(100..<2000)
        guard case .compacted(let before, let after, let rewritten) = try session.compact() else {
          Issue.record("skipped")
          return
        }
        #expect(10 * after.file < before.file && rewritten == after.file)
        try #expect(session.spaceUsage() == after)
        try #expect(session.count() == 100)
        try session.fill(100..<200, bytes: 1000)
        try session.close()
        let again = try open(caseFolder, key: key)
        try #expect(again.count() == 200)
        try again.close()
      }
    }
  }

  @Test("it is skipped while a version is held, with that reason")
  func skipped() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.fill(0..<500, bytes: 1000)
      let held = try session.beginSnapshot(label: "held")
      try session.delete(10..<500)
      let before = try session.spaceUsage()
      guard case .skipped(let space, let reason) = try session.compact() else {
        Issue.record("compacted under a snapshot")
        return
      }
      #expect(space == before && reason == "1 snapshot is held")
      try #expect(held.count(0) == 500)
      held.end()
      guard case .compacted = try session.compact() else {
        Issue.record("not compacted although there is no reader")
        return
      }
      try #expect(session.count() == 10)
      try session.close()
    }
  }

  @Test("a copy that is made within a write transaction has its uncommitted changes")
  func copyInTransaction() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.fill(0..<10, bytes: 10)
      let file = folder.appending("data.realm")
      let realm = try RealmCoreLibrary.load()
      let instance = try RealmInstance(RealmConfiguration(realm, file, options))
      let table = try instance.tables(options)[0]
      #expect(realm.call.beginWrite(instance.handle))
      var isNew = false
      let object = try #require(
        realm.call.objectGetOrCreate(instance.handle, table.key, .init(Int64(99)), &isNew))
      realm.call.release(object)
      let copies = folder.appending("copies")
      try FileSystem.makeFolders(copies)
      try instance.convert(to: copies.appending("data.realm"), key: nil)
      #expect(realm.call.rollback(instance.handle))
      instance.close()
      let copy = try open(copies)
      try #expect(copy.count() == 11 && session.count() == 10)
      try copy.close()
      try session.close()
    }
  }
}
