// The account of space beside what a compacted copy really needs, and what WiredTiger writes.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

@Suite("The account of space of WiredTiger", .enabled(if: hasWiredTiger))
struct WiredTigerSpaceTests {
  enum Case: String, CaseIterable, CustomTestStringConvertible {
    case deletions = "two thirds of the rows are deleted"
    case overwrites = "each row is written four times"
    case uncheckpointed = "part of the rows is in no checkpoint yet"

    var testDescription: String { rawValue }
  }

  private func make(_ scene: Case, in session: any EngineSession) throws {
    try session.fill(0..<3000, bytes: 500)
    switch scene {
    case .deletions: try session.delete((0..<3000).filter { $0 % 3 != 0 })
    case .overwrites:
      for seed in UInt64(2)...4 { try session.fill(0..<3000, bytes: 500, seed: seed) }
    case .uncheckpointed: try session.fill(3000..<3300, bytes: 500)
    }
  }

  @Test(
    "live bytes are those of a compacted copy, but for part-filled pages and changes since the checkpoint",
    arguments: Case.allCases)
  func besideCopy(_ scene: Case) throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder)
      try make(scene, in: session)
      let live = try #require(session.spaceUsage().live)
      let other = folder.appending("copy")
      try FileSystem.makeFolders(other)
      try session.writeCompactedCopy(to: other.appending(WiredTigerFolder.name))
      try session.close()
      let copied = try WiredTigerEngine().session(other)
      let copy = try #require(copied.spaceUsage().live)
      try copied.close()
      let ratio = Double(live.bytes) / Double(copy.bytes)
      let expected =
        switch scene {
        case .deletions: 1.2...1.35
        case .overwrites: 0.92...1.05
        case .uncheckpointed: 0.9...0.95
        }
      #expect(expected.contains(ratio), "\(live) live, \(copy) in the copy")
    }
  }

  @Test("after a checkpoint only lists of extents are in no part, a few blocks of each file")
  func remainder() throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder)
      for scene in Case.allCases { try make(scene, in: session) }
      try session.tiger.checkpoint()
      let space = try session.spaceUsage()
      let parts = [space.live, space.free, space.pinned, space.overhead].compactMap(\.self)
      let rest = space.file - parts.reduce(.zero, +)
      #expect(rest <= ByteCount(2 * 5 * 4096), "\(space)")
      try session.close()
    }
  }

  @Test("a database has the same bytes wherever its folder is, and whenever it is made")
  func pathLength() throws {
    func usage(_ name: String) throws -> SpaceUsage {
      try withTemporaryFolder { folder in
        let long = folder.appending(name)
        try FileSystem.makeFolders(long)
        let session = try WiredTigerEngine().session(long)
        try session.fill(0..<1000, bytes: 500)
        let usage = try session.spaceUsage()
        try session.close()
        return usage
      }
    }
    let short = try usage("a")
    for name in ["ab", String(repeating: "long", count: 20), "a", "b", "c"] {
      let other = try usage(name)
      #expect(other == short, "\(name): \(other) \(short)")
    }
  }

  @Test("the engine's counters are the log's bytes and those of every block that was written")
  func counters() throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder)
      let before = try session.tiger.written
      try session.fill(0..<1000, bytes: 500)
      try session.tiger.checkpoint()
      let after = try session.tiger.written
      #expect((after.toLog - before.toLog).bytes > 1000 * 500)
      #expect((after.toFiles - before.toFiles).bytes > 1000 * 500)
      #expect(session.bytesWritten == after.toLog + after.toFiles)
      try session.close()
    }
  }

  @Test("in the background WiredTiger makes checkpoints and removes logs by itself")
  func background() throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder, inBackground: true)
      for seed in UInt64(1)...6 { try session.fill(0..<2000, bytes: 500, seed: seed) }
      // Six megabytes of log in all.
      var sidecar = try session.spaceUsage().sidecar
      for _ in 0..<1000 where sidecar > ByteCount(3 << 20) {
        Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 10_000_000)
        try session.fill(0..<1, bytes: 500)
        sidecar = try session.spaceUsage().sidecar
      }
      #expect(sidecar <= ByteCount(3 << 20))
      try #expect(#require(session.spaceUsage().live) > ByteCount(2000 * 500))
      try #expect(session.count() == 2000)
      try session.close()
    }
  }
  @Test(
    "a session in the background closes however much was written since its last checkpoint",
    arguments: (95...104).map { 4 * $0 })
  func closing(_ rows: Int) throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder, inBackground: true)
      // Of the log's length at which a checkpoint is due each commit adds 640 bytes, and closing some thousand.
      for key in 0..<rows { try session.fill(key..<key + 1, bytes: 500) }
      try session.close()
      let again = try WiredTigerEngine().session(folder, inBackground: true)
      try #expect(again.count() == rows)
      try again.close()
    }
  }
}
