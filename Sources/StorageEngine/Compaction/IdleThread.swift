// A thread that works while nobody writes. It sleeps without an end where there is nothing to do, so that an idle program
// stays idle; whoever writes wakes it, to look again when it has been quiet for the given time.
import SystemIO

final class IdleThread: @unchecked Sendable {
  enum Next {
    /// There is more to do: once others have had as long a turn as the step took.
    case soon
    /// Something stands in the way that ends without a commit.
    case later
    /// Only a commit can bring something to do.
    case whenWritten
    /// There is nothing left to work on.
    case never
  }

  private let mutex = ThreadMutex()
  private let changed = ThreadCondition()
  private let quiet: UInt64
  /// When to look, by the monotonic clock; nil with the next commit.
  private var due: UInt64?
  private var isEnded = false
  private var thread: SystemThread?

  /// Starts the thread. Where the system has none to give nothing is done while nobody writes: commits go on with it.
  init(afterMilliseconds quiet: Int, _ work: @escaping @Sendable () -> Next) {
    self.quiet = UInt64(quiet) * 1_000_000
    due = Clock.monotonicNanoseconds() + self.quiet
    thread = try? SystemThread.start(name: "idle-compaction") { [self] in run(work) }
  }

  /// Somebody committed.
  func noteCommit() {
    let next = Clock.monotonicNanoseconds() + quiet
    mutex.withLock {
      if due == nil { changed.signal() }
      due = next
    }
  }

  /// Ends the thread after the step that it is in. The caller waits for that, unless the caller is the thread.
  func end(waiting: Bool) {
    let thread = mutex.withLock {
      isEnded = true
      changed.signal()
      defer { self.thread = nil }
      return self.thread
    }
    if waiting { thread?.join() }
  }

  private func run(_ work: () -> Next) {
    mutex.lock()
    defer { mutex.unlock() }
    while !isEnded {
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
      case .later: self.due = max(self.due ?? 0, end + max(1_000_000, quiet))
      case .whenWritten: break
      case .never: return
      }
    }
  }
}
