// Other processes: their readers are seen in the table and can be cleared, and a file that they made larger is mapped anew.
import EngineInterface
import Glibc
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import LMDBEngine

@Suite("LMDB beside other processes")
struct LMDBProcessTests {
  @Test(
    "what a process pinned that died with a snapshot stays pinned until a check for dead readers")
  func dead() async throws {
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
      for seed in 2..<20 { try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed)) }
      let pins = try #require(try session.capability((any PinInspecting).self)?.pins())
      #expect(pins.count == 1 && pins[0].label.hasPrefix("process "), "\(pins)")
      try #expect(session.spaceUsage().pinned == pins[0].retained)
      #expect(pins[0].retained > .zero)
      try #expect(session.capability((any DeadReaderFreeing).self)?.freeDeadReaders() == 1)
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
      try #expect(session.spaceUsage().pinned == .zero)
      try session.close()
    }
  }

  @Test(
    "a file that another process made larger than the map is mapped again once there is no reader")
  func largerFile() async throws {
    try await withTemporaryFolder { folder in
      var setup = EnvironmentSetup(
        lmdb: try LMDBLibrary.load(), file: data(folder), options: SessionOptions(tables: ["rows"]))
      setup.mapSize = 1 << 20
      let session = LMDBSession(environment: try Environment(setup), claim: try FolderClaim(folder))
      try session.put(0..<100, bytes: 1000)
      let held = try session.beginSnapshot(label: "held")
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try open(FilePath(path))
        try other.put(100..<4000, bytes: 1000)
        try other.close()
      }
      let refused = #expect(throws: EngineError.self) { try session.beginWrite() }
      #expect(refused?.code == .busy)
      try #expect(held.count(0) == 100)
      held.end()
      try session.put(4000..<4001, bytes: 1000)
      try #expect(session.count() == 4001)
      try session.close()
    }
  }

  @Test("where the map is limited, a larger file is out of space, and no row is harmed")
  func limited() async throws {
    try await withTemporaryFolder { folder in
      var options = SessionOptions(tables: ["rows"])
      options.maximumMappedBytes = 1 << 20
      let session = try LMDBEngine().open(folder, options).session
      try session.put(0..<100, bytes: 1000)
      let path = folder.string
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try open(FilePath(path))
        try other.put(100..<4000, bytes: 1000)
        try other.close()
      }
      let refused = #expect(throws: EngineError.self) { try session.beginWrite() }
      #expect(refused?.code == .outOfSpace)
      try session.close()
      let again = try open(folder)
      try #expect(again.count() == 4000)
      try again.close()
    }
  }
}
