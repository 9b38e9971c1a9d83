// A model of the autorelease pool, which Linux lacks: a handle that a block opened stays open until the pool of its queue
// drains. On Apple systems the same happens to a Realm that a block on a dispatch queue opened.
import SystemIO

/// The handles that a dispatch queue's blocks left open. Safe to use from many threads.
final class HandlePool: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var handles: [(held: HeldSnapshot, dueAt: Int)] = []

  /// Stores the handle until `drain` is called at or after commit `dueAt`.
  func add(_ held: HeldSnapshot, dueAt: Int) {
    lock.withLock { handles.append((held, dueAt)) }
  }

  /// Postpones to commit `due` all handles but those that never drain, because the queue is busy again.
  func postpone(to due: Int) {
    lock.withLock {
      for index in handles.indices where handles[index].dueAt != .max { handles[index].dueAt = due }
    }
  }

  /// The handle that was added last, if it is still stored.
  var newest: HeldSnapshot? { lock.withLock { handles.last?.held } }

  /// The smallest commit count at which a handle drains; nil where there is none.
  var nextDue: Int? {
    lock.withLock { handles.lazy.map(\.dueAt).min().flatMap { $0 == .max ? nil : $0 } }
  }

  /// Releases the handles that are due at `commits`; all handles if that is `Int.max`.
  func drain(upTo commits: Int) {
    let due = lock.withLock {
      let due = handles.filter { $0.dueAt <= commits }
      handles.removeAll { $0.dueAt <= commits }
      return due
    }
    for handle in due { handle.held.release() }
  }
}
