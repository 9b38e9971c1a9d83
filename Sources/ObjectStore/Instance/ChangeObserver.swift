// The observers of an instance. Differences are computed when the instance moves to another version, with both versions
// at hand: no version is pinned for an observer in between.
import StorageEngine

/// Observes an instance.
protocol ChangeObserver: AnyObject {
  /// Whether nothing more is to be delivered. May be set on any thread.
  var isEnded: Bool { get set }
  /// Called once, before all other calls.
  func deliverInitial(_ instance: OpenRealm)
  /// Called when the instance has moved, with the versions before and after, if both are known. A silent move is recorded
  /// without a call of the program's code.
  func deliverChange(_ instance: OpenRealm, _ difference: VersionDifference?, isSilent: Bool)
}

/// The observers of an instance, which their tokens retain: an observer refers to the instance.
struct ObserverList {
  private struct Registration {
    weak var observer: (any ChangeObserver)?
    /// Whether the initial delivery is still to be made.
    var isPending: Bool

    var isLive: Bool { observer.map { !$0.isEnded } ?? false }
  }

  private var registrations: [Registration] = []

  var isEmpty: Bool { !registrations.contains(where: \.isLive) }

  /// Adds an observer. Without `isPending` it has nothing to be delivered before the next move.
  mutating func add(_ observer: any ChangeObserver, isPending: Bool = true) {
    registrations.append(Registration(observer: observer, isPending: isPending))
  }

  mutating func removeEnded() { registrations.removeAll { !$0.isLive } }
  mutating func removeAll() { registrations = [] }

  fileprivate mutating func takePending() -> [any ChangeObserver] {
    removeEnded()
    let pending = registrations.filter(\.isPending).compactMap(\.observer)
    for index in registrations.indices { registrations[index].isPending = false }
    return pending
  }

  /// The observers that had their initial delivery.
  fileprivate var delivered: [any ChangeObserver] {
    registrations.filter { !$0.isPending }.compactMap(\.observer)
  }
}

extension OpenRealm {
  /// Makes the initial deliveries that are pending.
  func deliverInitial() {
    for observer in observers.takePending() where !observer.isEnded {
      observer.deliverInitial(self)
    }
  }

  /// Delivers the differences from `old` to all observers; to those in `silent` without calling the program.
  func notify(from old: Snapshot?, except silent: [any ChangeObserver] = []) {
    guard !observers.isEmpty else { return }
    let known = observers.delivered
    deliverInitial()
    let difference = old.flatMap { old in
      reading.map { VersionDifference(from: old, to: $0) }
    }
    for observer in known where !observer.isEnded {
      let isSilent = silent.contains { $0 === observer }
      observer.deliverChange(self, difference, isSilent: isSilent)
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
