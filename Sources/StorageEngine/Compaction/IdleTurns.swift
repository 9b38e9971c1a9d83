// Who must not find the writer's place taken by a step of idle compaction (closing, compaction by copy) holds the turns:
// a step that is under way ends first, and no other begins.
import SystemIO

final class IdleTurns: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let ended = ThreadCondition()
  private var isUnderWay = false
  private var holders = 0

  func hold() {
    mutex.withLock {
      holders += 1
      while isUnderWay { ended.wait(mutex) }
    }
  }

  func letGo() { mutex.withLock { holders -= 1 } }

  /// False where steps are held back, or another thread is in one.
  func begin() -> Bool {
    mutex.withLock {
      guard holders == 0, !isUnderWay else { return false }
      isUnderWay = true
      return true
    }
  }

  func end() {
    mutex.withLock {
      isUnderWay = false
      ended.broadcast()
    }
  }
}
