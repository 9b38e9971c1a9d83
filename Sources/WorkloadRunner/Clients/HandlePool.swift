// The stand-in for an autorelease pool, which Linux has not: what a block opened stays open until the pool of its queue
// drains. On Apple systems the same happens to a Realm that a block on a dispatch queue opened.
import SystemIO

/// Handles that a dispatch queue's blocks left behind. Safe to use from many threads.
final class HandlePool: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var handles: [(held: HeldSnapshot, dueAt: Int)] = []

  /// Keeps the handle until `drain` is called at or after commit `dueAt`.
  func add(_ held: HeldSnapshot, dueAt: Int) {
    lock.withLock { handles.append((held, dueAt)) }
  }

  /// Has everything that drains at all wait until commit `due`, because the queue is at work again.
  func postpone(to due: Int) {
    lock.withLock {
      for index in handles.indices where handles[index].dueAt != .max { handles[index].dueAt = due }
    }
  }

  /// The handle that was added last and is still there.
  var newest: HeldSnapshot? { lock.withLock { handles.last?.held } }

  /// The least commit at which there is something to drain; nil for an empty pool or one that waits for ever.
  var nextDue: Int? {
    lock.withLock { handles.lazy.map(\.dueAt).min().flatMap { $0 == .max ? nil : $0 } }
  }

  /// Lets go of what is due at `commits`; of everything where that is `Int.max`.
  func drain(upTo commits: Int) {
    let due = lock.withLock {
      let due = handles.filter { $0.dueAt <= commits }
      handles.removeAll { $0.dueAt <= commits }
      return due
    }
    for handle in due { handle.held.end() }
  }
}
