// The columns of a launch log: what each is for, and the names under which apps have it. Declared once; the reader, the
// messages and the manual use this table.

/// A column of a launch log.
package enum LogColumn: String, CaseIterable, Sendable {
  case device, time, totalBytes, usedBytes
  case stall, compacted, available, version, commits, launch

  package var isRequired: Bool {
    switch self {
    case .device, .time, .totalBytes, .usedBytes: true
    default: false
    }
  }

  /// What to log in it.
  package var meaning: String {
    switch self {
    case .device: "a random number that the app keeps for itself"
    case .time: "the time of the launch: ISO 8601, or seconds or milliseconds since 1970"
    case .totalBytes: "the first argument of shouldCompactOnLaunch"
    case .usedBytes: "the second argument of shouldCompactOnLaunch"
    case .stall: "how long opening took, in milliseconds"
    case .compacted: "whether this launch compacted: true or false"
    case .available: "bytes available on the disk"
    case .version: "the version of the app"
    case .commits: "write transactions so far, a count that only grows"
    case .launch: "the number of the launch on this device, from 1"
    }
  }

  /// The names of the column without capitals, spaces and punctuation.
  var names: [String] {
    switch self {
    case .device: ["device", "deviceid", "installation", "installationid", "id", "userid"]
    case .time: ["time", "timestamp", "date", "datetime", "launchedat", "ts"]
    case .totalBytes: ["totalbytes", "total", "filesize", "filebytes"]
    case .usedBytes: ["usedbytes", "used", "usedsize"]
    case .stall: ["stall", "stallms", "openms", "openingms", "opentime", "stalls", "stallus"]
    case .compacted: ["compacted", "didcompact", "iscompacted"]
    case .available: ["available", "availablebytes", "spaceavailable", "freespace", "diskfree"]
    case .version: ["version", "appversion", "app"]
    case .commits: ["commits", "commitcount", "totalcommits", "transactions"]
    case .launch: ["launch", "launchnumber", "launchcount", "launches", "sequence"]
    }
  }

  /// Returns the column of a header's name; nil for a name that is none.
  static func named(_ header: String) -> (column: LogColumn, milliseconds: Double)? {
    let name = String(header.lowercased().filter { $0.isLetter || $0.isNumber })
    guard let column = allCases.first(where: { $0.names.contains(name) }) else { return nil }
    let milliseconds = name == "stalls" ? 1000 : name == "stallus" ? 0.001 : 1
    return (column, milliseconds)
  }
}

/// Where the columns are in a file.
package struct LogLayout: Hashable, Sendable {
  /// The byte between two fields: a comma, a semicolon or a tab.
  var separator: UInt8
  /// The index of each column among the fields; −1 for a column that is missing.
  var indices: [Int]
  var fieldCount: Int
  /// Milliseconds in a unit of the column `stall`.
  var stallUnit: Double
  /// Names in the header that stand for no column.
  package var ignoredNames: [String]

  package func has(_ column: LogColumn) -> Bool { index(column) >= 0 }

  func index(_ column: LogColumn) -> Int { indices[column.position] }

  /// Reads the header.
  init(header: [UInt8], line: Int) throws(LogMistake) {
    let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].map { byte in
      (byte, header.count { $0 == byte })
    }
    guard let best = counts.max(by: { $0.1 < $1.1 }), best.1 > 0, !header.contains(0),
      header.count <= LogReader.maxLineBytes
    else { throw Self.noTable(line) }
    separator = best.0
    let names = CSVFields.texts(header, separator: best.0)
    indices = [Int](repeating: -1, count: LogColumn.allCases.count)
    fieldCount = names.count
    stallUnit = 1
    ignoredNames = []
    for (index, name) in names.enumerated() {
      guard let found = LogColumn.named(name) else {
        ignoredNames.append(name)
        continue
      }
      let position = found.column.position
      guard indices[position] < 0 else {
        throw LogMistake(
          line: line, message: "two columns are the \(found.column)",
          remedy: "rename or remove \"\(name)\"")
      }
      indices[position] = index
      if found.column == .stall { stallUnit = found.milliseconds }
    }
    let missing = LogColumn.allCases.filter { $0.isRequired && indices[$0.position] < 0 }
    if missing.count == 4 { throw Self.noTable(line) }
    if !missing.isEmpty {
      throw LogMistake(
        line: line,
        message: "no column for \(missing.map(\.rawValue).joined(separator: ", "))",
        remedy: missing.map { "\($0) is \($0.meaning)" }.joined(separator: "; "))
    }
  }

  private static func noTable(_ line: Int) -> LogMistake {
    LogMistake(
      line: line, message: "this is no table with a header",
      remedy: "the first line is the names of the columns: device,time,totalBytes,usedBytes")
  }
}

extension LogColumn {
  var position: Int {
    switch self {
    case .device: 0
    case .time: 1
    case .totalBytes: 2
    case .usedBytes: 3
    case .stall: 4
    case .compacted: 5
    case .available: 6
    case .version: 7
    case .commits: 8
    case .launch: 9
    }
  }
}

/// What is wrong in a log, where, and what to do about it.
package struct LogMistake: Error, Hashable, Sendable, CustomStringConvertible {
  package var line: Int
  package var message: String
  package var remedy: String

  package init(line: Int, message: String, remedy: String) {
    self.line = line
    self.message = message
    self.remedy = remedy
  }

  package var description: String { "\(line): \(message); \(remedy)" }
}
