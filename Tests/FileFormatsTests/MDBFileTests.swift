import FileFormats
import Foundation
import SystemIO
import TestSupport
import Testing

/// The library of libmdbx that is named, or that Python has.
let mdbxLibrary: String? =
  ProcessInfo.processInfo.environment["COMPACTION_LAB_MDBX"]
  ?? LibraryRequest.pythonPackageFiles("mdbx/lib/libmdbx").first

/// Compares reports of files with what the library that made them printed.
private struct MDBComparison {
  let folder: FilePath
  let lines: ReportedLines
  let metaCount: Int

  func check() throws {
    for (file, reported) in lines.sorted(by: { $0.key < $1.key }) {
      let report = try DatabaseFileReader.report(of: folder.appending("\(file).db"))
      let note: Comment = "file \(file), seed \(testSeed()): \(report.problems.texts)"
      let page = try #require(reported.number("psize"))
      let pages = try #require(reported.number("last_pgno")) + 1
      #expect(report.pageBytes == page, note)
      #expect(report.space.logical == pages * page, note)
      #expect(report.versions.newest == reported.number("last_txnid").map(UInt64.init), note)
      #expect(report.problems.isEmpty, note)
      #expect(report.consistency == .consistent, note)
      #expect(report.space.unreachable == .exact(0), note)
      try checkFree(file, report, reported, note)
      try checkTrees(report, reported, note)
      let parts = report.space.parts.dropLast().compactMap(\.measure.exactValue).reduce(0, +)
      #expect(parts == report.space.logical, note)
    }
  }

  private func checkFree(
    _ file: Int, _ report: FileReport, _ reported: [[String]], _ note: Comment
  ) throws {
    let page = report.pageBytes ?? 0
    let free = try #require(reported.last { $0[0] == "free" }?.dropFirst().compactMap { Int($0) })
    #expect(report.freePieces.bytes == free[0] * page, note)
    let oldest = reported.number("oldest") ?? 0
    let hasTable = file % 7 != 6
    #expect(report.versions.oldestHeld == (hasTable && oldest > 0 ? UInt64(oldest) : nil), note)
    guard hasTable else { return }
    let held = report.space.pinned.exactValue! + report.space.pending.exactValue!
    #expect(held == free[1] * page, note)
    #expect(report.space.free == .exact((free[0] - free[1]) * page), note)
  }

  private func checkTrees(
    _ report: FileReport, _ reported: [[String]], _ note: Comment
  ) throws {
    let page = report.pageBytes ?? 0
    var live = 0
    #expect(Set(report.trees.list.map(\.name)) == reported.names("tree").subtracting(["gc"]), note)
    for tree in report.trees.list {
      let numbers = try #require(reported.numbers("tree", tree.name), note)
      #expect(tree.entries == numbers[3], "\(tree.name), \(note)")
      // The statistics leave out the pages of large trees of duplicates.
      #expect(tree.pages >= numbers[0] + numbers[1] + numbers[2], "\(tree.name), \(note)")
      #expect(tree.bytes == tree.pages * page, note)
      #expect(tree.depth >= numbers[4], "\(tree.name), \(note)")
      live += tree.bytes
    }
    #expect(report.space.live == .exact(live), note)
    let list = try #require(reported.numbers("tree", "gc"), note)
    let overhead = metaCount + list[0] + list[1] + list[2]
    #expect(report.space.overhead == .exact(overhead * page), note)
  }
}

@Suite(
  "LMDB files are read from their bytes",
  .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
struct LMDBFileTests {
  @Test("pages, trees, free and held pages and readers are those that LMDB reports, of every file")
  func figures() throws {
    try withTemporaryFolder { folder in
      let lines = try CProgram.run("lmdb_files", flags: "-llmdb", in: folder, "64 \(testSeed())")
      #expect(lines.count == 64)
      try MDBComparison(folder: folder, lines: lines, metaCount: 2).check()
      for (file, reported) in lines {
        let report = try DatabaseFileReader.report(of: folder.appending("\(file).db"))
        let compacted = try #require(reported.number("compacted"))
        #expect(report.compacted == .exact(compacted), "file \(file)")
      }
    }
  }
}

@Suite(
  "libmdbx files are read from their bytes",
  .enabled(if: mdbxLibrary != nil && CProgram.hasCompiler(), "there is no libmdbx"))
struct MDBXFileTests {
  static let library: String? =
    ProcessInfo.processInfo.environment["COMPACTION_LAB_MDBX"]
    ?? LibraryRequest.pythonPackageFiles("mdbx/lib/libmdbx").first

  @Test("pages, trees, free and held pages and readers are those that libmdbx reports")
  func figures() throws {
    try withTemporaryFolder { folder in
      let headers = Repository.root.pushing("Sources/CMDBX")
      let lines = try CProgram.run(
        "mdbx_files", flags: "-I'\(headers)' -ldl", in: folder,
        "64 \(testSeed()) '\(try #require(mdbxLibrary))'")
      #expect(lines.count == 64)
      try MDBComparison(folder: folder, lines: lines, metaCount: 3).check()
      for (file, reported) in lines {
        let report = try DatabaseFileReader.report(of: folder.appending("\(file).db"))
        let compacted = try #require(reported.number("compacted"))
        let bounds = try #require(report.compacted.bounds)
        #expect(bounds.contains(compacted), "file \(file): \(bounds) for \(compacted)")
      }
    }
  }
}
