import FileFormats
import SystemIO
import TestSupport
import Testing

/// A file that another program commits to after a number of reads.
private struct ChangingFile {
  let main: [UInt8]
  var sides: [String: [UInt8]] = [:]
  let commit: (_ main: MemorySource, _ sides: [String: MemorySource]) -> Void

  /// Returns whether the report names a change, for a change before each read of an inspection; the last is none.
  func outcomes() throws -> [Bool] {
    var outcomes: [Bool] = []
    while true {
      let source = MemorySource(main)
      let beside = sides.mapValues(MemorySource.init)
      let family = SourceFamily(memory: source, beside)
      var reads = 0
      var isCommitted = false
      for each in [source] + beside.values {
        each.beforeRead = { _, _ in
          if reads == outcomes.count {
            commit(source, beside)
            isCommitted = true
          }
          reads += 1
        }
      }
      let report = try DatabaseFileReader.report(of: family)
      outcomes.append(report.consistency != .consistent)
      if !isCommitted { return outcomes }
    }
  }
}

@Suite(
  "A file that changes while it is read is reported as changed",
  .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
struct ChangingFileTests {
  /// The same for every run: how many reads come before the first of what a commit changes depends on the file.
  private static let seed: UInt64 = 1

  /// The first reads are those of the state before. The last outcome is that without a commit, and a commit before one of
  /// the last reads may be behind all that the report is of.
  private func check(_ outcomes: [Bool], firstReads: Int, lastReads: Int = 0) {
    #expect(outcomes.count > firstReads + 1)
    #expect(outcomes.last == false, "without a commit")
    let between = outcomes.dropLast(1 + lastReads).dropFirst(firstReads)
    #expect(between.allSatisfy { $0 }, "\(outcomes)")
  }

  @Test("by the change counter of an SQLite database")
  func sqlite() throws {
    try withTemporaryFolder { folder in
      _ = try CProgram.run("sqlite_files", flags: "-lsqlite3", in: folder, "6 \(Self.seed)")
      let bytes = try FileSystem.read(folder.appending("5.db"), atMost: 1 << 24)
      let file = ChangingFile(main: bytes) { main, _ in main.bytes[27] &+= 1 }
      check(try file.outcomes(), firstReads: 4)
    }
  }

  @Test("by the frame behind the last one of its log")
  func log() throws {
    try withTemporaryFolder { folder in
      _ = try CProgram.run("sqlite_files", flags: "-lsqlite3", in: folder, "4 \(Self.seed)")
      let path = folder.appending("3.db")
      let log = try FileSystem.read(FilePath(path.string + "-wal"), atMost: 1 << 24)
      try #require(log.count > 0)
      let file = ChangingFile(
        main: try FileSystem.read(path, atMost: 1 << 24), sides: ["-wal": log]
      ) { _, sides in sides["-wal"]?.bytes += [UInt8](repeating: 1, count: 100) }
      check(try file.outcomes(), firstReads: 6, lastReads: 2)
    }
  }

  @Test("by the meta pages of an LMDB file that change with each read; one commit is read around")
  func lmdb() throws {
    try withTemporaryFolder { folder in
      _ = try CProgram.run("lmdb_files", flags: "-llmdb", in: folder, "6 \(Self.seed)")
      let bytes = try FileSystem.read(folder.appending("4.db"), atMost: 1 << 24)
      let file = ChangingFile(main: bytes) { main, _ in main.bytes[16 + 128] &+= 4 }
      #expect(try file.outcomes().allSatisfy { !$0 })
      let source = MemorySource(bytes)
      source.beforeRead = { source, count in
        // Both meta pages in turn, each by a version that is two greater.
        let at = count % 2 == 0 ? 16 + 128 : 4096 + 16 + 128
        source.bytes[at] &+= 2
        if source.bytes[at] < 2 { source.bytes[at + 1] &+= 1 }
      }
      let report = try DatabaseFileReader.report(of: SourceFamily(memory: source))
      #expect(report.consistency != .consistent)
      #expect(source.readBytes < 70 * bytes.count)
    }
  }

  @Test("by the header of a Realm file")
  func realm() throws {
    var builder = RealmFileBuilder(seed: Self.seed)
    _ = builder.build()
    let file = ChangingFile(main: builder.bytes) { main, _ in main.bytes[0] &+= 8 }
    check(try file.outcomes(), firstReads: 3)
  }
}
