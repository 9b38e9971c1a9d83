// How far a phase has come. Writers take commits from it; clients that react to commits wait on it.
import SystemIO

/// Commits of one phase, safe to use from many threads.
final class CommitCounter: Sendable {
  private struct State {
    var claimed = 0
    var done: Int
    var isOver = false
    /// The least commit number that a thread waits for: no broadcast before it.
    var nextWake = Int.max
    var failure: (any Error)?
  }

  private let lock = ThreadMutex()
  private let advanced = ThreadCondition()
  private nonisolated(unsafe) var state: State
  let limit: Int

  /// A phase of `limit` commits that begins after `start` commits of the run.
  init(start: Int, limit: Int) {
    state = State(done: start)
    self.limit = limit
  }

  /// Claims the next commit for a writer; false where the phase has had its commits, or failed.
  func claim() -> Bool {
    lock.withLock {
      guard state.claimed < limit, state.failure == nil else { return false }
      state.claimed += 1
      return true
    }
  }

  /// Says that the run has come to `commits` commits.
  func reached(_ commits: Int) {
    lock.withLock {
      state.done = max(state.done, commits)
      guard state.done >= state.nextWake else { return }
      state.nextWake = .max
      advanced.broadcast()
    }
  }

  /// Waits until the run has come to `commits` commits; false where the phase ended before.
  func wait(for commits: Int) -> Bool {
    lock.withLock {
      while state.done < commits, !state.isOver, state.failure == nil {
        state.nextWake = min(state.nextWake, commits)
        advanced.wait(lock)
      }
      return state.done >= commits && !state.isOver && state.failure == nil
    }
  }

  /// Ends the phase for all that wait.
  func end() {
    lock.withLock {
      state.isOver = true
      advanced.broadcast()
    }
  }

  /// Ends the phase because a client failed; the first failure is kept.
  func fail(_ error: any Error) {
    lock.withLock {
      if state.failure == nil { state.failure = error }
      advanced.broadcast()
    }
  }

  var failure: (any Error)? { lock.withLock { state.failure } }
  var done: Int { lock.withLock { state.done } }
}
