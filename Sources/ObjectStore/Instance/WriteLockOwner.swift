// Finds a write transaction that would wait for itself. A file has one write lock for all instances, and a caller that
// waits for it on the thread, queue or task that holds it waits forever: that is reported before the wait.
import Foundation

/// Where the file's open write transaction was begun.
struct WriteLockOwner {
  /// Identifies the instance without retaining it, or the actor that holds it.
  let instance: ObjectIdentifier
  let name: String
  private let context: Context

  private enum Context {
    /// The transaction cannot end while the caller is in this confinement.
    case confinement(Confinement)
    case thread(UInt64)
    /// An actor's thread changes when the task is suspended; the task does not.
    case task(Int)
  }

  init(_ instance: OpenRealm) {
    self.instance = ObjectIdentifier(instance)
    name = instance.confinement.name
    switch instance.confinement {
    case .main, .thread, .queue: context = .confinement(instance.confinement)
    case .actor, .unconfined:
      context = Self.currentTask.map { .task($0) } ?? .thread(ThreadLocalState.current.threadID)
    }
  }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Whether the transaction could not end while the caller waits for it.
  var isCaller: Bool {
    switch context {
    case .confinement(let confinement): confinement.isCurrent
    case .thread(let thread): thread == ThreadLocalState.current.threadID
    case .task(let task): task == Self.currentTask
    }
  }
}

extension RealmCoordinator {
  func setWriteLockOwner(_ instance: OpenRealm) {
    let owner = WriteLockOwner(instance)
    writeLockOwner.withLock { $0 = owner }
  }

  /// Does nothing if another instance has become the owner: the engine releases its lock before this is called.
  func clearWriteLockOwner(_ instance: OpenRealm) {
    let released = ObjectIdentifier(instance)
    writeLockOwner.withLock { if $0?.instance == released { $0 = nil } }
  }

  /// Error `wrongTransactionState` if the caller is already in a write transaction of this file, through any instance.
  func checkNoNestedWrite() throws(RealmError) {
    guard let owner = writeLockOwner.withLock({ $0 }), owner.isCaller else { return }
    throw RealmError(
      .wrongTransactionState,
      "Another instance of the realm is in a write transaction here, on \(owner.name): a second would "
        + "wait for it for ever. Write through that instance, or end its transaction first.",
      file: url)
  }
}
