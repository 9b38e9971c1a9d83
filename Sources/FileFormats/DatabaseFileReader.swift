// The entry point: which format a file is of, by its first bytes, and the report of it.
package import SystemIO

package enum DatabaseFileReader {
  /// The bytes from which a format is recognized.
  package static let prefixBytes = 64

  /// Returns the format that the first bytes of a file name; nil if none of those that are read.
  package static func format(of prefix: [UInt8]) -> FileFormat? {
    let block = ByteBlock(prefix)
    if block.starts(with: SQLiteHeader.magic, at: 0) { return .sqlite }
    if block.little(16, 4) == MDBMeta.lmdbMagic { return .lmdb }
    if block.starts(with: MDBMeta.libmdbxMagic, at: 21) { return .libmdbx }
    if block.starts(with: RealmHeader.magic, at: 16) { return .realm }
    return nil
  }

  /// Returns the report of the file at `path`, or the reason for which there is none. Opens the file and those beside it
  /// read-only and takes no lock. Do not use it on a file that LMDB or SQLite has open in this process.
  package static func report(of path: FilePath) throws(FileFormatError) -> FileReport {
    try repeating { () throws(FileFormatError) in
      try report(of: FileFormatError.reading { () throws(SystemError) in try SourceFamily(path) })
    }
  }

  /// The times that a file is read that changes meanwhile, unless it is longer than `maxRepeatedBytes`.
  private static let attempts = 12
  private static let maxRepeatedBytes = 128 << 20

  /// Returns the first report that is of one state of the file, or the last one.
  private static func repeating(
    _ read: () throws(FileFormatError) -> FileReport
  ) throws(FileFormatError) -> FileReport {
    var report = try read()
    for _ in 1..<attempts
    where report.consistency != .consistent && report.fileBytes <= maxRepeatedBytes {
      report = try read()
    }
    return report
  }

  /// Returns the report of the encrypted Realm file at `path`; an error where it is none, or has another key.
  package static func report(
    ofEncryptedRealm path: FilePath, _ key: RealmKey
  ) throws(FileFormatError) -> FileReport {
    try repeating { () throws(FileFormatError) in
      let family = try FileFormatError.reading { () throws(SystemError) in try SourceFamily(path) }
      return try RealmEncryptedReport.report(of: family, key)
    }
  }

  /// The same for sources.
  package static func report(
    ofEncryptedRealm family: SourceFamily, _ key: RealmKey
  ) throws(FileFormatError) -> FileReport {
    try RealmEncryptedReport.report(of: family, key)
  }

  /// The same for sources of a file that is not encrypted.
  package static func report(of family: SourceFamily) throws(FileFormatError) -> FileReport {
    let prefix = try FileFormatError.reading { () throws(SystemError) in
      let reader = try WindowedReader(family.main)
      return try reader.read(at: 0, count: min(reader.size, prefixBytes))
    }
    switch format(of: prefix) {
    case .sqlite: return try SQLiteFile.report(of: family)
    case .lmdb: return try MDBFile.report(of: family, .lmdb)
    case .libmdbx: return try MDBFile.report(of: family, .libmdbx)
    case .realm: return try RealmReport.report(of: family)
    case nil:
      throw .unrecognized(
        "no format that is read: neither SQLite, LMDB, libmdbx nor Realm; an encrypted file cannot be recognized "
          + "without its key")
    }
  }
}
