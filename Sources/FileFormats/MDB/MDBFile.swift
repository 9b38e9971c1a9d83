// The report of an LMDB or libmdbx file: chooses the newest version, walks its trees, and compares the meta pages before and
// after.
import SystemIO

enum MDBFile {
  static func report(
    of family: SourceFamily, _ layout: MDBLayout
  ) throws(FileFormatError) -> FileReport {
    let reader = try FileFormatError.reading { () throws(SystemError) in
      if let copy = try readerOfOneVersion(family, layout) { return copy }
      return try WindowedReader(family.main)
    }
    let (metas, damaged) = try FileFormatError.reading { () throws(SystemError) in
      try readMetas(reader, layout)
    }
    // Now, while they are those that were read: later the reader may have to read them again.
    let before = try FileFormatError.reading { () throws(SystemError) in
      try metaPages(reader, layout, metas)
    }
    guard let newest = metas.max(by: { $0.version < $1.version }) else {
      throw .damaged(
        "\(layout.isLMDB ? "an LMDB" : "a libmdbx") file without a valid meta page: it is cut off, damaged, or of a "
          + "version that is not read")
    }
    return try FileFormatError.reading { () throws(SystemError) in
      let readers = try MDBReaders(family, layout)
      var walk = MDBWalk(reader, layout, newest, metas, readers)
      for index in damaged {
        walk.problems.add("meta page \(index) is not valid: a commit may have been interrupted")
      }
      var report = try walk.report()
      try addSideFiles(of: family, layout, to: &report)
      if try !isUntouched(reader, layout, newest, before) {
        report.consistency = .changed("a transaction was committed")
      }
      return report
    }
  }

  /// How often a file that is committed to is copied until the copy is of one version.
  private static let maxCopies = 64
  /// More commits during a copy are so many that the next copy will not be of one version either.
  private static let maxCommitsDuringCopy: UInt64 = 8

  /// Returns a reader of a copy that is of one version. nil if the file is too long for a copy, or changed during each: then
  /// it is read as it is.
  ///
  /// The copy's meta pages are read before all other pages, so those of its newest version were whole when they were read.
  private static func readerOfOneVersion(
    _ family: SourceFamily, _ layout: MDBLayout
  ) throws(SystemError) -> WindowedReader? {
    var last: CopiedSource?
    for _ in 0..<maxCopies {
      let isRepeated = try last?.repeatCopy(of: family.main) ?? false
      guard let copy = try isRepeated ? last : CopiedSource(family.main) else { return nil }
      last = copy
      let reader = try WindowedReader(copy)
      let metas = try readMetas(reader, layout).metas
      guard let newest = metas.max(by: { $0.version < $1.version }) else { return nil }
      let before = try metaPages(reader, layout, metas)
      if try isUntouched(try WindowedReader(family.main), layout, newest, before) { return reader }
      let now = try readMetas(try WindowedReader(family.main), layout).metas.map(\.version).max()
      guard let now, now >= newest.version, now - newest.version <= maxCommitsDuringCopy else {
        return nil
      }
    }
    return nil
  }

  /// Returns the first bytes of the meta pages.
  private static func metaPages(
    _ reader: WindowedReader, _ layout: MDBLayout, _ metas: [MDBMeta]
  ) throws(SystemError) -> [[UInt8]?] {
    try (0..<layout.metaCount).map { (index) throws(SystemError) in
      try reader.block(at: index * (metas.first?.pageBytes ?? 0), count: 256)?.bytes
    }
  }

  /// Returns the valid meta pages, and the numbers of the others.
  private static func readMetas(
    _ reader: WindowedReader, _ layout: MDBLayout
  ) throws(SystemError) -> (metas: [MDBMeta], damaged: [Int]) {
    // The first meta page that is valid has the size of pages.
    for pageBytes in [0] + (8...16).map({ 1 << $0 }) {
      guard let page = try reader.block(at: pageBytes, count: 256),
        let first = MDBMeta(page, index: pageBytes == 0 ? 0 : 1, layout),
        pageBytes == 0 || first.pageBytes == pageBytes
      else { continue }
      var metas: [MDBMeta] = []
      var damaged: [Int] = []
      for index in 0..<layout.metaCount {
        if let page = try reader.block(at: index * first.pageBytes, count: 256),
          let meta = MDBMeta(page, index: index, layout), meta.pageBytes == first.pageBytes
        {
          metas.append(meta)
        } else {
          damaged.append(index)
        }
      }
      return (metas, damaged)
    }
    return ([], Array(0..<layout.metaCount))
  }

  /// Whether the pages of the version N that was read are still its own, judged by the meta pages afterwards.
  ///
  /// Both engines never change a page of a committed version; they write to pages that a free list names. The list of pages
  /// that commit F freed has the key F, and F = N + 1 is the first that can name a page of N. When a list is used differs:
  ///
  /// - LMDB's transaction T uses lists with F < oldest (`mdb_page_alloc` stops at `oldest <= last`), and oldest is T - 1
  ///   without readers, less with them (`mdb_find_oldest`). So pages of N are written to by N + 3 at the earliest, which
  ///   begins when N + 2 is committed. If N + 1 is the newest afterwards, nothing was written to; N + 2 shows, since it
  ///   overwrites N's meta page.
  /// - libmdbx's transaction T uses lists with F <= detent (`gc_alloc_ex`), and detent is the newest synced version, T - 1
  ///   at most (`mvcc_shapshot_oldest_rw`; less with readers, and after commits that are not synced). So N + 2 may write to
  ///   pages of N as soon as N + 1 is committed: N must still be the newest. The file is cut after the meta page is
  ///   written (`dxb_sync_locked`), so that shows as well.
  ///
  /// `PageReuseTests` holds both engines to this.
  private static func isUntouched(
    _ reader: WindowedReader, _ layout: MDBLayout, _ newest: MDBMeta, _ before: [[UInt8]?]
  ) throws(SystemError) -> Bool {
    var last = newest.version
    for index in 0..<layout.metaCount {
      let page = ByteBlock(try reader.read(at: index * newest.pageBytes, count: 256))
      if page.bytes == before[index] ?? [] { continue }
      // What is not valid is being written.
      guard index != newest.index, let meta = MDBMeta(page, index: index, layout) else {
        return false
      }
      last = max(last, meta.version)
    }
    return last - newest.version <= (layout.isLMDB ? 1 : 0)
  }

  private static func addSideFiles(
    of family: SourceFamily, _ layout: MDBLayout, to report: inout FileReport
  ) throws(SystemError) {
    guard let source = try MDBReaders.lockFile(of: family, layout) else { return }
    report.sideFiles.append(
      .init(
        name: layout.isLMDB ? "-lock" : "-lck", bytes: try source.size, purpose: "reader table"))
  }
}
