// Readers of other processes: seen in the table, and gone with their process when one asks.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import MDBXEngine

@Suite("libmdbx's readers in other processes", .whereThereIsLibmdbx)
struct MDBXReaderTests {
  /// A session beside which a process has died with a snapshot.
  private func withDeadReader(_ body: (any EngineSession) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<2000, bytes: 256)
      let path = folder.string
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let other = try open(FilePath(path))
        let snapshot = try other.beginSnapshot(label: "dying")
        try #require(snapshot.count(0) == 2000)
        kill(getpid(), SIGKILL)
      }
      try session.put([5, 900, 1800], bytes: 256, seed: 2)
      let pins = try #require(try session.capability((any PinInspecting).self)?.pins())
      #expect(pins.count == 1 && pins.first?.label.hasPrefix("process ") == true, "\(pins)")
      #expect(pins.first?.retained ?? .zero > .zero)
      try #expect(session.spaceUsage().pinned == pins.first?.retained)
      try body(session)
      try session.close()
    }
  }

  @Test("what a dead process's snapshot pinned is free after a check for dead readers")
  func askedFor() async throws {
    try await withDeadReader { session in
      try #expect(session.capability((any DeadReaderFreeing).self)?.freeDeadReaders() == 1)
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
      try #expect(session.spaceUsage().pinned == .zero)
      try #expect(session.capability((any DeadReaderFreeing).self)?.freeDeadReaders() == 0)
    }
  }

  @Test("a commit for which the file would have to grow looks for the dead by itself")
  func byItself() async throws {
    try await withDeadReader { session in
      let before = try session.spaceUsage().file
      for seed in 3..<200 { try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed)) }
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
      try #expect(session.spaceUsage().file == before)
    }
  }

  @Test("a second session of the process is refused as busy, and the first goes on")
  func once() throws {
    try withTemporaryFolder { folder in
      let first = try open(folder)
      for asks in [false, true] {
        var options = SessionOptions(tables: ["rows"])
        if asks { options.compactOnLaunch = { _ in true } }
        let error = #expect(throws: EngineError.self) { try MDBXEngine().open(folder, options) }
        #expect(error?.code == .busy)
      }
      try first.put([1], bytes: 10)
      try first.close()
      let second = try open(folder)
      try #expect(second.count() == 1)
      try second.close()
    }
  }

  @Test("what a broken-off compaction left is gone at the next opening")
  func leftover() throws {
    try withTemporaryFolder { folder in
      try open(folder).close()
      let leftover = FilePath(data(folder).string + ".compacting")
      try FileSystem.write([1, 2, 3], to: leftover)
      let session = try open(folder)
      #expect(!FileSystem.exists(leftover))
      try session.close()
    }
  }
}
