// The observers of an instance. Differences are computed when the instance moves to another version, with both versions
// at hand: no version is pinned for an observer in between.
import StorageEngine

/// Observes an instance.
protocol ChangeObserver: AnyObject {
  var isEnded: Bool { get set }
  /// Called once, before all other calls.
  func deliverInitial(_ instance: OpenRealm)
  /// Called when the instance has moved, with the version before, if known.
  func deliverChange(_ instance: OpenRealm, from old: Snapshot?)
}

/// The observers of an instance.
struct ObserverList {
  private var observers: [any ChangeObserver] = []
  private var pending: [any ChangeObserver] = []

  var isEmpty: Bool { observers.isEmpty && pending.isEmpty }

  /// Adds an observer, for which the initial delivery is pending.
  mutating func add(_ observer: any ChangeObserver) { pending.append(observer) }

  mutating func removeEnded() {
    observers.removeAll(where: \.isEnded)
    pending.removeAll(where: \.isEnded)
  }

  mutating func removeAll() {
    observers = []
    pending = []
  }

  fileprivate mutating func takePending() -> [any ChangeObserver] {
    removeEnded()
    defer { pending = [] }
    observers += pending
    return pending
  }

  fileprivate var all: [any ChangeObserver] { observers }
}

extension OpenRealm {
  /// Makes the initial deliveries that are pending.
  func deliverInitial() {
    for observer in observers.takePending() where !observer.isEnded {
      observer.deliverInitial(self)
    }
  }

  /// Delivers the differences from `old` to all observers but `silent`.
  func notify(from old: Snapshot?, except silent: [any ChangeObserver] = []) {
    guard !observers.isEmpty else { return }
    let known = observers.all
    deliverInitial()
    for observer in known where !observer.isEnded {
      if silent.contains(where: { $0 === observer }) { continue }
      observer.deliverChange(self, from: old)
    }
    observers.removeEnded()
  }

  /// Refreshes where the instance is confined, later. May be called on any thread.
  func scheduleRefresh() {
    let isFirst = refreshIsScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
    guard isFirst else { return }
    let weakly = WeakInstance(self)
    confinement.schedule {
      guard let instance = weakly.instance else { return }
      instance.refreshIsScheduled.withLock { $0 = false }
      if instance.autorefresh { _ = try? instance.refresh() }
      instance.deliverInitial()
    }
  }
}

/// For closures that outlive the instance, and that may be released on any thread.
private final class WeakInstance: @unchecked Sendable {
  private(set) weak var instance: OpenRealm?

  init(_ instance: OpenRealm) { self.instance = instance }
}
