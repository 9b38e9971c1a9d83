// RocksDB's own counters of the bytes that it wrote.
import MetricModel

/// The counters of a database since it was opened.
struct Counters: Equatable {
  /// Bytes that were written to the log.
  var logged = ByteCount.zero
  /// Bytes that were written to files by flushes of memtables.
  var flushed = ByteCount.zero
  /// Bytes that were written to files by compactions.
  var compacted = ByteCount.zero
  /// The time in which writers were slowed or stopped, as compaction or flushes were behind.
  var stalledMicroseconds = 0

  /// Bytes that were written for rows in all; manifest and options are not counted.
  var written: ByteCount { logged + flushed + compacted }

  /// Reads RocksDB's statistics, a line for each: `rocksdb.wal.bytes COUNT : 2056800`.
  init(_ statistics: String) {
    for line in statistics.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count >= 4, let name = words.first.map({ String(Substring($0)) }),
        let value = Int(Substring(words[3]))
      else { continue }
      switch name {
      case "rocksdb.wal.bytes": logged = ByteCount(value)
      case "rocksdb.flush.write.bytes": flushed = ByteCount(value)
      case "rocksdb.compact.write.bytes": compacted = ByteCount(value)
      case "rocksdb.stall.micros": stalledMicroseconds = value
      default: break
      }
    }
  }
}
