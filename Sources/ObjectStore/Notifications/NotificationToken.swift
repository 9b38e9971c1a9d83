// The registration of an observer.

/// A registered observer, which is called until the token is invalidated or released, on any thread.
public final class NotificationToken: @unchecked Sendable {
  private struct State {
    /// nil until an observer for another queue or actor is registered there, and after `invalidate`.
    var observer: (any ChangeObserver)?
    var isEnded = false
  }

  private let state: LockedValue<State>

  init(_ observer: (any ChangeObserver)?) { state = LockedValue(State(observer: observer)) }

  deinit { invalidate() }

  var observer: (any ChangeObserver)? { state.withLock(\.observer) }

  /// Retains an observer that was registered elsewhere. Returns false if the token has been invalidated meanwhile.
  func attach(_ observer: any ChangeObserver) -> Bool {
    state.withLock { state in
      if !state.isEnded { state.observer = observer }
      return !state.isEnded
    }
  }

  /// Ends the observation. On the queue or actor of the observer nothing is delivered afterwards; a delivery that is being
  /// made elsewhere is finished.
  public func invalidate() {
    // Released outside of the lock: it may be the last use of the instance.
    let observer = state.withLock { state in
      defer { state = State(isEnded: true) }
      return state.observer
    }
    observer?.isEnded = true
  }
}

/// An observer with a block of the program.
class BlockObserver: ChangeObserver {
  private let ended = LockedValue(false)

  final var isEnded: Bool {
    get { ended.withLock { $0 } }
    set { ended.withLock { $0 = newValue } }
  }

  func deliverInitial(_ instance: OpenRealm) {}
  func deliverChange(_ instance: OpenRealm, _ difference: VersionDifference?, isSilent: Bool) {}
}

extension OpenRealm {
  func observe(_ observer: any ChangeObserver) -> NotificationToken {
    observers.add(observer)
    scheduleRefresh()
    return NotificationToken(observer)
  }
}
