// The report of an SQLite database: opens the file and its log, walks them, and compares their state before and after.
import SystemIO

/// Pages are read as the newest reader would see them, and SQLite's locks are not taken.
enum SQLiteFile {
  static func report(of family: SourceFamily) throws(FileFormatError) -> FileReport {
    let (main, before, log) = try FileFormatError.reading { () throws(SystemError) in
      // The log first: what a checkpoint moves to the database file meanwhile is in both.
      let log = try openLog(of: family)
      let main = try WindowedReader(family.main)
      return (main, try fingerprint(main, family), log)
    }
    let header = try header(main, log)
    return try FileFormatError.reading { () throws(SystemError) in
      var walk = SQLiteWalk(main: main, log: log, header: header)
      var report = try walk.report()
      try addSideFiles(of: family, to: &report)
      if let log, log.committedFrames > 0, try isUntouched(by: log, of: family) { return report }
      if let log {
        if try log.hasGrown() { report.consistency = .changed("a transaction was committed") }
      } else if try family.side(.suffix("-wal"))?.size ?? 0 > 0 {
        report.consistency = .changed("a log was begun")
      }
      if try fingerprint(main, family) != before {
        report.consistency = .changed("the header or the journal is not what it was")
      }
      return report
    }
  }

  /// Whether all pages are still those of the version that was read, although more may have been committed since: the log
  /// goes on, and no checkpoint has written a frame behind it to the database file.
  private static func isUntouched(
    by log: SQLiteLog, of family: SourceFamily
  ) throws(SystemError) -> Bool {
    guard let index = try family.side(.suffix("-shm")),
      let limit = try log.checkpointLimit(index), limit <= log.committedFrames
    else { return false }
    return try !log.isReset()
  }

  /// Returns the header: the log's page 1 is newer than the file's.
  private static func header(
    _ main: WindowedReader, _ log: SQLiteLog?
  ) throws(FileFormatError) -> SQLiteHeader {
    let (file, newest) = try FileFormatError.reading { () throws(SystemError) in
      let file = try main.block(at: 0, count: SQLiteHeader.bytes).flatMap(SQLiteHeader.init)
      guard let log, let offset = log.offset(of: 1), log.pageBytes == file?.pageBytes else {
        return (file, file)
      }
      let block = try log.reader.block(at: offset, count: SQLiteHeader.bytes)
      return (file, block.flatMap(SQLiteHeader.init) ?? file)
    }
    guard let file, let newest else {
      throw .damaged("an SQLite database whose header is damaged or cut off: no page can be found")
    }
    guard file.readVersion <= 2 else {
      throw .unsupported(
        "an SQLite database of read version \(file.readVersion), and 1 and 2 are read: the program that wrote it "
          + "may make a copy with VACUUM INTO")
    }
    return newest.pageBytes == file.pageBytes ? newest : file
  }

  private static func openLog(of family: SourceFamily) throws(SystemError) -> SQLiteLog? {
    guard let source = try family.side(.suffix("-wal")) else { return nil }
    guard var log = try SQLiteLog(source) else { return nil }
    if let index = try family.side(.suffix("-shm")) { try log.readIndex(index) }
    return log
  }

  private static func addSideFiles(
    of family: SourceFamily, to report: inout FileReport
  ) throws(SystemError) {
    let sides = [
      ("-wal", "write-ahead log"), ("-shm", "wal-index"), ("-journal", "rollback journal"),
    ]
    for (suffix, purpose) in sides {
      guard let source = try family.side(.suffix(suffix)) else { continue }
      let size = try source.size
      report.sideFiles.append(.init(name: suffix, bytes: size, purpose: purpose))
      guard suffix == "-journal", size > 512 else { continue }
      let front = try WindowedReader(source).block(at: 0, count: 8)
      if front?.starts(with: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], at: 0) == true {
        report.problems.add(
          "a rollback journal is there: a transaction is unfinished, or was interrupted and will be undone when the "
            + "database is opened")
      }
    }
  }

  /// Returns what every commit without a log changes: the header and the length, and a journal while one is at work.
  private static func fingerprint(
    _ main: WindowedReader, _ family: SourceFamily
  ) throws(SystemError) -> [UInt8] {
    let size = try main.currentSize()
    let journal = try family.side(.suffix("-journal"))?.size ?? 0
    return try main.read(at: 0, count: SQLiteHeader.bytes)
      + [size, journal].flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
  }
}
