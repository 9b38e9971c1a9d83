// The report of a Realm file: chooses the newest version by the header, walks it, and compares the header before and after.
import SystemIO

enum RealmReport {
  /// The formats whose top array, free list and arrays are as in format 24.
  private static let formats = 22...24

  static func report(of family: SourceFamily) throws(FileFormatError) -> FileReport {
    let (reader, header) = try FileFormatError.reading { () throws(SystemError) in
      let reader = try WindowedReader(family.main)
      return (reader, try reader.block(at: 0, count: RealmHeader.bytes).flatMap(RealmHeader.init))
    }
    guard let header else {
      throw .damaged("a Realm file whose header is cut off: no version can be found")
    }
    try check(header)
    return try FileFormatError.reading { () throws(SystemError) in
      let before = try fingerprint(reader)
      var walk = RealmWalk(reader, header, try RealmVersions(family))
      var report = try walk.report()
      if let lock = try family.side(.suffix(".lock")) {
        report.sideFiles.append(
          .init(name: ".lock", bytes: try lock.size, purpose: "list of versions in use"))
      }
      if try fingerprint(reader) != before {
        report.consistency = .changed("a transaction was committed")
      }
      return report
    }
  }

  private static func check(_ header: RealmHeader) throws(FileFormatError) {
    let isEmpty = header.format == 0 && header.topReference == 0
    guard !isEmpty, !formats.contains(header.format) else { return }
    let name = "a Realm file of file format \(header.format)"
    let known = "formats \(formats.lowerBound) to \(formats.upperBound) are read"
    throw .unsupported(
      header.format > formats.upperBound
        ? "\(name), and \(known): it was written by a version of Realm Core newer than 14"
        : "\(name), and \(known): open a copy of it once with Realm Core 14 (Realm Swift 10.54), which upgrades it"
    )
  }

  /// Returns what every commit changes.
  private static func fingerprint(_ reader: WindowedReader) throws(SystemError) -> [UInt8] {
    let size = try reader.currentSize()
    return try reader.read(at: 0, count: RealmHeader.bytes)
      + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
  }
}

/// The versions that the lock file lists.
struct RealmVersions {
  private(set) var held: [HeldVersion] = []
  private(set) var readers = 0
  /// Why the list is not used; nil if it is.
  private(set) var absence: String?

  init(_ family: SourceFamily) throws(SystemError) {
    guard let source = try family.side(.suffix(".lock")) else {
      absence = "no lock file is beside it, so no version is registered as in use"
      return
    }
    guard let lock = try RealmLockFile(source), let entries = try lock.entries() else {
      absence = "the lock file has a layout that is not read"
      return
    }
    guard try lock.participants() > 0 else { return }
    for entry in entries where entry.readers > 0 {
      readers += entry.readers
      held.append(
        HeldVersion(version: UInt64(entry.version), process: nil, readers: entry.readers))
    }
    held.sort { $0.version < $1.version }
  }

  var oldest: UInt64? { held.first?.version }

  func report(newest: UInt64?) -> VersionReport {
    var report = VersionReport(newest: newest)
    report.readers = absence == nil ? readers : nil
    report.oldestHeld = oldest
    report.held = Array(held.prefix(VersionReport.maxHeld))
    report.note =
      absence
      ?? (readers > 0
        ? "a process that ended without closing the file counts until all have closed it" : nil)
    return report
  }
}
