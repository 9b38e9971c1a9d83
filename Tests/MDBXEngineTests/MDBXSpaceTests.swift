// That the account of pages is libmdbx's own: what it calls free is what the next commits use, what it calls pinned they
// do not, and what is retained for a reader is what libmdbx tells of it.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import MDBXEngine

@Suite("libmdbx's pages are accounted for by libmdbx's own rule", .whereThereIsLibmdbx)
struct MDBXSpaceTests {
  private let page = ByteCount(4096)

  @Test("the file's length on disk is what the account says, at every commit")
  func lengthOnDisk() throws {
    for threshold in [nil, ByteCount(128 << 10)] {
      try withTemporaryFolder { folder in
        let session = try open(
          folder, durability: .none, geometry: FileGeometry(shrinkThreshold: threshold))
        for commit in 0..<100 {
          try session.put(Int64(commit * 10)..<Int64(commit * 10 + 10), bytes: 500)
          try #expect(session.spaceUsage().file == length(folder))
        }
        for commit in 0..<50 {
          try session.delete(Int64(commit * 20)..<Int64(commit * 20 + 20))
          try #expect(session.spaceUsage().file == length(folder))
        }
        try session.close()
      }
    }
  }

  @Test("pages freed under a reader are pinned until it ends, and only then are used again")
  func pinnedIsNotReused() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<2000, bytes: 256)
      let reader = try session.beginSnapshot(label: "reader")
      var space = try session.spaceUsage()
      for seed in 2..<60 {
        try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed))
        let next = try session.spaceUsage()
        try #expect(#require(next.pinned) > #require(space.pinned))
        #expect(next.pending == .zero)
        space = next
      }
      let held = try session.spaceUsage()
      reader.end()
      let released = try session.spaceUsage()
      #expect(released.pinned == .zero && released.file == held.file)
      try #expect(released.free == #require(held.free) + #require(held.pinned))
      for seed in 60..<120 {
        try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed))
        try #expect(session.spaceUsage().file == held.file)
      }
      try session.close()
    }
  }

  @Test("what is retained for each reader is what libmdbx's own table says")
  func retained() throws {
    try withTemporaryFolder { folder in
      let session = try #require(open(folder) as? MDBXSession)
      try session.put(0..<2000, bytes: 256)
      var held: [any EngineSnapshot] = []
      for name in ["first", "second", "third"] {
        held.append(try session.beginSnapshot(label: name))
        for seed in 2..<30 { try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed)) }
      }
      let pins = try #require(try session.capability((any PinInspecting).self)?.pins())
      #expect(pins.map(\.label) == ["first", "second", "third"])
      #expect(pins.dropFirst().allSatisfy { $0.exclusive == .zero })
      #expect(pins[0].exclusive > .zero)
      try #expect(session.spaceUsage().pinned == pins[0].retained)
      let told = try session.toldRetained()
      #expect(told.count == 3)
      for (pin, told) in zip(pins, told) { #expect(pin.retained == told, "\(pin)") }
      for snapshot in held { snapshot.end() }
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
      try session.close()
    }
  }

  @Test("a compacted copy has the live pages, the slots, and no more than a step of room")
  func copyIsLive() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<3000, bytes: 256)
      try session.delete(100..<2900)
      let live = try #require(session.spaceUsage().live)
      let other = folder.appending("copy")
      try FileSystem.makeFolders(other)
      try session.writeCompactedCopy(to: data(other))
      let copied = try open(other)
      let space = try copied.spaceUsage()
      #expect(space.live == live)
      #expect(space.overhead == 3 * page)
      #expect(try #require(space.free) <= ByteCount(256 << 10))
      try copied.close()
      try session.close()
    }
  }

  @Test("without durability no more is kept for the last synced version than the bound, and a page")
  func unsynced() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, durability: .none)
      try session.put(0..<2000, bytes: 256)
      var most = ByteCount.zero
      var least = ByteCount(Int.max)
      for seed in 2..<400 {
        try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed))
        let pending = try #require(session.spaceUsage().pending)
        most = max(most, pending)
        least = min(least, pending)
      }
      #expect(most > .zero && most <= ByteCount(1 << 20) + 16 * page, "\(most)")
      // Each sync releases all of it.
      #expect(least == .zero)
      try session.close()
    }
  }
}

extension MDBXSession {
  /// What libmdbx's table tells of each reader, oldest version first.
  func toldRetained() throws -> [ByteCount] {
    try openForTests().retainedBytes().sorted { $0.key < $1.key }.map { ByteCount($0.value) }
  }
}
