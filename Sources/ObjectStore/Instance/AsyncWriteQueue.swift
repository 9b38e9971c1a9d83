// The order of asynchronous write transactions, which cannot block their thread.
import Foundation

/// A first-in-first-out queue of the asynchronous writers of one file in this process. The first of them waits for the
/// engine's write lock on a background thread; writers on threads, and other processes, wait for that lock directly.
final class AsyncWriteQueue: Sendable {
  /// Identifies a writer in the queue.
  typealias Ticket = UInt64

  private struct Writer {
    let ticket: Ticket
    let begin: @Sendable (_ isCancelled: Bool) -> Void
  }

  private struct State {
    var lastTicket: Ticket = 0
    var isAcquired = false
    var waiting: [Writer] = []
    /// Writers that were cancelled before they were enqueued.
    var cancelled: Set<Ticket> = []
  }

  private let state = LockedValue(State())

  func drawTicket() -> Ticket {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// Calls `begin` when all earlier writers have released the queue, or with true when the writer is cancelled before.
  func enqueue(_ ticket: Ticket, _ begin: @escaping @Sendable (_ isCancelled: Bool) -> Void) {
    let isCancelled: Bool? = state.withLock { state in
      if state.cancelled.remove(ticket) != nil { return true }
      guard state.isAcquired else {
        state.isAcquired = true
        return false
      }
      state.waiting.append(Writer(ticket: ticket, begin: begin))
      return nil
    }
    if let isCancelled { begin(isCancelled) }
  }

  /// Removes a writer that waits; no effect on one that has begun.
  func cancel(_ ticket: Ticket) {
    let removed: Writer? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
        state.cancelled.insert(ticket)
        return nil
      }
      return state.waiting.remove(at: index)
    }
    removed?.begin(true)
  }

  /// Removes a writer that was enqueued and waits, without calling it; no effect on one that has begun.
  func remove(_ ticket: Ticket) {
    state.withLock { state in state.waiting.removeAll { $0.ticket == ticket } }
  }

  /// Waits until all earlier writers have released the queue. Error `CancellationError` if the task is cancelled before.
  func acquire() async throws {
    let ticket = drawTicket()
    defer { state.withLock { _ = $0.cancelled.remove(ticket) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
        enqueue(ticket) { isCancelled in
          if isCancelled { waiting.resume(throwing: CancellationError()) } else { waiting.resume() }
        }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  func release() {
    let next: Writer? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isAcquired = false
      return nil
    }
    next?.begin(false)
  }
}
