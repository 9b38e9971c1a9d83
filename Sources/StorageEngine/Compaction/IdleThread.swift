// A thread that works while no transaction is open. It sleeps indefinitely when there is nothing to do, so that an idle
// program causes no wake-ups. A commit wakes it, to check again after the quiet period.
import SystemIO

final class IdleThread: @unchecked Sendable {
  enum Next {
    /// There is more to do: continue after a pause as long as the step took.
    case soon
    /// A condition that may end without a commit prevents progress.
    case later
    /// Only a commit can create more to do.
    case whenWritten
    /// The database is gone.
    case never
  }

  private let mutex = ThreadMutex()
  private let changed = ThreadCondition()
  private let quietPeriod: UInt64
  /// When to work next, on the monotonic clock; nil: after the next commit.
  private var due: UInt64?
  private var isStopped = false
  private var thread: SystemThread?

  /// Starts the thread. If the system cannot create one, compaction continues in commits only.
  init(afterMilliseconds quietPeriod: Int, _ work: @escaping @Sendable () -> Next) {
    self.quietPeriod = UInt64(quietPeriod) * 1_000_000
    due = Clock.monotonicNanoseconds() + self.quietPeriod
    thread = try? SystemThread.start(name: "idle-compaction") { [self] in run(work) }
  }

  /// Postpones the work to the end of a new quiet period.
  func commitDidEnd() {
    let next = Clock.monotonicNanoseconds() + quietPeriod
    mutex.withLock {
      if due == nil { changed.signal() }
      due = next
    }
  }

  /// Stops the thread after its current step. `waiting` waits for that; not to be used on the thread itself.
  func stop(waiting: Bool) {
    let thread = mutex.withLock {
      isStopped = true
      changed.signal()
      defer { self.thread = nil }
      return self.thread
    }
    if waiting { thread?.join() }
  }

  private func run(_ work: () -> Next) {
    mutex.lock()
    defer { mutex.unlock() }
    while !isStopped {
      guard let due else {
        changed.wait(mutex)
        continue
      }
      let start = Clock.monotonicNanoseconds()
      guard start >= due else {
        changed.wait(mutex, atMostMilliseconds: Int((due - start) / 1_000_000) + 1)
        continue
      }
      self.due = nil
      mutex.unlock()
      let next = work()
      let end = Clock.monotonicNanoseconds()
      mutex.lock()
      switch next {
      case .soon: self.due = max(self.due ?? 0, end + max(1_000_000, end - start))
      case .later: self.due = max(self.due ?? 0, end + max(1_000_000, quietPeriod))
      case .whenWritten: break
      case .never: return
      }
    }
  }
}
