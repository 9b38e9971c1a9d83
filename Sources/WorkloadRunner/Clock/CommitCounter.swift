// The progress of a phase in commits. Writers claim commits here; clients that react to commits wait here.
import SystemIO

/// The commits of one phase. Safe to use from many threads.
final class CommitCounter: Sendable {
  private struct State {
    var claimed = 0
    var done: Int
    var isOver = false
    /// The smallest commit count that a thread waits for: no broadcast before it.
    var nextWake = Int.max
    var failure: (any Error)?
  }

  private let lock = ThreadMutex()
  private let advanced = ThreadCondition()
  private nonisolated(unsafe) var state: State
  let limit: Int

  /// Creates a counter for a phase of `limit` commits that begins after `start` commits of the run.
  init(start: Int, limit: Int) {
    state = State(done: start)
    self.limit = limit
  }

  /// Claims the next commit for a writer. Returns false when all commits of the phase are claimed or a client failed.
  func claim() -> Bool {
    lock.withLock {
      guard state.claimed < limit, state.failure == nil else { return false }
      state.claimed += 1
      return true
    }
  }

  /// Notes that the run has reached `commits` commits, and wakes threads that wait for them.
  func advance(to commits: Int) {
    lock.withLock {
      state.done = max(state.done, commits)
      guard state.done >= state.nextWake else { return }
      state.nextWake = .max
      advanced.broadcast()
    }
  }

  /// Waits until the run has reached `commits` commits. Returns false when the phase ends before.
  func wait(for commits: Int) -> Bool {
    lock.withLock {
      while state.done < commits, !state.isOver, state.failure == nil {
        state.nextWake = min(state.nextWake, commits)
        advanced.wait(lock)
      }
      return state.done >= commits && !state.isOver && state.failure == nil
    }
  }

  /// Ends the phase and wakes all waiting threads.
  func end() {
    lock.withLock {
      state.isOver = true
      advanced.broadcast()
    }
  }

  /// Ends the phase because a client failed. Only the first failure is stored.
  func fail(_ error: any Error) {
    lock.withLock {
      if state.failure == nil { state.failure = error }
      advanced.broadcast()
    }
  }

  var failure: (any Error)? { lock.withLock { state.failure } }
  var done: Int { lock.withLock { state.done } }
}
