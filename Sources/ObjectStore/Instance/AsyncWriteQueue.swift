// The order of asynchronous write transactions, which cannot block their thread.
import Foundation

/// A first-in-first-out queue of the asynchronous writers of one file in this process. The first of them waits for the
/// engine's write lock on a background thread; writers on threads, and other processes, wait for that lock directly.
final class AsyncWriteQueue: Sendable {
  private struct State {
    var isAcquired = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = LockedValue(State())

  func acquire() async {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        guard state.isAcquired else {
          state.isAcquired = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFirst { continuation.resume() }
    }
  }

  func release() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isAcquired = false
      return nil
    }
    next?.resume()
  }
}
