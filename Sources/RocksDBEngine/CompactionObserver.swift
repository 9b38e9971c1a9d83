// Compaction events: RocksDB's C interface reports none, and its counters show what was compacted between two moments.
import EngineInterface
import MetricModel
import SystemIO

/// Compares RocksDB's counters with those of the last call. Safe to use from many threads.
final class CompactionObserver: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var state: State

  private struct State {
    var fileSetVersion: Int
    var counters: Counters
    var tables: ByteCount

    init(_ database: RocksDBDatabase) throws(EngineError) {
      fileSetVersion = database.fileSetVersion
      counters = database.counters
      do throws(SystemError) { tables = try database.setup.files.sizes().tables } catch {
        throw EngineError(engine: rocksDBID, error, while: "measuring space")
      }
    }
  }

  init(_ database: RocksDBDatabase) throws(EngineError) {
    state = try State(database)
  }

  /// Returns one event for all compactions since the last call; none if there were none.
  func drain(_ database: RocksDBDatabase) throws(EngineError) -> [CompactionEvent] {
    try mutex.withLock { () throws(EngineError) in
      if database.fileSetVersion == state.fileSetVersion { return [] }
      let before = state
      state = try State(database)
      let rewritten = state.counters.compacted - before.counters.compacted
      guard rewritten > .zero else { return [] }
      let flushed = state.counters.flushed - before.counters.flushed
      return [
        CompactionEvent(
          kind: .automatic, outcome: .finished,
          reason: "sorted runs were merged; before it stands what flushes added",
          before: before.tables + flushed, after: state.tables, rewritten: rewritten)
      ]
    }
  }
}
