// How long single operations took, gathered by their client without a lock and handed on with each commit.
import SystemIO

/// The latencies of one client's operations since it last handed them on. Used by one thread at a time.
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

  /// The next operation begins now.
  mutating func begin() { last = Clock.monotonicNanoseconds() }

  /// A row was inserted, overwritten or deleted; the next operation begins now.
  mutating func wrote() {
    let now = Clock.monotonicNanoseconds()
    writes.append(now &- last)
    last = now
    if writes.count == Self.capacity { recorder.took(&self) }
  }

  /// A row was read; the next operation begins now.
  mutating func read() {
    let now = Clock.monotonicNanoseconds()
    reads.append(now &- last)
    last = now
    if reads.count == Self.capacity { recorder.took(&self) }
  }

  /// Everything was handed on.
  mutating func clear() {
    writes.removeAll(keepingCapacity: true)
    reads.removeAll(keepingCapacity: true)
  }
}
