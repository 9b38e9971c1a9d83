// Observing on a queue or actor: a realm of its own is opened there, and an observer registered in it. What changes in
// between is found from the version that the caller saw, which is pinned until then.
import Dispatch
import StorageEngine

/// The version that an observation begins with.
private final class ObservationStart: Sendable {
  private let pin: LockedValue<(snapshot: Snapshot?, reference: FileReference?)>
  let configuration: any InstanceConfiguration

  init(_ instance: OpenRealm) throws(StorageError) {
    configuration = instance.configuration
    let snapshot = try instance.snapshot().duplicate(label: "observation")
    pin = LockedValue((snapshot, instance.copyFileReference()))
  }

  /// Opens an instance, where the caller is confined, registers an observer in it, and delivers what has changed.
  func begin(
    _ confinement: Confinement, _ token: NotificationToken,
    _ makeObserver: (OpenRealm) -> (any ChangeObserver)?
  ) {
    // Also keeps the file open until the instance has a reference.
    let start = pin.withLock { pin in
      defer { pin = (nil, nil) }
      return UnsafeTransfer(pin)
    }.take()
    defer { start.snapshot?.end() }
    guard let reference = start.reference else { return }
    do {
      let instance = try configuration.open(confinement, reference)
      _ = try instance.mappingErrors { () throws(StorageError) in try instance.refresh() }
      guard let observer = makeObserver(instance), token.attach(observer) else { return }
      instance.observers.add(observer, isPending: false)
      observer.deliverInitial(instance)
      guard let old = start.snapshot, let new = instance.reading, old.version != new.version else {
        return
      }
      let difference = VersionDifference(from: old, to: new)
      if !observer.isEnded, !(observer is any InitiallyComplete) {
        observer.deliverChange(instance, difference, isSilent: false)
      }
    } catch {
      Misuse.report((error as? RealmError) ?? RealmError(.fail, "\(error)"))
    }
  }
}

/// An observer whose initial delivery contains all changes before it.
protocol InitiallyComplete: ChangeObserver {}

extension OpenRealm {
  /// Observes on a queue. `makeObserver` is called in a block of it, with its instance.
  func observe(
    on queue: DispatchQueue,
    _ makeObserver: @escaping @Sendable (OpenRealm) -> (any ChangeObserver)?
  ) -> NotificationToken {
    let token = NotificationToken(nil)
    guard let start = observationStart() else { return token }
    queue.async { [weak token] in
      if let token { start.begin(.on(queue), token, makeObserver) }
    }
    return token
  }

  /// Observes on an actor. `makeObserver` is called on it, with its instance.
  func observe<A: Actor>(
    on actor: A, isolation: isolated (any Actor)? = #isolation,
    _ makeObserver: @escaping @Sendable (OpenRealm) -> (any ChangeObserver)?
  ) async -> NotificationToken {
    let token = NotificationToken(nil)
    guard let start = observationStart() else { return token }
    await actor.run { start.begin(.on(actor), token, makeObserver) }
    return token
  }

  private func observationStart() -> ObservationStart? {
    guard writing == nil else {
      Misuse.report(
        .wrongTransactionState, "Cannot observe on a queue or actor from a write transaction.",
        file: url)
      return nil
    }
    do throws(StorageError) { return try ObservationStart(self) } catch {
      Misuse.report(RealmError(error, file: url))
      return nil
    }
  }
}

extension Actor {
  /// Runs `body` on the actor.
  fileprivate func run(_ body: @Sendable () -> Void) { body() }
}
