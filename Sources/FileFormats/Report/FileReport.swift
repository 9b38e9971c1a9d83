// The result of reading a database file: one type for every engine, so that texts, JSON and metrics are written once.

/// What a database file and the files beside it report about their space.
package struct FileReport: Sendable, Equatable {
  package let format: FileFormat
  /// The version of the format, as people write it: `format 24`, `schema format 4, WAL`.
  package let formatVersion: String
  /// Whether the file is encrypted, and was read with a key: `space` is of the decrypted bytes then.
  package var isEncrypted = false
  /// The length of the file.
  package var fileBytes: Int
  /// Nil for a format without pages.
  package var pageBytes: Int?
  package var space: SpaceByUse
  /// Files beside the database file that belong to it.
  package var sideFiles: [SideFile] = []
  /// The write-ahead log; nil where there is none.
  package var log: LogReport?
  package var versions = VersionReport()
  package var freePieces = FreePieces()
  package var trees = LargestTrees()
  /// Where the bytes of each use are. What is behind the logical end counts as free.
  package var grid = SpaceGrid(fileBytes: 0)
  /// Facts of one format, in the order in which they are shown.
  package var facts: [Fact] = []
  /// The length of the file that a compaction would leave.
  package var compacted: ByteMeasure
  package var consistency: Consistency = .consistent
  package var problems = ProblemList()

  /// Returns the fact of that name for programs; nil where the format has none.
  package func fact(_ key: String) -> Fact.Value? { facts.first { $0.key == key }?.value }

  /// A file beside the database file.
  package struct SideFile: Sendable, Equatable {
    package let name: String
    package let bytes: Int
    /// Its purpose: `write-ahead log`.
    package let purpose: String
  }

  /// Whether the report is of one state of the file.
  package enum Consistency: Sendable, Equatable {
    case consistent
    /// The file changed while it was read, in the respect that is named: figures may be of several states.
    case changed(String)
  }

  /// A fact that only one format has.
  package struct Fact: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
      case count(Int)
      case bytes(Int)
      case text(String)
    }

    /// The name for programs: `autoVacuum`.
    package let key: String
    /// The name for people: `auto_vacuum`.
    package let label: String
    package let value: Value

    package init(_ key: String, _ label: String, _ value: Value) {
      self.key = key
      self.label = label
      self.value = value
    }
  }
}

/// The bytes of a file by their use. Except for `tail` they add up to `logical`.
package struct SpaceByUse: Sendable, Equatable {
  /// The end of what the format covers. The file may be longer, by the tail, or shorter, where pages are in the log only.
  package var logical: Int
  /// In use by the newest version.
  package var live: ByteMeasure
  /// Available to the next commit.
  package var free: ByteMeasure
  /// Free but for readers of older versions.
  package var pinned: ByteMeasure = .exact(0)
  /// Freed by the last durable commits, and available after the next.
  package var pending: ByteMeasure = .exact(0)
  /// Changes that are retained for other readers; nil for a format without such a history.
  package var history: ByteMeasure?
  /// Headers, free lists, maps of pages.
  package var overhead: ByteMeasure = .exact(0)
  /// Neither reachable nor free: lost until a compaction.
  package var unreachable: ByteMeasure = .exact(0)
  /// Behind the logical end.
  package var tail = 0

  /// The parts with their names for programs, in the order in which they are shown.
  package var parts: [(name: String, measure: ByteMeasure)] {
    var parts: [(name: String, measure: ByteMeasure)] = [
      ("live", live), ("free", free), ("pinned", pinned), ("pending", pending),
    ]
    if let history { parts.append(("history", history)) }
    return parts + [
      ("overhead", overhead), ("unreachable", unreachable), ("tail", .exact(tail)),
    ]
  }
}

/// A write-ahead log.
package struct LogReport: Sendable, Equatable {
  package var bytes: Int
  /// Frames of committed transactions (SQLite: `mxFrame`).
  package var committedFrames: Int
  /// Intact frames behind the last commit.
  package var uncommittedFrames: Int
  /// Committed frames that are in the database file already.
  package var checkpointedFrames: ByteMeasure
  /// Bytes behind the last intact frame: left by earlier rounds of the log.
  package var staleBytes: Int
  /// Pages whose newest contents are in the log.
  package var pages: Int
}

/// The versions that a file and its reader table name.
package struct VersionReport: Sendable, Equatable {
  /// The newest committed version; nil where the format numbers none.
  package var newest: UInt64?
  /// The oldest version that a reader holds; nil without readers.
  package var oldestHeld: UInt64?
  /// The number of readers that hold a version; nil where no file names them.
  package var readers: Int?
  /// The first readers, oldest version first.
  package var held: [HeldVersion] = []
  /// What the numbers mean, or why there are none.
  package var note: String?

  package static let maxHeld = 16
}

/// A version that a reader holds.
package struct HeldVersion: Sendable, Equatable {
  package let version: UInt64
  /// The process; nil where the format does not store it.
  package let process: Int?
  package let readers: Int
}
