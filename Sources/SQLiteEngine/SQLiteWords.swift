// The settings that SQLite runs with, in words.
import EngineInterface

extension Connection {
  /// SQLite's settings in words, with the values that it is given.
  static let settings: [EngineCapabilities.Setting: String] = [
    .durable:
      "`synchronous = FULL`: the log is synced at each commit; with a rollback journal, the journal and then the file",
    .notDurable: "`synchronous = OFF`: a power loss may corrupt the file",
    .pages: "4,096 bytes",
    .growth: "by the pages that a commit needs",
    .tables: "`CREATE TABLE t (key INTEGER PRIMARY KEY, value BLOB NOT NULL)`",
    .keys: "SQLite's rowid",
    .addresses: "none (`mmap_size` 0, the default)",
    .readers: "one connection each, up to \(ReaderPool.maxIdle) kept open",
    .writers:
      "one connection and a mutex; a busy timeout of \(busyTimeout / 1000) s for other processes, and for "
      + "readers where there is a rollback journal",
    .cache: "2,000 KiB for each connection, the default",
  ]
}
