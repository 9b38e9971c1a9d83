// The formats that are read, and the error for files that are not.
package import SystemIO

/// A database's file format.
package enum FileFormat: String, Sendable, CaseIterable {
  case sqlite
  case lmdb
  case libmdbx
  case realm

  /// The name with its noun: `SQLite database`.
  package var title: String {
    switch self {
    case .sqlite: "SQLite database"
    case .lmdb: "LMDB file"
    case .libmdbx: "libmdbx file"
    case .realm: "Realm file"
    }
  }
}

/// The reason for which a file has no report.
package enum FileFormatError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file is none of the formats that are read.
  case unrecognized(String)
  /// A known format in a version or variant that is not read; the text states what can be done.
  case unsupported(String)
  /// A file of a known format whose header is damaged.
  case damaged(String)
  /// No part of the file is authentic under the key.
  case wrongKey(String)
  case system(SystemError)

  package var description: String {
    switch self {
    case .unrecognized(let text), .unsupported(let text), .damaged(let text), .wrongKey(let text):
      text
    case .system(let error): "\(error)"
    }
  }
}
