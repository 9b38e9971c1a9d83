// The report of an encrypted Realm file: that of its decrypted bytes, with what encryption adds to the file.
import SystemIO

enum RealmEncryptedReport {
  private typealias Layout = RealmPageLayout

  static func report(
    of family: SourceFamily, _ key: RealmKey
  ) throws(FileFormatError) -> FileReport {
    let source = RealmEncryptedSource(family.main, key)
    try check(source)
    var report = try RealmReport.report(of: family.replacing(main: source))
    for page in source.damaged.sorted() {
      report.problems.add(
        "the page at \(Layout.fileOffset(ofPage: page)) of the file is not authentic: it is damaged, or of another key"
      )
    }
    let fileBytes = try FileFormatError.reading { () throws(SystemError) in try source.fileBytes }
    report.facts.append(
      .init(
        "encryptionBytes", "counters and HMACs of encryption",
        .bytes(fileBytes - report.fileBytes)))
    report.fileBytes = fileBytes
    report.isEncrypted = true
    if let range = report.compacted.bounds {
      let reason = report.compacted.reason ?? ""
      report.compacted = .between(
        Layout.fileBytes(ofData: range.lowerBound), Layout.fileBytes(ofData: range.upperBound),
        reason: reason)
    }
    return report
  }

  /// Throws unless the first page is authentic and that of a Realm file.
  private static func check(_ source: RealmEncryptedSource) throws(FileFormatError) {
    let header = try FileFormatError.reading { () throws(SystemError) in
      try WindowedReader(source).block(at: 0, count: RealmHeader.bytes)
    }
    if source.damaged.contains(0) {
      let isKeyRight = try FileFormatError.reading { () throws(SystemError) in
        try source.hasAuthenticPage()
      }
      throw isKeyRight
        ? .damaged(
          "an encrypted Realm file whose first page is damaged: others are authentic under this key"
        )
        : .wrongKey(
          "not an encrypted Realm file, or of another key: no page is authentic under this one")
    }
    guard let header, RealmHeader(header) != nil else {
      throw .unrecognized("not an encrypted Realm file: it has no header")
    }
  }
}
