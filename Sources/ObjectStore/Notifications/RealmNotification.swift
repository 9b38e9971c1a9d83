// Observing a whole realm.
import StorageEngine

/// Why the observer of a realm is called.
public enum RealmNotification: String, Sendable {
  /// The realm has moved to another version.
  case didChange = "RLMRealmDidChangeNotification"
}

/// Observes every move of an instance.
final class WholeRealmObserver: BlockObserver {
  private let block: (RealmNotification, OpenRealm) -> Void

  init(_ block: @escaping (RealmNotification, OpenRealm) -> Void) { self.block = block }

  override func deliverChange(
    _ instance: OpenRealm, _ difference: VersionDifference?, isSilent: Bool
  ) {
    if !isSilent { block(.didChange, instance) }
  }
}
