// The latencies of single operations, gathered by their client without a lock and passed on with each commit.
import SystemIO

/// The latencies of one client's operations since they were last passed to the recorder. Used by one thread at a time.
struct OperationLatencies {
  private static let capacity = 1024

  private let recorder: Recorder
  private var last: UInt64 = 0
  private(set) var writes: [UInt64] = []
  private(set) var reads: [UInt64] = []

  init(_ recorder: Recorder) {
    self.recorder = recorder
    writes.reserveCapacity(Self.capacity)
    reads.reserveCapacity(Self.capacity)
  }

  /// Starts the clock of the next operation.
  mutating func begin() { last = Clock.monotonicNanoseconds() }

  /// Records that a row was inserted, overwritten or deleted, and starts the clock of the next operation.
  mutating func recordWrite() {
    let now = Clock.monotonicNanoseconds()
    writes.append(now &- last)
    last = now
    if writes.count == Self.capacity { recorder.record(latencies: &self) }
  }

  /// Records that a row was read, and starts the clock of the next operation.
  mutating func recordRead() {
    let now = Clock.monotonicNanoseconds()
    reads.append(now &- last)
    last = now
    if reads.count == Self.capacity { recorder.record(latencies: &self) }
  }

  /// Removes all latencies, after they were passed on.
  mutating func clear() {
    writes.removeAll(keepingCapacity: true)
    reads.removeAll(keepingCapacity: true)
  }
}
