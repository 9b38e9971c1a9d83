// The settings that DuckDB runs with, as values, as its options and in words.
import EngineInterface
import MetricModel
import SystemIO

/// The settings with which a database is opened.
struct DatabaseSetup {
  let duck: DuckDBLibrary
  let files: DatabaseFiles
  var durability: Durability
  /// Whether checkpoints merge row groups that have deleted rows.
  var vacuums: Bool
  /// The length of the log at which a commit makes a checkpoint.
  var checkpointThreshold = Self.checkpointThreshold

  /// DuckDB's defaults are for databases of gigabytes: row groups of 122,880 rows, and a checkpoint for each 16 MiB of log.
  /// In files of some megabytes there would be one row group, and no checkpoint. These are about a sixtieth of it, the smallest
  /// row group that DuckDB has.
  static let rowsOfGroup = 2048
  static let checkpointThreshold = 256 << 10
  /// The smallest block: 256 KiB by default.
  static let blockSize = 16 << 10
  /// The three headers at the front of a file.
  static let headerBytes = 3 * 4096

  /// The name of the database in SQL.
  static let catalog = "data"

  var options: [(name: String, value: String)] {
    [
      // The caller's thread and no other: what is done, and in which order, repeats.
      ("threads", "1"), ("async_threads", "0"),
      ("checkpoint_threshold", "\(checkpointThreshold) bytes"),
      ("max_vacuum_tasks", vacuums ? "100" : "0"),
      ("fsync_mode", durability == .full ? "STANDARD" : "NONE"),
      // A transaction sees the version of its beginning, not that of its first read.
      ("immediate_transaction_mode", "true"),
      ("force_compression", "uncompressed"),
      ("temp_directory", files.temporary.string),
      ("autoload_known_extensions", "false"), ("autoinstall_known_extensions", "false"),
    ]
  }

  static let settings: [EngineCapabilities.Setting: String] = [
    .durable: "`fsync_mode = STANDARD`: the log is synced at each commit",
    .notDurable: "`fsync_mode = NONE`: a power loss may corrupt the file",
    .pages: "blocks of 16 KiB, the smallest; no compression",
    .growth:
      "by blocks; a row group has \(rowsOfGroup) rows, and a commit makes a checkpoint from "
      + "\(checkpointThreshold >> 10) KiB of log on: about a sixtieth of the defaults",
    .tables: "`CREATE TABLE t (key BIGINT PRIMARY KEY, value BLOB NOT NULL)`",
    .keys: "an ART index; a row is replaced by DELETE and INSERT",
    .addresses: "none: nothing is mapped",
    .readers: "one connection each, up to \(ReaderPool.maxIdle) kept open",
    .writers: "one connection and a mutex",
    .cache: "up to 80 % of memory, the default",
  ]
}

/// The paths of a database.
struct DatabaseFiles {
  static let name = "data.duckdb"
  static let sidecarNames = [".wal", ".wal.checkpoint", ".wal.recovery", ".tmp"].map { name + $0 }

  let data: FilePath
  let log: FilePath
  /// Where queries spill what does not fit into memory.
  let temporary: FilePath
  let sidecars: [FilePath]

  init(in folder: FilePath) {
    data = folder.appending(Self.name)
    log = FilePath(data.string + ".wal")
    temporary = FilePath(data.string + ".tmp")
    sidecars = Self.sidecarNames.map { folder.appending($0) }
  }

  func fileBytes() throws(EngineError) -> ByteCount { try bytes([data]) }
  func logBytes() throws(EngineError) -> ByteCount { try bytes([log]) }
  func sidecarBytes() throws(EngineError) -> ByteCount { try bytes(sidecars) }

  /// Asked by path: opening a file here would drop DuckDB's lock on closing.
  private func bytes(_ paths: [FilePath]) throws(EngineError) -> ByteCount {
    do throws(SystemError) { return ByteCount(try FileSystem.size(of: paths).bytes) } catch {
      throw EngineError(engine: duckDBID, error, while: "measuring space")
    }
  }
}

/// A text as SQL writes it.
func sqlText(_ text: String) -> String { "'" + doubling("'", in: text) + "'" }

/// A table's name as SQL writes it, with its database.
func sqlName(_ table: String) -> String {
  "\(DatabaseSetup.catalog).main.\"" + doubling("\"", in: table) + "\""
}

private func doubling(_ mark: Character, in text: String) -> String {
  text.split(separator: mark, omittingEmptySubsequences: false)
    .joined(separator: String([mark, mark]))
}
