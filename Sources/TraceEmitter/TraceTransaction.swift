// A write transaction. Its operations are in memory of its own until it ends, so that a trace has whole transactions, and
// threads do not wait for each other within them.

/// Used by one thread at a time. One that is not ended counts as rolled back.
public final class TraceTransaction {
  private let emitter: TraceEmitter
  private var full: [EventChunk] = []
  private var chunk: EventChunk
  private var reserved = 0
  /// Whether the transaction has ended, or was dropped: what follows is ignored.
  private var isOver = false
  private var operations = 0
  private var bytes = 0

  /// Events of the first piece of memory and of the others.
  private static let firstCapacity = 16
  private static let nextCapacity = 256
  /// What a key counts in the bytes of a commit, as in recordings of Compaction Lab.
  private static let keyLength = 8

  init(_ emitter: TraceEmitter) {
    self.emitter = emitter
    guard emitter.queue.reserve(Self.firstCapacity) else {
      chunk = EventChunk(capacity: 0)
      isOver = true
      emitter.queue.drop(unreserving: 0)
      return
    }
    reserved = Self.firstCapacity
    chunk = EventChunk(capacity: reserved)
    chunk.events.append(TraceEvent(kind: .beginWrite, time: emitter.time))
  }

  deinit { rollBack() }

  /// A row is inserted or replaced by a value of so many bytes.
  public func put(_ table: TraceTable, key: TraceKey, bytes size: Int) {
    let size = min(max(0, size), Self.maxValueLength)
    append(.put, table, key, size)
    operations += 1
    bytes += size + Self.keyLength
  }

  public func delete(_ table: TraceTable, key: TraceKey) {
    append(.delete, table, key)
    operations += 1
    bytes += Self.keyLength
  }

  /// A row is read within the transaction.
  public func read(_ table: TraceTable, key: TraceKey) { append(.read, table, key) }

  public func commit() {
    let time = emitter.time
    append(TraceEvent(kind: .commit, time: time))
    // Space for the second event, which is appended under the lock.
    guard !isOver, !chunk.isFull || extend() else { return }
    isOver = true
    emitter.queue.update { queue, state in
      if !state.isLoading {
        state.commits += 1
        chunk.events.append(
          TraceEvent(kind: .enter, number: operations, size: bytes, time: time))
      }
      full.append(chunk)
      queue.append(full)
    }
    full = []
  }

  public func rollBack() {
    guard !isOver else { return }
    append(TraceEvent(kind: .rollBack, time: emitter.time))
    guard !isOver else { return }
    isOver = true
    full.append(chunk)
    emitter.queue.update { queue, _ in queue.append(full) }
    full = []
  }

  /// The greatest value that a trace can have.
  private static let maxValueLength = 1 << 30

  private func append(
    _ kind: TraceEventKind, _ table: TraceTable, _ key: TraceKey, _ size: Int = 0
  ) {
    guard !isOver else { return }
    append(
      TraceEvent(
        kind: kind, table: table.index, key: emitter.hasher.number(of: key), size: size))
  }

  private func append(_ event: TraceEvent) {
    guard !isOver, !chunk.isFull || extend() else { return }
    chunk.events.append(event)
  }

  /// Continues in another piece of memory; where there is none, drops the transaction and returns false.
  private func extend() -> Bool {
    full.append(chunk)
    guard emitter.queue.reserve(Self.nextCapacity) else {
      full = []
      chunk = EventChunk(capacity: 0)
      isOver = true
      emitter.queue.drop(unreserving: reserved)
      return false
    }
    reserved += Self.nextCapacity
    chunk = EventChunk(capacity: Self.nextCapacity)
    return true
  }
}
