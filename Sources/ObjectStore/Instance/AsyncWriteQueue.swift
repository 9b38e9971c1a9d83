// Who writes next among those that cannot block their thread for it.
import Foundation

/// A queue of asynchronous writers of one file in this process. (Others, on threads and in other processes, wait at the
/// engine's writer's place, which the first of this queue waits for on a thread of the system's.)
final class AsyncWriteQueue: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = LockedValue(State())

  func take() async {
    await withCheckedContinuation { continuation in
      let isMine = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isMine { continuation.resume() }
    }
  }

  func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isTaken = false
      return nil
    }
    next?.resume()
  }
}
