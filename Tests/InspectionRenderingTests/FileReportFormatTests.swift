import InspectionRendering
import SystemIO
import TestSupport
import Testing

@testable import FileFormats

/// A report of 8 MB, of which a quarter is live, a half free, an eighth held and an eighth in no known use.
private func report(_ format: FileFormat, facts: [FileReport.Fact] = []) -> FileReport {
  let part = 1 << 20
  var grid = SpaceGrid(fileBytes: 8 * part)
  grid.add(0, 2 * part, .live)
  grid.add(2 * part, 4 * part, .free)
  grid.add(6 * part, part, .held(age: 500))
  return FileReport(
    format: format, formatVersion: "of a test", fileBytes: 8 * part, pageBytes: 4096,
    space: SpaceByUse(
      logical: 8 * part, live: .exact(2 * part), free: .exact(4 * part), pinned: .exact(part),
      unreachable: .exact(part)),
    grid: grid, facts: facts, compacted: .bounded(2 * part...3 * part, reason: "of a test"))
}

@Suite("Reports of every format have a reason, a map, and what the engine does by itself")
struct FileReportFormatTests {
  @Test("the reason is a sentence with its share", arguments: FileFormat.allCases)
  func cause(format: FileFormat) {
    let text = FileReportText.summary(report(format))
    #expect(
      text.contains("\nWhy so large: 50.0 % is free, and is reused before the file grows"),
      "\(text)")
    #expect(text.contains("12.5 % is"), "\(text)")
  }

  @Test("unused bytes in pages are a reason where they are most of the file")
  func unusedBytes() {
    var report = report(
      .sqlite, facts: [.init("unusedBytes", "unused bytes in live pages", .bytes(5 << 20))])
    #expect(
      FileReportText.summary(report).contains(
        "62.5 % is unused in pages that hold data; VACUUM packs them anew."))
    report.facts = [.init("unusedBytes", "unused bytes in live pages", .bytes(100))]
    #expect(!FileReportText.summary(report).contains("unused"))
  }

  @Test("a map has each use where it is, in the terminal and in the picture")
  func map() throws {
    let report = report(.lmdb)
    let text = FileReportText.details(report, width: 80)
    let rows = text.split(separator: "\n\n").first { $0.hasPrefix("map: ") }
    let map = try #require(rows).split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: " ").last }.joined()
    let runs = map.reduce(into: [(Character, Int)]()) { runs, symbol in
      if runs.last?.0 == symbol { runs[runs.count - 1].1 += 1 } else { runs.append((symbol, 1)) }
    }
    // One cell may have two uses.
    let wide = runs.filter { $0.1 > 1 }
    #expect(wide.map(\.0) == ["█", "·", "p", "?"])
    let shares = wide.map { ($0.1 * 8 + map.count / 2) / map.count }
    #expect(shares == [2, 4, 1, 1])
    #expect(text.contains("in no known use ?"))
    let picture = SpaceMapSVG.text(report, title: "x")
    #expect(picture.contains("pinned, freed &lt; 1,000 versions ago"), "\(picture.prefix(2000))")
    #expect(picture.contains("in no known use"))
  }

  @Test("a grid has every byte in one cell, of files shorter and longer than it has cells")
  func grid() {
    for bytes in [0, 1, 8, 4096, 24 * 1024 * 8, 24 * 1024 * 8 + 1, 100_000_007, 1 << 50] {
      var grid = SpaceGrid(fileBytes: bytes)
      #expect(grid.cells.count <= SpaceGrid.maxCells)
      #expect(grid.cells.count * grid.cellBytes >= bytes)
      grid.add(-8, 16, .live)
      grid.add(bytes, 16, .live)
      #expect(grid == SpaceGrid(fileBytes: bytes), "what is outside is left out")
      grid.add(0, bytes / 2, .live)
      grid.add(bytes / 2, Int.max, .held(age: 9))
      #expect(grid.cells.reduce(0) { $0 + $1.live } == bytes / 2)
      #expect(grid.cells.reduce(0) { $0 + $1.held[0] } == bytes - bytes / 2)
    }
  }

  @Test("SQLite's auto_vacuum and checkpoints, with the figures that decide")
  func sqlite() throws {
    for (mode, words) in [
      ("none", "only VACUUM cuts them off"), ("full", "each commit moves pages"),
      ("incremental", "PRAGMA incremental_vacuum would cut off 7 free pages (28.7 kB)"),
    ] {
      var report = report(
        .sqlite,
        facts: [
          .init("autoVacuum", "auto_vacuum", .text(mode)),
          .init("freelistPages", "freelist_count", .count(7)),
        ])
      #expect(try #require(FileReportAutomatic.text(report)).contains(words))
      report.log = LogReport(
        bytes: 9, committedFrames: 999, uncommittedFrames: 0, checkpointedFrames: .exact(0),
        staleBytes: 0, pages: 9)
      #expect(try #require(FileReportAutomatic.text(report)).contains("999 frames, fewer than"))
      report.log?.committedFrames = 1000
      #expect(try #require(FileReportAutomatic.text(report)).contains("checkpoints from 1,000 on"))
    }
  }

  @Test("LMDB never shortens a file; libmdbx has a threshold, and none of 0")
  func mdb() throws {
    #expect(try #require(FileReportAutomatic.text(report(.lmdb))).contains("never shortens"))
    for (threshold, words) in [(0, "is never shortened"), (65536, "more than 65.5 kB")] {
      let report = report(
        .libmdbx, facts: [.init("shrinkBytes", "shrink threshold", .bytes(threshold))])
      #expect(try #require(FileReportAutomatic.text(report)).contains(words))
    }
  }

  @Test("Realm's compaction begins where more than twice as much is free as used")
  func realm() throws {
    let facts = [
      FileReport.Fact("automaticCompaction", "automatic compaction", .text("not begun"))
    ]
    var report = report(.realm, facts: facts)
    let text = try #require(FileReportAutomatic.text(report))
    #expect(text == "would not begin: 4.19 MB free <= 2 × 4.19 MB used")
    report.space.free = .exact(6 << 20)
    #expect(
      FileReportAutomatic.text(report)
        == "would begin with the next commit: 6.29 MB free > 2 × 2.10 MB used")
  }

  @Test(
    "promtool accepts the metrics of every format",
    .enabled(if: ChildProcess.findExecutable("promtool") != nil, "there is no promtool"),
    arguments: FileFormat.allCases)
  func promtool(format: FileFormat) async throws {
    var report = report(format)
    report.trees.add(TreeUsage(name: "a \"b\"\n\\", kind: .table, root: 1, bytes: 8))
    report.versions = VersionReport(newest: 7, oldestHeld: 3, readers: 1)
    report.log = LogReport(
      bytes: 9, committedFrames: 1, uncommittedFrames: 0, checkpointedFrames: .exact(0),
      staleBytes: 0, pages: 1)
    try await withTemporaryFolder { folder in
      try FileSystem.write(
        text: FileMetrics.text(report, file: "/a \"b\".db"), to: folder.appending("metrics"))
      let outcome = try await ChildProcess(
        "/bin/sh", arguments: ["-c", "promtool check metrics < '\(folder.appending("metrics"))'"]
      ).run()
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
      #expect(outcome.outputText + outcome.errorText == "")
    }
  }
}
