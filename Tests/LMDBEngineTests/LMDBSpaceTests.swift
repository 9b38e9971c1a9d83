// That the account of pages is LMDB's own: what it calls free is what the next commits use, what it calls pinned they
// do not, and the sums are those of the file and of the copy.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import LMDBEngine

@Suite("LMDB's pages are accounted for by LMDB's own rule")
struct LMDBSpaceTests {
  private let page = ByteCount(4096)

  @Test(
    "the file's length on disk is its number of pages, apart from pages never written at its end")
  func lengthOnDisk() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      for commit in 0..<200 {
        try session.put(Int64(commit * 10)..<Int64(commit * 10 + 10), bytes: 500)
        let space = try session.spaceUsage()
        let length = try FileSystem.size(of: data(folder)).bytes
        #expect(space.file.bytes == length)
      }
      try session.close()
    }
  }

  @Test("pages freed under a reader are pinned until it ends, and only then are used again")
  func pinnedIsNotReused() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<2000, bytes: 256)
      for seed in 2..<20 { try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed)) }
      let reader = try session.beginSnapshot(label: "reader")
      // Uses up what was free when the reader began.
      for seed in 20..<60 { try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed)) }
      var space = try session.spaceUsage()
      for seed in 60..<90 {
        try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed))
        let next = try session.spaceUsage()
        #expect(next.free == .zero)
        #expect(next.pending == .zero)
        #expect(next.file > space.file)
        try #expect(#require(next.pinned) > #require(space.pinned))
        // Every page that the commit took anew is a page that it freed and could not use.
        let grown = next.file - space.file
        let books = try #require(next.overhead) - #require(space.overhead)
        try #expect(#require(next.pinned) - #require(space.pinned) == grown - books)
        space = next
      }
      let held = try session.spaceUsage()
      reader.end()
      // Nothing was committed: the same records, and the allocator's rule now lets all but the newest go.
      let released = try session.spaceUsage()
      #expect(released.pinned == .zero)
      #expect(released.file == held.file)
      try #expect(#require(released.free) + #require(released.pending) == held.pinned)
      try #expect(#require(released.pending) > .zero)
      for seed in 90..<150 {
        try session.put([5, 900, 1800], bytes: 256, seed: UInt64(seed))
        try #expect(session.spaceUsage().file == held.file)
      }
      try session.close()
    }
  }

  @Test(
    "a reader of the newest version pins nothing, and one of the version before pins its record")
  func newestReader() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<500, bytes: 100)
      try session.put([7], bytes: 100, seed: 2)
      let before = try session.spaceUsage()
      let newest = try session.beginSnapshot(label: "newest")
      try #expect(session.spaceUsage() == before)
      #expect(before.pinned == .zero)
      try #expect(#require(before.pending) > .zero)
      try session.put([7], bytes: 100, seed: 3)
      let after = try session.spaceUsage()
      try #expect(#require(after.pinned) > .zero)
      #expect(after.pending == .zero)
      newest.end()
      try session.close()
    }
  }

  @Test("free pages are what commits use: while there are enough the file does not grow")
  func freeIsUsed() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder)
      try session.put(0..<3000, bytes: 256)
      try session.delete(0..<2500)
      try session.put([1], bytes: 10)
      let before = try session.spaceUsage()
      try #expect(#require(before.free) > 100 * page)
      for key in 0..<100 { try session.put([Int64(key)], bytes: 256) }
      try #expect(session.spaceUsage().file == before.file)
      try session.close()
    }
  }

  @Test("a compacted copy is the live pages and the two slots")
  func copyIsLive() throws {
    try withTemporaryFolder { folder in
      let session = try open(folder, tables: ["rows", "more"])
      try session.put(0..<3000, bytes: 256)
      try session.put(0..<40, bytes: 30_000, table: 1)
      try session.delete(100..<2900)
      let live = try #require(session.spaceUsage().live)
      let copy = folder.appending("copy.mdb")
      try session.writeCompactedCopy(to: copy)
      try #expect(FileSystem.size(of: copy).bytes == (live + 2 * page).bytes)
      try session.close()
    }
  }

  @Test("tables that the session does not use are live all the same")
  func foreignTables() throws {
    try withTemporaryFolder { folder in
      let both = try open(folder, tables: ["rows", "other"])
      try both.put(0..<100, bytes: 200)
      try both.put(0..<1000, bytes: 200, table: 1)
      let known = try both.spaceUsage()
      try both.close()
      let one = try open(folder)
      try #expect(one.spaceUsage() == known)
      try one.close()
    }
  }
}
