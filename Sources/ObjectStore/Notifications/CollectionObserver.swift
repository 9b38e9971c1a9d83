// Observing a collection of an object, here or elsewhere, whatever the form in which its changes are delivered.
import Dispatch
import StorageEngine

/// A collection in the instance in which its changes are delivered.
struct ObservedChanges<Change> {
  /// The object whose collection it is.
  let owner: ManagedRow
  let initial: () -> Change
  /// Returns how the collection has changed; nil for not at all.
  let update: (VersionDifference) throws(StorageError) -> Change?
}

/// Finds the same collection in any instance of the file; nil in one without its class.
typealias ObservedChangesFinder<Change> = @Sendable (OpenRealm) -> ObservedChanges<Change>?

/// Observes a collection of an object. Once its owner is deleted it has lost all elements, and nothing more is delivered.
private final class CollectionObserver<Change>: BlockObserver, InitiallyComplete {
  private let observed: ObservedChanges<Change>
  private let block: (Change) -> Void

  init(_ observed: ObservedChanges<Change>, _ block: @escaping (Change) -> Void) {
    self.observed = observed
    self.block = block
  }

  override func deliverInitial(_ instance: OpenRealm) { block(observed.initial()) }

  override func deliverChange(
    _ instance: OpenRealm, _ difference: VersionDifference?, isSilent: Bool
  ) {
    guard observed.owner.isUsable, let difference else { return }
    if !observed.owner.exists { isEnded = true }
    guard !isSilent else { return }
    do throws(StorageError) {
      if let change = try observed.update(difference) { block(change) }
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
    }
  }
}

extension OpenRealm {
  /// Observes a collection here, or on a queue.
  func observe<Change>(
    _ find: @escaping ObservedChangesFinder<Change>, on queue: DispatchQueue?,
    _ block: @escaping (Change) -> Void
  ) -> NotificationToken {
    guard let queue else {
      return find(self).map { observe(CollectionObserver($0, block)) } ?? NotificationToken(nil)
    }
    let block = UnsafeTransfer(block)
    return observe(on: queue) { instance in
      find(instance).map { CollectionObserver($0, block.take()) }
    }
  }

  /// Observes a collection on an actor.
  func observe<A: Actor, Change>(
    _ find: @escaping ObservedChangesFinder<Change>, on actor: A,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, Change) -> Void
  ) async -> NotificationToken {
    await observe(on: actor) { instance in
      find(instance).map { observed in
        CollectionObserver(observed) { change in
          let change = UnsafeTransfer(change)
          actor.assumeIsolated { block($0, change.take()) }
        }
      }
    }
  }

  /// Returns false, after misuse, if the owner of a collection cannot be observed.
  func checkObservable() -> Bool {
    guard !isFrozen else {
      Misuse.report(.frozen, "What is frozen does not change.", file: url)
      return false
    }
    return check()
  }
}
