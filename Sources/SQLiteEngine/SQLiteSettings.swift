// How a database is created and what is set on each connection. auto_vacuum must be chosen before the first table: it
// decides whether the file has the pointer maps that moving pages needs.
import CSQLite
import EngineInterface
import MetricModel
import SystemIO

/// The values of `PRAGMA auto_vacuum`.
enum AutoVacuum: Int {
  case none = 0
  case full = 1
  case incremental = 2
}

extension AutoVacuum {
  /// FULL is the engine's automatic compaction, INCREMENTAL what `shorten` needs.
  init(_ options: SessionOptions) {
    self = options.automaticCompaction ? .full : options.isShortenable ? .incremental : .none
  }

  /// The value as a pragma spells it.
  fileprivate var word: String {
    switch self {
    case .none: "NONE"
    case .full: "FULL"
    case .incremental: "INCREMENTAL"
    }
  }
}

extension Connection {
  func create(_ vacuum: AutoVacuum, _ journal: JournalMode) throws(EngineError) {
    try run("PRAGMA page_size = \(Self.pageSize.bytes)")
    try run("PRAGMA auto_vacuum = \(vacuum.word)")
    try use(journal)
  }

  /// Takes a database that exists. One made with pointer maps may go between FULL and INCREMENTAL (which does nothing
  /// by itself) at any time; one made without can only be rebuilt, which is for the user to ask.
  func adopt(_ vacuum: AutoVacuum, _ journal: JournalMode) throws(EngineError) {
    let size = try number("PRAGMA page_size")
    if size != Self.pageSize.bytes {
      throw EngineError(
        engine: sqliteID, code: .unsupported,
        message:
          "\(file) has pages of \(size) bytes; space is counted in pages of \(Self.pageSize.bytes)")
    }
    let mode = AutoVacuum(rawValue: try number("PRAGMA auto_vacuum")) ?? .none
    if vacuum != .none, mode == .none {
      throw EngineError(
        engine: sqliteID, code: .unsupported,
        message: """
          \(file) was made without auto_vacuum, which must be chosen before the first table; begin with an empty \
          folder
          """)
    }
    if (vacuum == .full) != (mode == .full), mode != .none {
      try run("PRAGMA auto_vacuum = \(vacuum == .full ? "FULL" : "INCREMENTAL")")
    }
    // To change it needs the database for itself: waiting for another opening would be in vain.
    try withoutWaiting { () throws(EngineError) in try use(journal) }
  }

  var autoVacuum: AutoVacuum {
    get throws(EngineError) {
      AutoVacuum(rawValue: try number("PRAGMA auto_vacuum")) ?? .none
    }
  }

  private func use(_ journal: JournalMode) throws(EngineError) {
    let mode = try once("PRAGMA journal_mode = \(journal.rawValue)") {
      statement throws(EngineError) in
      let code = statement.step()
      let mode =
        code == SQLITE_ROW
        ? sqlite.call.columnText(statement.handle, 0).map { String(cString: $0) } : nil
      try statement.end(code)
      return mode
    }
    if mode == journal.rawValue { return }
    throw EngineError(
      engine: sqliteID, code: .unsupported,
      message: journal == .writeAhead
        ? "\(file): no write-ahead log here (\(mode ?? "no answer")); its file system must support shared memory"
        : "\(file): no rollback journal here (\(mode ?? "no answer")); close all who have the database open"
    )
  }

  func setDurability(_ durability: Durability) throws(EngineError) {
    try run("PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
  }

  /// Applies the log's settings. A nil property keeps SQLite's default: a checkpoint every 1,000 pages, and a log of any
  /// length.
  func keepLog(_ log: LogSettings) throws(EngineError) {
    if let pages = log.checkpointPages { try run("PRAGMA wal_autocheckpoint = \(pages)") }
    if let bytes = log.keptBytes { try run("PRAGMA journal_size_limit = \(bytes)") }
  }

  func makeTables(_ names: [String]) throws(EngineError) {
    for name in names {
      try run(
        """
        CREATE TABLE IF NOT EXISTS \(quoted(name)) (key INTEGER PRIMARY KEY, value BLOB NOT NULL)
        """)
    }
  }

  /// The account of the newest version, or of the one that the transaction under way sees. The file's length is the
  /// version's own: where there is a write-ahead log, it is reached on disk at the next checkpoint.
  func spaceUsage() throws(EngineError) -> SpaceUsage {
    let pages = try pages()
    let free = try freePages()
    let overhead = SpecialPages.count(in: pages, hasPointerMaps: try autoVacuum != .none)
    let sidecar = try logSize()
    return SpaceUsage(
      file: pages * Self.pageSize, live: (pages - free - overhead) * Self.pageSize,
      free: free * Self.pageSize, overhead: overhead * Self.pageSize, sidecar: sidecar)
  }

  /// The length of the log, or of a rollback journal that stays, asked by path: opening it here would drop SQLite's locks
  /// on closing.
  func logSize() throws(EngineError) -> ByteCount {
    let beside = ["-wal", "-journal"].map { FilePath(file.string + $0) }
    do throws(SystemError) {
      return ByteCount(try FileSystem.size(of: beside).bytes)
    } catch {
      throw EngineError(engine: sqliteID, error, while: "asking for the log's length")
    }
  }
}

/// Pages that hold no rows and are not in the free list, by their places in the file format.
enum SpecialPages {
  /// Entries of five bytes that fit in a page, and the page itself.
  private static let pagesPerMap = Connection.pageSize.bytes / 5 + 1
  /// The page at 1 GiB, which SQLite never uses: POSIX locks lie there.
  private static let lockPage = (1 << 30) / Connection.pageSize.bytes + 1

  static func count(in pages: Int, hasPointerMaps: Bool) -> Int {
    let maps = hasPointerMaps && pages >= 2 ? (pages - 2) / pagesPerMap + 1 : 0
    return maps + (pages >= lockPage ? 1 : 0)
  }
}

/// A name as SQL writes it.
func quoted(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    + "\""
}
