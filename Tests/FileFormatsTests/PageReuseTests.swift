// When LMDB and libmdbx write to the pages of an older version: the rule by which a file that was committed to while it was
// read counts as read consistently (`MDBFile`).
import SystemIO
import TestSupport
import Testing

@testable import FileFormats

/// Copies of one file after each of four commits: of the versions N, N + 1, N + 2 and N + 3.
private struct Versions {
  let layout: MDBLayout
  private let copies: [[UInt8]]
  private let pageBytes: Int
  /// The pages that version N reaches, without meta pages.
  private let pages: [Int]

  init(in folder: FilePath, _ layout: MDBLayout) throws {
    self.layout = layout
    copies = try (0..<4).map { try FileSystem.read(folder.appending("\($0).db"), atMost: 1 << 24) }
    let metas = Self.metas(of: copies[0], layout)
    let newest = try #require(metas.max { $0.version < $1.version })
    pageBytes = newest.pageBytes
    let source = MemorySource(copies[0])
    var walk = MDBWalk(
      try WindowedReader(source), layout, newest, metas,
      try MDBReaders(SourceFamily(memory: source), layout))
    let report = try walk.report()
    #expect(report.problems.isEmpty)
    pages = (layout.metaCount..<newest.pageCount).filter {
      walk.visited.contains($0) && !walk.free.contains($0)
    }
    for (index, copy) in copies.enumerated() {
      let version = Self.metas(of: copy, layout).map(\.version).max()
      #expect(version == newest.version + UInt64(index))
    }
  }

  private static func metas(of copy: [UInt8], _ layout: MDBLayout) -> [MDBMeta] {
    func meta(_ index: Int, _ pageBytes: Int) -> MDBMeta? {
      let start = index * pageBytes
      return MDBMeta(ByteBlock(Array(copy[start..<start + 256])), index: index, layout)
    }
    guard let pageBytes = meta(0, 0)?.pageBytes else { return [] }
    return (0..<layout.metaCount).compactMap { meta($0, pageBytes) }
  }

  /// Returns how many pages of version N have other bytes after so many more commits.
  func changedPages(after commits: Int) -> Int {
    pages.count { page in
      let range = page * pageBytes..<(page + 1) * pageBytes
      return range.upperBound > copies[commits].count
        || copies[0][range] != copies[commits][range]
    }
  }

  var pageCount: Int { pages.count }
}

@Suite(
  "Pages of a version are reused as late as the reports assume",
  .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
struct PageReuseTests {
  @Test(
    "LMDB: two more commits leave all pages of a version as they are, the third does not",
    arguments: [0, 1])
  func lmdb(writesToMap: Int) throws {
    try withTemporaryFolder { folder in
      _ = try CProgram.run(
        "lmdb_reuse", flags: "-llmdb", in: folder, "\(testSeed()) \(writesToMap)")
      let versions = try Versions(in: folder, .lmdb)
      #expect(versions.pageCount > 25)
      #expect(versions.changedPages(after: 1) == 0)
      #expect(versions.changedPages(after: 2) == 0)
      #expect(versions.changedPages(after: 3) > versions.pageCount / 2)
    }
  }

  @Test(
    "libmdbx: one more commit leaves all pages of a version as they are, the second does not",
    .enabled(if: mdbxLibrary != nil, "there is no libmdbx"), arguments: [0, 1])
  func libmdbx(writesToMap: Int) throws {
    try withTemporaryFolder { folder in
      let headers = Repository.root.pushing("Sources/CMDBX")
      _ = try CProgram.run(
        "mdbx_reuse", flags: "-I'\(headers)' -ldl", in: folder,
        "\(testSeed()) \(writesToMap) '\(try #require(mdbxLibrary))'")
      let versions = try Versions(in: folder, .libmdbx)
      #expect(versions.pageCount > 25)
      #expect(versions.changedPages(after: 1) == 0)
      #expect(versions.changedPages(after: 2) > versions.pageCount / 2)
    }
  }
}
