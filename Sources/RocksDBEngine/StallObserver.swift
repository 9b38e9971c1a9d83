// Write stalls: commits that RocksDB slows or stops because flushes or compaction are behind. Its C interface reports none, and
// its counter of stalled time shows whether a commit was one.
import EngineInterface
import SystemIO

/// Compares the counter after commits that took long. Used by one writer at a time.
final class StallObserver: @unchecked Sendable {
  private let onStall: @Sendable (_ begin: UInt64, _ end: UInt64) -> Void
  private var stalledMicroseconds: Int

  /// RocksDB slows a commit by at least a millisecond. The counter is a line of a long text, and is read after such commits
  /// only.
  private static let minStall: UInt64 = 1_000_000

  init(
    _ database: RocksDBDatabase,
    onStall: @escaping @Sendable (_ begin: UInt64, _ end: UInt64) -> Void
  ) {
    self.onStall = onStall
    stalledMicroseconds = database.counters.stalledMicroseconds
  }

  /// Called after a commit that began at that time.
  func committed(_ database: RocksDBDatabase, since begin: UInt64) {
    let end = Clock.monotonicNanoseconds()
    guard end - begin >= Self.minStall else { return }
    let stalled = database.counters.stalledMicroseconds
    if stalled > stalledMicroseconds { onStall(begin, end) }
    stalledMicroseconds = stalled
  }
}
