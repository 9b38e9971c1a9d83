// A read transaction. Its operations are recorded as they happen, between transactions of other threads.

/// Safe to use from many threads. Ends when it goes, at the latest.
public final class TraceSnapshot: Sendable {
  private let emitter: TraceEmitter
  /// Its number in the trace; 0 where there was no memory for it.
  private let number: Int

  init(_ emitter: TraceEmitter, _ label: String) {
    self.emitter = emitter
    let time = emitter.time
    number = emitter.queue.update { queue, state in
      // The second event is its end, which must not be lost.
      guard queue.reserve(2) else {
        queue.drop()
        return 0
      }
      state.snapshots += 1
      state.openSnapshots.insert(state.snapshots)
      queue.append(
        reserved: TraceEvent(
          kind: .snapshot, number: state.snapshots, size: queue.store(label), time: time))
      return state.snapshots
    }
  }

  deinit { end() }

  public func read(_ table: TraceTable, key: TraceKey) {
    append(TraceEvent(kind: .snapshotRead, table: table.index, key: emitter.hasher.number(of: key)))
  }

  /// Rows are read in key order, at most `limit`.
  public func scan(_ table: TraceTable, from key: TraceKey, limit: Int) {
    append(
      TraceEvent(
        kind: .scan, table: table.index, key: emitter.hasher.number(of: key), size: max(0, limit)))
  }

  /// The rows of a table are counted.
  public func count(_ table: TraceTable) { append(TraceEvent(kind: .count, table: table.index)) }

  /// The snapshot moves to the newest version.
  public func refresh() { append(TraceEvent(kind: .refresh)) }

  public func end() {
    let time = emitter.time
    emitter.queue.update { queue, state in
      guard state.openSnapshots.remove(number) != nil else { return }
      queue.append(reserved: TraceEvent(kind: .end, number: number, time: time))
    }
  }

  private func append(_ event: TraceEvent) {
    var event = event
    event.number = number
    event.time = emitter.time
    emitter.queue.update { queue, state in
      guard state.openSnapshots.contains(number) else { return }
      guard queue.reserve(1) else { return queue.drop() }
      queue.append(reserved: event)
    }
  }
}
