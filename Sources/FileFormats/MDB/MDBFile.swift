// The report of an LMDB or libmdbx file: chooses the newest version, walks its trees, and compares the meta pages before and
// after.
import SystemIO

enum MDBFile {
  static func report(
    of family: SourceFamily, _ layout: MDBLayout
  ) throws(FileFormatError) -> FileReport {
    let reader = try FileFormatError.reading { () throws(SystemError) in
      try WindowedReader(family.main)
    }
    let (metas, damaged) = try FileFormatError.reading { () throws(SystemError) in
      try readMetas(reader, layout)
    }
    guard let newest = metas.max(by: { $0.version < $1.version }) else {
      throw .damaged(
        "\(layout.isLMDB ? "an LMDB" : "a libmdbx") file without a valid meta page: it is cut off, damaged, or of a "
          + "version that is not read")
    }
    return try FileFormatError.reading { () throws(SystemError) in
      let before = try fingerprint(reader, layout, newest)
      let readers = try MDBReaders(family, layout)
      var walk = MDBWalk(reader, layout, newest, metas, readers)
      for index in damaged {
        walk.problems.add("meta page \(index) is not valid: a commit may have been interrupted")
      }
      var report = try walk.report()
      try addSideFiles(of: family, layout, to: &report)
      if try fingerprint(reader, layout, newest) != before {
        report.consistency = .changed("a transaction was committed")
      }
      return report
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

  private static func fingerprint(
    _ reader: WindowedReader, _ layout: MDBLayout, _ meta: MDBMeta
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<layout.metaCount {
      bytes += try reader.read(at: index * meta.pageBytes, count: 256)
    }
    return bytes
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
