// Who holds which version, by name: the answer to "why does the file not shrink". Reclamation does not use it.
import SystemIO

/// An open snapshot.
public struct SnapshotHolder: Sendable, Equatable {
  public var version: UInt64
  /// What `beginSnapshot` was given.
  public var label: String
}

final class SnapshotRegistry: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var holders: [ObjectIdentifier: SnapshotHolder] = [:]

  func add(_ snapshot: AnyObject, _ version: UInt64, _ label: String) {
    mutex.withLock {
      holders[ObjectIdentifier(snapshot)] = SnapshotHolder(version: version, label: label)
    }
  }

  func remove(_ snapshot: AnyObject) {
    _ = mutex.withLock { holders.removeValue(forKey: ObjectIdentifier(snapshot)) }
  }

  /// Oldest version first, then by label.
  var sorted: [SnapshotHolder] {
    mutex.withLock { Array(holders.values) }.sorted {
      ($0.version, $0.label) < ($1.version, $1.label)
    }
  }
}
