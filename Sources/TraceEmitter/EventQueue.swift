// The events between the app's threads and the writing thread. Their memory is bounded: it is reserved before it is used,
// and where there is none the transaction is dropped and counted. No call waits for the disk.

/// Safe to use from many threads.
final class EventQueue: @unchecked Sendable {
  fileprivate let signal = Signal()
  fileprivate var pending = EventBatch()
  /// Events for which memory is reserved: in open transactions, pending, and being written.
  fileprivate var reserved = 0
  fileprivate let capacity: Int
  private let flushCommits: Int
  fileprivate var isEnding = false
  private var failure: TraceEmitterError?
  private var state = RecordingState()

  /// - Parameter memoryLimit: bytes of events at once.
  init(memoryLimit: Int, flushCommits: Int) {
    capacity = max(memoryLimit / MemoryLayout<TraceEvent>.stride, 256)
    self.flushCommits = max(flushCommits, 1)
  }

  // MARK: The app's threads

  /// Carries out `body` with the recording's state, and with this queue locked. Methods of `LockedQueue` are for `body`.
  func update<R>(_ body: (LockedQueue, inout RecordingState) -> R) -> R {
    signal.withLock { body(LockedQueue(queue: self), &state) }
  }

  /// Reserves memory for so many events; false where there is none, or where the recording has ended.
  func reserve(_ count: Int) -> Bool { update { queue, _ in queue.reserve(count) } }

  /// Counts a transaction that is not recorded, and returns its memory.
  func drop(unreserving count: Int) {
    update { queue, _ in
      reserved -= count
      queue.drop()
    }
  }

  var error: TraceEmitterError? { signal.withLock { failure } }

  fileprivate var isRecording: Bool { failure == nil && !isEnding }

  /// Whether there is enough to write.
  fileprivate var isFull: Bool {
    pending.reserved > capacity / 4 || pending.commits >= flushCommits
  }

  // MARK: The writing thread

  /// Returns the next events, as soon as there are many or some are old; nil after the last.
  func next(waiting milliseconds: Int) -> EventBatch? {
    signal.withLock {
      if isRecording, !isFull { signal.wait(milliseconds: milliseconds) }
      guard failure == nil else { return nil }
      if pending.isEmpty, isEnding { return nil }
      let batch = pending
      pending = EventBatch()
      return batch
    }
  }

  /// Returns the memory of events that have been written.
  func written(_ batch: EventBatch) { signal.withLock { reserved -= batch.reserved } }

  /// Ends the recording for an error. The app is not disturbed.
  func fail(_ error: TraceEmitterError) {
    signal.withLock {
      failure = failure ?? error
      pending = EventBatch()
    }
  }
}

/// A queue whose lock is held.
struct LockedQueue {
  fileprivate let queue: EventQueue

  /// Events that are appended one by one share a piece of this capacity.
  private static let looseCapacity = 63

  func reserve(_ count: Int) -> Bool {
    guard queue.isRecording, queue.reserved + count <= queue.capacity else { return false }
    queue.reserved += count
    return true
  }

  /// Counts a transaction that is not recorded, unless the recording has ended.
  func drop() {
    if queue.isRecording { queue.pending.dropped += 1 }
  }

  /// Appends the events of a transaction as one piece. Their memory is reserved.
  func append(_ chunks: [EventChunk]) {
    let reserved = chunks.reduce(0) { $0 + $1.capacity }
    guard queue.isRecording else {
      queue.reserved -= reserved
      return
    }
    queue.pending.chunks += chunks
    queue.pending.reserved += reserved
    queue.pending.commits += 1
    wakeIfFull()
  }

  /// Appends an event whose memory is reserved.
  func append(reserved event: TraceEvent) {
    guard queue.isRecording else {
      queue.reserved -= 1
      return
    }
    queue.pending.reserved += 1
    let last = queue.pending.chunks.count - 1
    if last < 0 || queue.pending.chunks[last].isFull
      || queue.pending.chunks[last].capacity != Self.looseCapacity
    {
      queue.pending.chunks.append(EventChunk(capacity: Self.looseCapacity))
    }
    queue.pending.chunks[queue.pending.chunks.count - 1].events.append(event)
    wakeIfFull()
  }

  /// Appends an event that must not be lost, even beyond the limit of memory: there are few of them.
  func append(_ event: TraceEvent) {
    queue.reserved += 1
    append(reserved: event)
  }

  /// Stores a text for an event that is appended under the same lock; returns its index.
  func store(_ text: String) -> Int {
    queue.pending.texts.append(String(text.prefix(EventBatch.maxTextLength)))
    return queue.pending.texts.count - 1
  }

  /// Ends the recording: what follows is ignored.
  func end() {
    queue.isEnding = true
    queue.signal.wake()
  }

  private func wakeIfFull() { if queue.isFull { queue.signal.wake() } }
}

/// What the lines of a trace depend on beside the calls: guarded by the queue's lock.
struct RecordingState {
  var launches = 0
  /// `enter` records so far.
  var commits = 0
  /// The commits before the phase under way, and whether it fills the tables.
  var phaseStart = 0
  var isLoading = false
  var snapshots = 0
  var openSnapshots: Set<Int> = []
  var pins = 0
  var openPins: Set<Int> = []
  var tables: [String: Int32] = [:]
  var isClosed = false
}
