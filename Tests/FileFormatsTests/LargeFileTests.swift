import Foundation
import SystemIO
import TestSupport
import Testing

@testable import FileFormats

@Suite(
  "A file of 10 GB is inspected in bounded memory",
  .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
struct LargeFileTests {
  static let bytes = 10_000_000_000 / 65536 * 65536

  /// Makes a file of 10 GB that takes no disk space behind its first bytes, changed by `edit`.
  static func extend(_ path: FilePath, _ edit: (FileHandle) throws -> Void = { _ in }) throws {
    let handle = try FileHandle(forUpdating: URL(filePath: path.string))
    try handle.truncate(atOffset: UInt64(Self.bytes))
    try edit(handle)
    try handle.close()
  }

  private func set(_ value: UInt64, _ bytes: Int, at offset: UInt64, in handle: FileHandle) throws {
    try handle.seek(toOffset: offset)
    try handle.write(
      contentsOf: Data((0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }))
  }

  @Test("what follows the database is its tail, and is not read")
  func tail() throws {
    try withTemporaryFolder { folder in
      for (program, flags) in [("sqlite_files", "-lsqlite3"), ("lmdb_files", "-llmdb")] {
        _ = try CProgram.run(program, flags: flags, in: folder, "2 \(testSeed())")
        let path = folder.appending("1.db")
        let before = try DatabaseFileReader.report(of: path)
        try Self.extend(path)
        let after = try DatabaseFileReader.report(of: path)
        #expect(after.fileBytes == Self.bytes)
        #expect(after.space.tail == Self.bytes - before.space.logical)
        #expect(after.space.live == before.space.live)
        #expect(after.space.free == before.space.free)
      }
    }
  }

  @Test("pages that only the header counts are reported as unreachable, every one")
  func counted() throws {
    try withTemporaryFolder { folder in
      _ = try CProgram.run("sqlite_files", flags: "-lsqlite3", in: folder, "1 \(testSeed())")
      let path = folder.appending("0.db")
      let before = try DatabaseFileReader.report(of: path)
      let page = try #require(before.pageBytes)
      let count = Self.bytes / page
      try Self.extend(path) {
        try set(UInt64(UInt32(count).byteSwapped), 4, at: 28, in: $0)
      }
      let after = try DatabaseFileReader.report(of: path)
      let known = before.space.logical + (count * page > 1 << 30 ? page : 0)
      #expect(after.space.unreachable == .exact(count * page - known))
      #expect(after.problems.texts.contains { $0.contains("not reachable") })
    }
    try withTemporaryFolder { folder in
      _ = try CProgram.run("lmdb_files", flags: "-llmdb", in: folder, "2 \(testSeed())")
      let path = folder.appending("1.db")
      let before = try DatabaseFileReader.report(of: path)
      let page = try #require(before.pageBytes)
      try Self.extend(path) { handle in
        for meta in 0..<2 {
          let offset = UInt64(meta * page + 136)
          try set(UInt64(Self.bytes / page - 1), 8, at: offset, in: handle)
        }
      }
      let after = try DatabaseFileReader.report(of: path)
      #expect(after.space.unreachable == .exact(Self.bytes - before.space.logical))
    }
  }

  @Test("a map of pages takes memory for the chunks that have pages in them only")
  func bitmap() {
    var map = PageBitmap(limit: 1 << 35)
    #expect(map.insert(5) && map.insert(1 << 34) && map.insert((1 << 35) - 1))
    #expect(!map.insert(5) && !map.insert(1 << 35) && !map.insert(-1))
    #expect(map.count == 3)
    var runs: [Range<Int>] = []
    map.forEachRun { runs.append($0) }
    #expect(runs == [5..<6, 1 << 34..<(1 << 34) + 1, (1 << 35) - 1..<1 << 35])
  }

  @Test("runs of pages are those of a plain array", arguments: [1, 63, 64, 65, 40_000])
  func runs(limit: Int) {
    var random = SeededRandom(seed: testSeed(UInt64(limit)))
    var map = PageBitmap(limit: limit)
    var plain = [Bool](repeating: false, count: limit)
    for _ in 0..<limit / 2 + 1 {
      let start = random.below(limit)
      for page in start..<min(limit, start + random.below(200)) {
        #expect(map.insert(page) == !plain[page])
        plain[page] = true
      }
    }
    var marked = [Bool](repeating: false, count: limit)
    var end = -1
    map.forEachRun { run in
      #expect(run.lowerBound > end)
      end = run.upperBound
      for page in run { marked[page] = true }
    }
    #expect(marked == plain)
    #expect(map.count == plain.count { $0 })
  }
}
