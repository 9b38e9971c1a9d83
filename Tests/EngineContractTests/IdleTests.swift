// Compaction while no writer is active, on the engines that have it: by a call, and by a thread of the engine.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Compaction while no writer is active")
struct IdleTests {
  private static var engines: [EngineUnderTest] {
    EngineUnderTest.all.filter { $0.engine.capabilities.automaticPresets.contains(.idle) }
  }

  /// A session in which most rows are gone, and the rows that are left.
  private func sparse(
    _ test: EngineUnderTest, in folder: FilePath, inBackground: Bool
  ) throws -> any EngineSession {
    let session = try test.engine.open(
      folder,
      SessionOptions(
        tables: ["rows"], automaticCompaction: true, automaticPreset: .idle,
        worksInBackground: inBackground)
    ).session
    try fill(session, rows: 8000, bytes: 500)
    try session.write { transaction in
      for key in Int64(0)..<8000 where key % 10 != 0 { _ = try transaction.delete(0, key) }
    }
    return session
  }

  @Test("called, it makes the file short without a commit of anybody's", arguments: engines)
  func called(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let session = try sparse(test, in: folder, inBackground: false)
      let full = try session.spaceUsage().total
      try session.capability((any IdleCompacting).self)?.compactWhileIdle()
      let end = try session.spaceUsage().total
      #expect(4 * end.bytes < full.bytes)
      #expect(session.drainEvents().map(\.outcome) == [.started, .finished])
      let snapshot = try session.beginSnapshot(label: "count")
      #expect(try snapshot.count(0) == 800)
      snapshot.end()
      // Nothing is left to do.
      try session.capability((any IdleCompacting).self)?.compactWhileIdle()
      #expect(try session.spaceUsage().total == end)
      try session.close()
    }
  }

  @Test("the engine's own thread comes to the same, and ends with the session", arguments: engines)
  func inBackground(_ test: EngineUnderTest) throws {
    try withTemporaryFolder { folder in
      let session = try sparse(test, in: folder, inBackground: true)
      var outcomes: [CompactionEvent.Outcome] = []
      while outcomes.last != .finished {
        outcomes += session.drainEvents().map(\.outcome)
        Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 1_000_000)
      }
      #expect(outcomes == [.started, .finished])
      let snapshot = try session.beginSnapshot(label: "count")
      #expect(try snapshot.count(0) == 800)
      snapshot.end()
      try session.close()
    }
  }
}
