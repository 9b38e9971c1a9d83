// Who is in a write transaction of a file. There is one writer's place for all instances, and whoever waits for it in the
// very place that has it waits for itself, for ever: that is found out here, before the wait.
import Foundation

/// Where the file's open write transaction was begun.
struct WriteLockOwner {
  /// Names the instance; it is not kept alive, nor is an actor that has it.
  let instance: ObjectIdentifier
  let name: String
  private let place: Place

  private enum Place {
    /// As long as the caller is there the transaction cannot end.
    case confinement(Confinement)
    case thread(UInt64)
    /// An actor's thread changes where the task is suspended, the task does not.
    case task(Int)
  }

  init(_ instance: OpenRealm) {
    self.instance = ObjectIdentifier(instance)
    name = instance.confinement.name
    switch instance.confinement {
    case .main, .thread, .queue: place = .confinement(instance.confinement)
    case .actor, .anywhere:
      place = Self.currentTask.map { .task($0) } ?? .thread(ThreadLocalState.current.number)
    }
  }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Whether the caller would keep the transaction from ending while it waits.
  var isHere: Bool {
    switch place {
    case .confinement(let confinement): confinement.isHere
    case .thread(let thread): thread == ThreadLocalState.current.number
    case .task(let task): task == Self.currentTask
    }
  }
}

extension RealmCoordinator {
  func acquiredWriteLock(_ instance: OpenRealm) {
    let place = WriteLockOwner(instance)
    writing.withLock { $0 = place }
  }

  /// Nothing where another has come since: the engine gives the place away before this is called.
  func releasedWriteLock(_ instance: OpenRealm) {
    let left = ObjectIdentifier(instance)
    writing.withLock { if $0?.instance == left { $0 = nil } }
  }

  /// Error `wrongTransactionState` where the caller is in a write transaction of this file already, through whichever
  /// instance.
  func checkNoNestedWrite() throws(Realm.Error) {
    guard let place = writing.withLock({ $0 }), place.isHere else { return }
    throw Realm.Error(
      .wrongTransactionState,
      "Another instance of the realm is in a write transaction here, on \(place.name): a second would "
        + "wait for it for ever. Write through that instance, or end its transaction first.",
      file: url)
  }
}
