// The registration of an observer.

/// A registered observer, which is called until the token is invalidated or released.
public final class NotificationToken {
  private weak var instance: OpenRealm?
  let observer: any ChangeObserver

  init(_ instance: OpenRealm, _ observer: any ChangeObserver) {
    self.instance = instance
    self.observer = observer
  }

  deinit { observer.isEnded = true }

  public func invalidate() {
    observer.isEnded = true
    instance?.observers.removeEnded()
  }
}

extension OpenRealm {
  func observe(_ observer: any ChangeObserver) -> NotificationToken {
    observers.add(observer)
    scheduleRefresh()
    return NotificationToken(self, observer)
  }
}
