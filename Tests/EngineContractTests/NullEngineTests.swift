// The engine that keeps nothing is exempt from keeping rows, and from nothing else.
import EngineInterface
import MetricModel
import NullEngine
import SystemIO
import TestSupport
import Testing

@Suite("The null engine keeps nothing")
struct NullEngineTests {
  @Test("every call answers, no row is found, space is zero and adds up")
  func answers() throws {
    try withTemporaryFolder { folder in
      let engine = NullEngine()
      let opened = try engine.open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      guard case .notCalled = opened.launch else {
        Issue.record("\(opened.launch)")
        return
      }
      let session = opened.session
      try session.write { transaction in
        try transaction.put(1, [1])
        try #expect(!transaction.delete(0, 1))
      }
      try session.read { snapshot in
        try #expect(snapshot.value(1) == nil)
        try #expect(snapshot.rows().isEmpty)
        try snapshot.refresh()
      }
      let space = try session.spaceUsage()
      #expect(space.total == .zero && space.live == .zero && space.usedAtLaunch == .zero)
      #expect(space.amplification == nil)
      try session.close()
      try #expect(FileSystem.list(folder).isEmpty)
      #expect(!engine.capabilities.automatic.isSupported)
      #expect(!engine.capabilities.onLaunch.isSupported)
    }
  }
}
