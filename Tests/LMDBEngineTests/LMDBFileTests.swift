// The file and its surroundings: who may open it, what a broken-off compaction leaves, and how short it may be.
import EngineInterface
import Glibc
import MDBInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import LMDBEngine

@Suite("LMDB's file is opened once, and only when whole")
struct LMDBFileTests {
  @Test("a second session on the same folder is refused, by any path, until the first is closed")
  func once() throws {
    try withTemporaryFolder { folder in
      let real = folder.appending("real")
      let link = folder.appending("link")
      try FileSystem.makeFolders(real)
      try #require(symlink(real.string, link.string) == 0)
      let first = try open(real)
      for path in [real, link] {
        let error = #expect(throws: EngineError.self) { try open(path) }
        #expect(error?.code == .busy)
      }
      try first.put([1], bytes: 10)
      try first.close()
      let second = try open(link)
      #expect(throws: EngineError.self) { try open(real) }
      try #expect(second.count() == 1)
      try second.close()
    }
  }

  @Test("a session that was dropped without closing gives the folder up")
  func dropped() throws {
    try withTemporaryFolder { folder in
      func abandon() throws { try open(folder).put([1], bytes: 10) }
      try abandon()
      let session = try open(folder)
      try #expect(session.count() == 1)
      try session.close()
    }
  }

  @Test("what a broken-off compaction left is replaced by the next and gone after it")
  func leftover() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<1000, bytes: 300)
      try session.delete(100..<1000)
      try session.close()
      let leftover = FilePath(data(folder).string + ".compacting")
      try FileSystem.write([1, 2, 3], to: leftover)
      let opened = try LMDBEngine().open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      guard case .compacted(let before, let after, let rewritten) = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      #expect(after.file < before.file)
      #expect(rewritten == after.file)
      try #expect(opened.session.count() == 100)
      #expect(!FileSystem.exists(leftover))
      try opened.session.close()
    }
  }

  @Test("a lock file that a launch compaction makes has the database's owner, group and mode")
  func lockFileAccess() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put([1], bytes: 10)
      try session.close()
      let lockFile = FilePath(data(folder).string + "-lock")
      try FileSystem.removeFile(lockFile)
      var rights = try FileAccessRights(of: data(folder))
      rights.mode = 0o640
      if FileAccessRights.maySetOwner { (rights.owner, rights.group) = (4321, 4322) }
      try FileSystem.give(rights, to: data(folder))
      let opened = try LMDBEngine().open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in false }))
      try opened.session.close()
      let made = try FileAccessRights(of: lockFile)
      #expect(made.mode == rights.mode)
      #expect(made.owner == rights.owner && made.group == rights.group)
    }
  }

  @Test(
    "a file that ends before unwritten free pages opens; one that ends before a live page does not")
  func shortFile() throws {
    try withTemporaryFolder { folder in
      let (promised, rows) = try makeShortFile(folder)
      let whole = try FileSystem.read(data(folder))
      #expect(whole.count < promised)
      let again = try open(folder)
      try #expect(again.count() == rows)
      try again.close()
      // Cutting on, page by page, must come to a page that is needed, and be refused from there on.
      var refusals = 0
      for missing in 1..<(whole.count / 4096 - 2) {
        try FileSystem.write(Array(whole.dropLast(missing * 4096)), to: data(folder))
        do {
          let session = try open(folder)
          try #expect(session.count() == rows)
          #expect(refusals == 0, "\(missing) missing pages were taken after fewer were refused")
          try session.close()
        } catch let error as EngineError {
          #expect(error.code == .corrupt)
          refusals += 1
        }
      }
      #expect(refusals > 0)
    }
  }

  /// Leaves pages at the end that one commit took and gave back unwritten: it has a few free pages to begin with, takes
  /// more from the end, and empties the last of them first.
  private func makeShortFile(_ folder: FilePath) throws -> (promised: Int, rows: Int) {
    var random = SeededRandom(seed: testSeed(29))
    let session = try open(folder)
    try session.put(0..<400, bytes: 700)
    for key in 0..<6 { try session.put([Int64(key)], bytes: 700, seed: random.next()) }
    let transaction = try session.beginWrite()
    for key in Int64(1000)..<1200 {
      try random.bytes(700).withUnsafeBytes { try transaction.put(0, key, $0) }
    }
    for key in (Int64(1000)..<1200).reversed() { _ = try transaction.delete(0, key) }
    try transaction.commit()
    let promised = try session.spaceUsage().file.bytes
    let rows = try session.count()
    try session.close()
    return (promised, rows)
  }

  @Test("with little address space the map is smaller and everything works")
  func littleAddressSpace() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        // Whatever the process has by now, and 2 GiB: far from 64 GiB.
        let pages = try FileSystem.readText("/proc/self/statm").prefix { $0 != " " }
        let mapped = try #require(UInt(pages)) * 4096
        var limit = rlimit(rlim_cur: rlim_t(mapped + 2 << 30), rlim_max: rlim_t.max)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        let session = try open(FilePath(path))
        try session.put(0..<1000, bytes: 1000)
        try #require(session.count() == 1000)
        try session.close()
      }
    }
  }

  @Test("where the commit that makes a table fails, opening is refused, and can be tried again")
  func failedOpening() async throws {
    try await withTemporaryFolder { folder in
      let first = try open(folder, tables: ["first"])
      try first.put(0..<10, bytes: 100)
      try first.close()
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        let folder = FilePath(path)
        // A write behind the limit is to fail, not to end the process.
        signal(SIGXFSZ, SIG_IGN)
        let most = rlim_t(try FileSystem.size(of: data(folder)).bytes)
        let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit(rlim_cur: most, rlim_max: rlim_t.max)
        for _ in 0..<5 {
          try #require(setrlimit(kind, &limit) == 0)
          #expect(throws: EngineError.self) { try open(folder, tables: ["first", "second"]) }
        }
        limit.rlim_cur = rlim_t.max
        try #require(setrlimit(kind, &limit) == 0)
        let session = try open(folder, tables: ["first", "second"])
        try #require(session.count() == 10)
        try session.put(0..<10, bytes: 100, table: 1)
        try session.close()
      }
    }
  }

  @Test("keys keep their order and their value in LMDB's form")
  func keys() {
    let keys: [Int64] = [.min, -1 << 32, -1, 0, 1, 1 << 32, .max]
    let words = keys.map { IntegerKey($0).word }
    #expect(words == words.sorted())
    #expect(keys.map { IntegerKey($0).key } == keys)
  }
}
