// The settings that WiredTiger runs with, as values, as its options and in words.
import EngineInterface
import MetricModel
import SystemIO

/// The settings with which a database is opened.
struct WiredTigerSetup {
  let library: WiredTigerLibrary
  let files: WiredTigerFolder
  /// As `TableName` has them.
  var tables: [String]
  var durability: Durability
  /// Whether files are compacted while the database is in use.
  var compactsAutomatically: Bool
  /// Whether WiredTiger makes checkpoints, removes logs and compacts by its own threads. Otherwise commits do it, after an
  /// exact number of bytes.
  var worksInBackground: Bool

  /// The bytes of rows that are changed between two checkpoints. WiredTiger makes none by itself unless it is told to; the
  /// usual setting, each minute or 2 GiB of log, would make none in the files of some megabytes that are used here.
  static let checkpointInterval = 256 << 10
  /// The length at which a log file is followed by another: the length that WiredTiger has by default would be 100 MiB.
  static let logFile = 256 << 10
  /// More than a database has here, so that pages are written by checkpoints alone and not evicted in between.
  static let cache = 1 << 30
  static let maxSessions = 4000

  /// The options in WiredTiger's own notation.
  var text: String {
    // The path is relative to the database's folder: WiredTiger writes its options into the log, and otherwise its length
    // would depend on where the database is.
    let log =
      files.log == nil
      ? "log=(enabled=false),"
      : "log=(enabled=true,path=\"../\(WiredTigerFolder.logName)\",file_max=\(Self.logFile),"
        + "prealloc=false,remove=\(worksInBackground)),"
        + "transaction_sync=(enabled=true,method=\(durability == .full ? "fsync" : "none")),"
    let checkpoints =
      worksInBackground ? "checkpoint=(log_size=\(Self.checkpointInterval))," : ""
    return log + checkpoints + "create=true,config_base=false,statistics=(fast),"
      + "cache_size=\(Self.cache),session_max=\(Self.maxSessions),"
      // Nothing is allocated ahead, so that lengths are those of data; and no file is closed while it is not used.
      + "file_extend=(data=0,log=0),file_manager=(close_idle_time=0),"
      // The thread that removes obsolete history, every five minutes by default, would come at any time of a long run.
      + "checkpoint_cleanup=(wait=\(worksInBackground ? 300 : 100_000))"
  }

  /// The bytes of memory that a page may take before it is split: 5 MB by default, so that tables of some megabytes would be
  /// one page, and each checkpoint would write all of it. How many bytes a page takes depends on when a thread of WiredTiger
  /// looked for the oldest transaction, so that where commits make the checkpoints these also evict pages (`PageEvictor`),
  /// and nothing else does.
  private var memoryPage: Int { worksInBackground ? 256 << 10 : 100 << 20 }

  /// The tables whose pages are evicted after checkpoints. None in a draft, into which rows are loaded as nothing else uses it.
  var evictedTables: [String] { worksInBackground || files.log == nil ? [] : tables }

  var tableOptions: String { "key_format=q,value_format=u,memory_page_max=\(memoryPage)" }

  /// The free bytes of a file from which on it is compacted: the least that WiredTiger accepts, where the default is 20 MB.
  static let compactionTarget = 1 << 20
  /// The free bytes that a compaction may leave: it is not continued where the first nine tenths of a file have no more than
  /// 1 MiB of them.
  static let maxUncompacted = compactionTarget + compactionTarget / 4

  static func uri(ofTable name: String) -> String { "table:\(name)" }

  static let settings: [EngineCapabilities.Setting: String] = [
    .durable: "`transaction_sync=(enabled,method=fsync)`: the log is synced at each commit",
    .notDurable:
      "`method=none`: the log is written and not synced; a power loss loses what came last. Checkpoints sync",
    .pages: "leaves of at most 32 KiB in blocks of 4 KiB, the default; no compression",
    .growth:
      "by blocks of 4 KiB, file by file, at checkpoints: one after \(checkpointInterval >> 10) KiB of changed rows",
    .tables: "a file for each",
    .keys: "Int64, format `q`: 1 to 9 bytes",
    .addresses: "none: files are mapped for reading only, where the system offers it",
    .readers: "transactions with snapshot isolation, each in a session of its own",
    .writers: "a mutex; WiredTiger would let several write and fail on conflicts",
    .cache: "1 GiB: everything; no page is evicted between checkpoints",
  ]
}
