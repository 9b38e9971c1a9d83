// The settings that RocksDB runs with, as values, as its options and in words.
import EngineInterface
import MetricModel
import SystemIO

/// The settings with which a database is opened.
struct DatabaseSetup {
  let rocks: RocksDBLibrary
  let files: DatabaseFolder
  var tables: [String]
  var durability: Durability
  /// How RocksDB compacts by itself.
  var style: CompactionStyle
  /// Whether RocksDB flushes and compacts by its own threads whenever it decides to. Otherwise the adapter flushes at
  /// exact numbers of bytes, and each commit waits until no flush or compaction is left to do.
  var worksInBackground: Bool

  /// RocksDB's defaults are for databases of many gigabytes, and in files of some megabytes nothing would be flushed, let
  /// alone compacted. All sizes are divided by this, so that their ratios stay as they are.
  static let divisor = 256
  /// The bytes of rows that a memtable takes before it is flushed: 64 MiB by default.
  static let writeBuffer = (64 << 20) / divisor
  /// More than a database has here, so that RocksDB does not flush by itself.
  static let unreachableBuffer = 1 << 30
  static let tableFile = (64 << 20) / divisor
  static let firstLevel = (256 << 20) / divisor
  static let softPendingLimit = (64 << 30) / divisor
  static let hardPendingLimit = (256 << 30) / divisor
  /// The bytes of log for each table at which all tables are flushed: four times its two memtables, as by default.
  static let logOfTable = 8 * writeBuffer

  /// The options in RocksDB's own notation.
  var text: String {
    let values: [(String, String)] = [
      ("create_if_missing", "true"), ("create_missing_column_families", "true"),
      ("compression", "kNoCompression"),
      ("write_buffer_size", "\(worksInBackground ? Self.writeBuffer : Self.unreachableBuffer)"),
      ("arena_block_size", "\(Self.writeBuffer / 8)"),
      ("target_file_size_base", "\(Self.tableFile)"),
      ("max_bytes_for_level_base", "\(Self.firstLevel)"),
      ("soft_pending_compaction_bytes_limit", "\(Self.softPendingLimit)"),
      ("hard_pending_compaction_bytes_limit", "\(Self.hardPendingLimit)"),
      // A log would be given a tenth more disk than its memtable may have memory.
      ("allow_fallocate", "false"),
      // What would differ from run to run, or from machine to machine.
      ("stats_dump_period_sec", "0"), ("stats_persist_period_sec", "0"),
      ("db_host_id", "compaction-lab"), ("keep_log_file_num", "1"),
      ("info_log_level", "FATAL_LEVEL"),
    ]
    return (values + style.options).map { "\($0)=\($1)" }.joined(separator: ";")
  }

  static let settings: [EngineCapabilities.Setting: String] = [
    .durable: "`WriteOptions.sync`: the log is synced at each commit",
    .notDurable:
      "the log is written and not synced, RocksDB's default; a power loss loses what came last. A flush syncs its files",
    .pages: "4 KiB, the default; no compression",
    .growth:
      "by whole files: a memtable of \(writeBuffer >> 10) KiB is flushed to a file; "
      + "RocksDB's own sizes divided by \(divisor), the ratios kept",
    .tables: "column families",
    .keys: "Int64, big-endian with the sign bit flipped: RocksDB compares bytes",
    .addresses: "none: nothing is mapped",
    .readers:
      "RocksDB's snapshots, as many as are needed; a snapshot that has scanned keeps its iterator",
    .writers: "a mutex; a transaction is a write batch",
    .cache: "8 MiB of blocks for each table, the default",
  ]
}
