import FileFormats
import SystemIO
import TestSupport
import Testing

@Suite(
  "SQLite databases are read from their bytes",
  .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
struct SQLiteFileTests {
  private static let files = 64

  private func withFiles(
    _ count: Int = files, _ body: (FilePath, ReportedLines) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let seed = testSeed()
      let lines = try CProgram.run(
        "sqlite_files", flags: "-lsqlite3", in: folder, "\(count) \(seed)")
      #expect(lines.count == count, "seed \(seed)")
      try body(folder, lines)
    }
  }

  @Test("page counts, trees, free pages and the log are those that SQLite reports, of every file")
  func figures() throws {
    try withFiles { folder, lines in
      var uncommitted = 0
      defer { #expect(uncommitted >= 2, "files with frames of an unfinished transaction") }
      for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
        let report = try DatabaseFileReader.report(of: folder.appending("\(file).db"))
        if report.log?.uncommittedFrames ?? 0 > 0 { uncommitted += 1 }
        let note: Comment = "file \(file), seed \(testSeed()): \(report.problems.texts)"
        let page = try #require(reported.number("page_size"))
        let pages = try #require(reported.number("page_count"))
        let free = try #require(reported.number("freelist_count"))
        #expect(report.pageBytes == page, note)
        #expect(report.space.logical == pages * page, note)
        #expect(report.space.free == .exact(free * page), note)
        #expect(report.freePieces.bytes == free * page, note)
        #expect(report.space.unreachable == .exact(0), note)
        #expect(report.problems.isEmpty, note)
        #expect(report.consistency == .consistent, note)
        checkTrees(report, reported, note)
        checkLog(report, reported, note)
      }
    }
  }

  private func checkTrees(_ report: FileReport, _ reported: [[String]], _ note: Comment) {
    let names = reported.names("tree")
    #expect(Set(report.trees.list.map(\.name)) == names, note)
    for tree in report.trees.list {
      var numbers = reported.numbers("tree", tree.name)
      // An empty page of 64 KiB: SQLite 3.40 takes the start of its content, stored as 0, for 0.
      if let unused = numbers?[2], unused < 0 { numbers?[2] += 65536 }
      #expect([tree.pages, tree.bytes, tree.unused ?? -1] == numbers, "\(tree.name), \(note)")
      if let rows = reported.numbers("rows", tree.name) {
        #expect(tree.entries == rows[0], "\(tree.name), \(note)")
      }
    }
    let live = report.trees.list.reduce(0) { $0 + $1.bytes }
    #expect(report.space.live == .exact(live), note)
    let parts = report.space.parts.dropLast().compactMap(\.measure.exactValue).reduce(0, +)
    #expect(parts == report.space.logical, note)
  }

  private func checkLog(_ report: FileReport, _ reported: [[String]], _ note: Comment) {
    guard reported.number("wal") == 1, let frames = reported.number("frames") else { return }
    #expect((report.log?.committedFrames ?? 0) == frames, note)
    if let done = reported.number("checkpointed"), reported.number("uncommitted") == nil {
      #expect(report.log?.checkpointedFrames == .exact(done), note)
    }
    if reported.number("uncommitted") == nil {
      #expect(report.log?.uncommittedFrames ?? 0 == 0, note)
    }
  }

  @Test("the length that VACUUM leaves is within the bounds, 35 % apart at most from 64 pages on")
  func vacuum() throws {
    try withFiles { folder, lines in
      for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
        let report = try DatabaseFileReader.report(of: folder.appending("\(file).db"))
        let vacuumed = try #require(reported.number("vacuumed"))
        let bounds = try #require(report.compacted.bounds)
        #expect(bounds.contains(vacuumed), "file \(file): \(bounds) for \(vacuumed)")
        let page = report.pageBytes ?? 0
        if vacuumed >= 64 * page {
          #expect(
            Double(bounds.upperBound - bounds.lowerBound) <= 0.35 * Double(vacuumed),
            "file \(file): \(bounds) for \(vacuumed)")
        }
      }
    }
  }
}
