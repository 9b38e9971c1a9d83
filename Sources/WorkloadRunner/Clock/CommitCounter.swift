// The progress of a phase in commits. Writers claim commits here; clients that react to commits wait here. Writers wait for a
// client that is long due: a scenario states in commits how long a snapshot is held, and a busy machine must not change that.
import SystemIO

/// The commits of one phase. Safe to use from many threads.
final class CommitCounter: Sendable {
  private struct State {
    var claimed = 0
    var done: Int
    var isOver = false
    /// The smallest commit count that a thread waits for: no broadcast before it.
    var nextWake = Int.max
    /// The commit count at which each client that writers wait for is to act next.
    var dues: [String: Int] = [:]
    var failure: (any Error)?
  }

  private let lock = ThreadMutex()
  private let advanced = ThreadCondition()
  private let caughtUp = ThreadCondition()
  private nonisolated(unsafe) var state: State
  let limit: Int
  /// By how many commits writers may be ahead of a client that is due. Many more than a thread needs to wake on an idle
  /// machine, and fewer than scenarios distinguish.
  static let maxLead = 32

  /// Creates a counter for a phase of `limit` commits that begins after `start` commits of the run.
  init(start: Int, limit: Int) {
    state = State(done: start)
    self.limit = limit
  }

  /// Claims the next commit for a writer, as soon as no client is too far behind. Returns false when all commits of the
  /// phase are claimed or a client failed.
  ///
  /// - Parameter waits: whether the writer waits for clients that are behind. An open loop does not: its times are fixed.
  func claim(waits: Bool = true) -> Bool {
    lock.withLock {
      while waits, state.claimed < limit, state.failure == nil, isTooFarAhead {
        caughtUp.wait(lock)
      }
      guard state.claimed < limit, state.failure == nil else { return false }
      state.claimed += 1
      return true
    }
  }

  /// Called with the lock held.
  private var isTooFarAhead: Bool {
    state.dues.values.min().map { state.done > $0 + Self.maxLead } ?? false
  }

  /// Announces the commit count at which a client acts next, so that writers wait for it; nil if it does not act again.
  func expect(_ client: String, at due: Int?) {
    lock.withLock {
      state.dues[client] = due
      caughtUp.broadcast()
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
  ///
  /// - Parameter client: the client for which writers wait from then on, until it is no more than `maxLead` behind. It is
  ///   announced with the count that it waits for, since a writer that waited for an earlier one would wait forever.
  func wait(for commits: Int, announcedAs client: String? = nil) -> Bool {
    lock.withLock {
      if let client {
        state.dues[client] = commits
        caughtUp.broadcast()
      }
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
      caughtUp.broadcast()
    }
  }

  var failure: (any Error)? { lock.withLock { state.failure } }
  var done: Int { lock.withLock { state.done } }
}
