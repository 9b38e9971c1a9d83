// Keeps steps of idle compaction out while an operation must not find the write lock taken by one (closing, compaction
// by copy): closing the gate waits until the current step has ended, and no other begins while it is closed.
import SystemIO

final class IdleGate: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let stepEnded = ThreadCondition()
  private var isOccupied = false
  private var closers = 0

  func close() {
    mutex.withLock {
      closers += 1
      while isOccupied { stepEnded.wait(mutex) }
    }
  }

  func open() {
    mutex.withLock {
      precondition(closers > 0, "A gate that is opened is closed.")
      closers -= 1
    }
  }

  /// Returns false if the gate is closed, or another thread is in a step.
  func tryEnter() -> Bool {
    mutex.withLock {
      guard closers == 0, !isOccupied else { return false }
      isOccupied = true
      return true
    }
  }

  func leave() {
    mutex.withLock {
      precondition(isOccupied, "A step that ends has begun.")
      isOccupied = false
      stepEnded.broadcast()
    }
  }
}
