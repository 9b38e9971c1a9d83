// The troubles that users of WiredTiger report, reproduced in small: files that stay large after deletes, and files that
// compaction leaves as they are.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

@Suite("What stays in a file of WiredTiger", .enabled(if: hasWiredTiger))
struct WiredTigerTroubleTests {
  /// A closed database of which the first nine tenths of the rows were deleted.
  private func make(rows: Int, in folder: FilePath, savepoint: String? = nil) throws {
    let session = try WiredTigerEngine().session(folder)
    try session.fill(0..<rows, bytes: 500)
    if let savepoint {
      try session.require((any SavepointStoring).self, for: "test").makeSavepoint(savepoint)
    }
    try session.delete(0..<rows / 10 * 9)
    try session.tiger.checkpoint()
    try session.close()
  }

  private func compacted(_ folder: FilePath) throws -> (before: SpaceUsage, after: SpaceUsage) {
    let opened = try WiredTigerEngine().open(
      folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
    defer { try? opened.session.close() }
    guard case .compacted(let before, let after, _) = opened.launch else {
      throw EngineError(engine: wiredTigerID, code: .failed, message: "\(opened.launch)")
    }
    return (before, after)
  }

  @Test("nine tenths of the rows are deleted, and the file stays, until it is compacted")
  func deleted() throws {
    try withTemporaryFolder { folder in
      try make(rows: 12_000, in: folder)
      let (before, after) = try compacted(folder)
      #expect(before.file > 4 * (try #require(before.live)), "\(before)")
      #expect(after.file <= (try #require(after.live)) + ByteCount(3 << 19), "\(after)")
    }
  }

  @Test("of a file with less than 1 MiB of free blocks no block is moved, however little is in use")
  func small() throws {
    try withTemporaryFolder { folder in
      try make(rows: 1500, in: folder)
      let (before, after) = try compacted(folder)
      #expect(before.live == after.live)
      #expect(try #require(after.free) > 2 * (try #require(after.live)), "\(after)")
    }
  }

  @Test("a checkpoint stored by name keeps compaction from making the file shorter")
  func named() throws {
    try withTemporaryFolder { folder in
      try make(rows: 12_000, in: folder, savepoint: "backup")
      let (before, after) = try compacted(folder)
      #expect(10 * after.file > 8 * before.file, "\(before) \(after)")
    }
  }

  @Test("automatic compaction comes with a checkpoint, and is an event with what it moved")
  func automatic() throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder, automatic: true)
      try session.fill(0..<12_000, bytes: 500)
      let full = try session.spaceUsage()
      try session.delete(0..<10_800)
      try session.fill(0..<600, bytes: 500)
      let events = session.drainEvents()
      try #expect(2 * session.spaceUsage().file < full.file)
      #expect(!events.isEmpty)
      #expect(events.allSatisfy { $0.after < $0.before }, "\(events)")
      #expect(events.allSatisfy { ($0.rewritten ?? .zero) > .zero }, "\(events)")
      #expect(session.drainEvents().isEmpty)
      try session.close()
    }
  }
}
