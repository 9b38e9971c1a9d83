// SQLite's pages and its log: what is counted is what SQLite itself says, and the log does what users meet.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import SQLiteEngine

@Suite("SQLite's pages and log are counted as SQLite counts them")
struct SQLiteSpaceTests {
  @Test(
    "live pages are those of all trees, with pointer maps counted apart", arguments: [false, true])
  func livePages(automatic: Bool) throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, automatic: automatic)
      try session.put(0..<6000, bytes: 900)
      try session.delete(0..<1000)
      let space = try session.spaceUsage()
      let connection = try Connection(
        SQLiteLibrary.load(), folder.appending(SQLiteEngine().mainFile))
      // The table of SQLite's own that walks every tree, where the library was built with it.
      let hasWalk = try connection.number(
        "SELECT count(*) FROM pragma_compile_options WHERE compile_options = 'ENABLE_DBSTAT_VTAB'")
      try #require(hasWalk == 1, "this SQLite cannot walk its pages")
      let walked = try connection.number("SELECT count(*) FROM dbstat")
      #expect(space.live == walked * Connection.pageSize)
      try #expect((#require(space.overhead) > .zero) == automatic)
      let parts = try #require(space.live) + #require(space.free) + #require(space.overhead)
      #expect(parts == space.file)
      try session.close()
    }
  }

  @Test("the log grows with every commit under a snapshot, and is used again after it")
  func logGrows() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<2000, bytes: 256)
      let snapshot = try session.beginSnapshot(label: "reader")
      var log = try session.spaceUsage().sidecar
      for seed in 0..<300 {
        try session.put([1, 700, 1900], bytes: 256, seed: UInt64(seed))
        let next = try session.spaceUsage().sidecar
        #expect(next > log)
        log = next
      }
      snapshot.end()
      // The commit after the release still appends; its checkpoint then empties the log for those that follow.
      for seed in 0..<3 { try session.put([1, 700, 1900], bytes: 256, seed: UInt64(seed)) }
      let parked = try session.spaceUsage().sidecar
      for seed in 0..<300 {
        try session.put([1, 700, 1900], bytes: 256, seed: UInt64(seed))
        try #expect(session.spaceUsage().sidecar == parked)
      }
      try session.close()
      #expect(!FileSystem.exists(folder.appending(try SQLiteEngine().sidecarFiles[0])))
    }
  }

  @Test(
    "readers that overlap keep the log growing however short each is; with gaps it stays",
    arguments: [true, false])
  func starvation(overlapping: Bool) throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<2000, bytes: 256)
      var lengths: [Int] = []
      var reader = try session.beginSnapshot(label: "first")
      for round in 0..<12 {
        for seed in 0..<60 {
          let keys = (0..<10).map { Int64((seed * 31 + $0 * 197 + round) % 2000) }
          try session.put(keys, bytes: 256, seed: UInt64(seed))
        }
        if overlapping {
          let next = try session.beginSnapshot(label: "next")
          reader.end()
          reader = next
        } else {
          reader.end()
          // Two commits without a reader: one whose checkpoint copies all of the log, one that begins it anew.
          for seed in 0..<2 { try session.put(0..<120, bytes: 256, seed: UInt64(seed)) }
          reader = try session.beginSnapshot(label: "next")
        }
        lengths.append(try session.spaceUsage().sidecar.bytes)
      }
      reader.end()
      let late = lengths.suffix(4)
      if overlapping {
        #expect(zip(lengths, lengths.dropFirst()).allSatisfy(<), "\(lengths)")
      } else {
        #expect(late.allSatisfy { $0 == late.first }, "\(lengths)")
      }
      try session.close()
    }
  }

  @Test("the file on disk reaches the version's length at a checkpoint, and closing is one")
  func lengthOnDisk() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<3000, bytes: 256)
      let promised = try session.spaceUsage().file
      try session.close()
      try #expect(FileSystem.size(of: folder.appending("data.sqlite")).bytes == promised.bytes)
    }
  }

  @Test("auto_vacuum cuts the file at commits, and the events say how often and how much")
  func automatic() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, automatic: true)
      try session.put(0..<3000, bytes: 900)
      let full = try session.spaceUsage()
      #expect(session.drainEvents().isEmpty)
      for start in 0..<5 { try session.delete(Int64(start * 500)..<Int64(start * 500 + 500)) }
      let trimmed = try session.spaceUsage()
      let events = session.drainEvents()
      #expect(events.count == 1)
      let event = try #require(events.first)
      #expect(event.before == full.file)
      #expect(event.after == trimmed.file)
      #expect(event.rewritten == full.file - trimmed.file)
      #expect(event.reason.contains("5 commits"))
      #expect(trimmed.free == .zero)
      try session.close()
    }
  }

  @Test("a file made without auto_vacuum refuses it; one made with it may do without")
  func modes() throws {
    try withTemporaryFolder { folder in
      let plain = folder.appending("plain")
      let vacuumed = folder.appending("vacuumed")
      for path in [plain, vacuumed] { try FileSystem.makeFolders(path) }
      try open(plain).close()
      let error = #expect(throws: EngineError.self) { try open(plain, automatic: true) }
      #expect(error?.code == .unsupported)
      let made = try open(vacuumed, automatic: true)
      try made.put(0..<2000, bytes: 900)
      try made.close()
      let kept = try open(vacuumed)
      let full = try kept.spaceUsage()
      try kept.delete(0..<1500)
      try #expect(kept.spaceUsage().file == full.file)
      #expect(kept.drainEvents().isEmpty)
      try kept.close()
      // Turning it on is a commit already, and cuts what the launch before left.
      let again = try open(vacuumed, automatic: true)
      let cut = try again.spaceUsage()
      #expect(cut.file < full.file)
      #expect(cut.free == .zero)
      try again.delete(1500..<1900)
      try #expect(again.spaceUsage().file < cut.file)
      #expect(again.drainEvents().count == 1)
      try again.close()
    }
  }

  @Test("a launch compaction counts the log and the file that it wrote")
  func rewritten() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<3000, bytes: 900)
      try session.delete(0..<2500)
      try session.close()
      let opened = try SQLiteEngine().open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      guard case .compacted(let before, let after, let rewritten) = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      #expect(2 * after.file < before.file)
      #expect(after.sidecar == .zero)
      #expect(after.free == .zero)
      #expect(rewritten > 2 * after.file)
      #expect(rewritten < 3 * after.file)
      try opened.session.close()
    }
  }

  private func open(_ folder: FilePath, automatic: Bool = false) throws -> any EngineSession {
    try SQLiteEngine().open(
      folder, SessionOptions(tables: ["rows"], automaticCompaction: automatic)
    ).session
  }
}

extension EngineSession {
  /// Writes rows of arbitrary bytes in one transaction.
  fileprivate func put(_ keys: some Sequence<Int64>, bytes: Int, seed: UInt64 = 1) throws {
    var random = SeededRandom(seed: seed)
    let transaction = try beginWrite()
    for key in keys {
      try random.bytes(bytes).withUnsafeBytes { try transaction.put(0, key, $0) }
    }
    try transaction.commit()
  }

  fileprivate func delete(_ keys: some Sequence<Int64>) throws {
    let transaction = try beginWrite()
    for key in keys { _ = try transaction.delete(0, key) }
    try transaction.commit()
  }
}
