// One opening of the engine for each file and process: instances on all threads share it, and it is closed with the last
// reference to it.
import Foundation
import StorageEngine

/// An open file, or a realm in memory, with its live instances.
final class RealmCoordinator: @unchecked Sendable {
  let database: Database
  let url: URL?
  let eventLog: EventLog?
  /// Classes that the file has under another name than the program.
  let renamedClasses: [ObjectIdentifier: ObjectClass]
  /// Held by an asynchronous write for its whole duration, so that the next one waits without a thread.
  let asyncWrites = AsyncWriteQueue()
  /// The request of the asynchronous writer that waits for the engine's write lock.
  let writeRequest = LockedValue<WriteRequest?>(nil)
  let writeLockOwner = LockedValue<WriteLockOwner?>(nil)
  /// Instances of one confinement differ in their classes or their schema version.
  private let instances = LockedValue<[Confinement.Key: [WeakInstance]]>([:])

  init(
    _ database: Database, url: URL?, _ eventLog: EventLog?,
    renamedClasses: [ObjectIdentifier: ObjectClass] = [:]
  ) {
    self.database = database
    self.url = url
    self.eventLog = eventLog
    self.renamedClasses = renamedClasses
  }

  private struct WeakInstance {
    weak var instance: OpenRealm?
  }

  /// Returns the live instance of a confinement that can be used for an opening.
  func instance(_ key: Confinement.Key, where isUsable: (OpenRealm) -> Bool) -> OpenRealm? {
    let live = instances.withLock { $0[key]?.compactMap(\.instance) }
    return live?.first(where: isUsable)
  }

  /// Adds an instance, unless one that can be used instead was added since it was looked for: two openings at once return
  /// the same instance.
  func add(
    _ instance: OpenRealm, _ key: Confinement.Key, unless isUsable: (OpenRealm) -> Bool
  ) -> OpenRealm {
    instances.withLock { instances in
      if let known = instances[key]?.compactMap(\.instance).first(where: isUsable) { return known }
      instances = instances.mapValues { $0.filter { $0.instance != nil } }
        .filter { !$0.value.isEmpty }
      instances[key, default: []].append(WeakInstance(instance: instance))
      return instance
    }
  }

  private var liveInstances: [OpenRealm] {
    instances.withLock { $0.values.joined().compactMap(\.instance) }
  }

  /// Whether an instance is live that another opening could find.
  var hasLiveInstances: Bool { !liveInstances.isEmpty }

  /// Has all instances but `writer` refresh, each where it is confined.
  func notifyCommit(by writer: OpenRealm) {
    for instance in liveInstances where instance !== writer { instance.scheduleRefresh() }
  }
}

/// Counts the references to an open file, and closes it after the last one.
protocol FileReferenceCounter: AnyObject, Sendable {
  func retain()
  func release()
}

/// A reference that keeps a file open.
final class FileReference: Sendable {
  let coordinator: RealmCoordinator
  /// nil if another module has opened the file, and closes it.
  private let counter: (any FileReferenceCounter)?

  /// A reference that `counter` has counted already.
  init(_ coordinator: RealmCoordinator, _ counter: (any FileReferenceCounter)?) {
    self.coordinator = coordinator
    self.counter = counter
  }

  deinit { counter?.release() }

  /// Returns another reference to the same file.
  func copy() -> FileReference {
    counter?.retain()
    return FileReference(coordinator, counter)
  }
}
