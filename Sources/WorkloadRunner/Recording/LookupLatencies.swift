// The latencies of one thread of lookups on their way to the recorder: gathered without a lock that another thread of
// lookups takes, and taken from here by the watch, so that each row of timings.csv has all transactions up to its time.
import SystemIO

/// What one thread of lookups has done since it was last passed on. Written by that thread, taken by any.
final class LookupLatencies: Sendable {
  /// What was gathered.
  struct Batch {
    var transactions: [LookupTransaction] = []
    /// Latencies of single reads and scans, where they are timed.
    var operations: [UInt64] = []

    init() {
      transactions.reserveCapacity(LookupLatencies.capacity)
      operations.reserveCapacity(LookupLatencies.capacity)
    }
  }

  private static let capacity = 1024

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var batch = Batch()

  /// Adds a transaction with the latencies of its operations, which are removed. Returns whether it is time to pass all of
  /// it on.
  func add(_ transaction: LookupTransaction, _ operations: inout [UInt64]) -> Bool {
    lock.withLock {
      batch.transactions.append(transaction)
      if !operations.isEmpty {
        batch.operations.append(contentsOf: operations)
        operations.removeAll(keepingCapacity: true)
      }
      return batch.transactions.count >= Self.capacity || batch.operations.count >= Self.capacity
    }
  }

  /// Returns what was gathered, and begins anew.
  func take() -> Batch {
    let empty = Batch()
    return lock.withLock {
      defer { batch = empty }
      return batch
    }
  }
}
