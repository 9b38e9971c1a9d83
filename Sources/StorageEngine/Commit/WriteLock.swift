// The write lock among the threads of one session; among all sessions of a file it is a byte lock (`FileSession`). What it
// protects is the `Writer`, which is reached through a `WriteAccess` only.
import SystemIO

struct WriteLock: ~Copyable {
  // Not private, for the reason stated at SizeIndex.Word.
  struct State {
    var isHeld = false
    /// The number of threads that wait for the lock.
    var waitingThreads = 0
    var isClosed = false
  }

  private let state = Locked(State())
  private let released = ThreadCondition()

  /// Whether a thread of this session waits for the lock.
  var isAwaited: Bool { state.withLock { $0.waitingThreads > 0 } }

  /// Waits until no other thread has the lock, and acquires it. Returns false if the store is closed.
  func acquire() -> Bool {
    var isWaiting = false
    return state.withLock(waitingFor: released) { state in
      if !isWaiting {
        state.waitingThreads += 1
        isWaiting = true
      }
      return !state.isHeld
    } _: { state in
      state.waitingThreads -= 1
      guard !state.isClosed else { return false }
      state.isHeld = true
      return true
    }
  }

  /// Acquires the lock if it is free. Returns whether it was. Error `closed`.
  func tryAcquire() throws(StorageError) -> Bool {
    try state.withLock { (state) throws(StorageError) in
      guard !state.isClosed else { throw StorageError.databaseClosed }
      guard !state.isHeld else { return false }
      state.isHeld = true
      return true
    }
  }

  func release() {
    state.withLock { state in
      precondition(state.isHeld, "A lock that is released is held.")
      state.isHeld = false
      // A thread that finds the store closed does not acquire the lock, and so would wake no other: wake all of them.
      if state.isClosed { released.broadcast() } else { released.signal() }
    }
  }

  /// Determines whether threads that wait for the lock acquire it, or find the store closed. The caller holds the lock.
  func setClosed(_ isClosed: Bool) {
    state.withLock { state in
      precondition(state.isHeld, "A store is closed under its write lock.")
      state.isClosed = isClosed
    }
  }
}
