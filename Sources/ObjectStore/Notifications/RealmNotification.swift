// Observing a whole realm.
import StorageEngine

/// Why the observer of a realm is called.
public enum RealmNotification: String, Sendable {
  /// The realm has moved to another version.
  case didChange = "RLMRealmDidChangeNotification"
}

/// Observes every move of an instance.
final class WholeRealmObserver: ChangeObserver {
  var isEnded = false
  private let block: (RealmNotification, OpenRealm) -> Void

  init(_ block: @escaping (RealmNotification, OpenRealm) -> Void) { self.block = block }

  func deliverInitial(_ instance: OpenRealm) {}
  func deliverChange(_ instance: OpenRealm, from old: Snapshot?) { block(.didChange, instance) }
}
