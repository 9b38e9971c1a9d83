// Opening an instance: on the caller's thread, or on a background thread for an actor.
import Dispatch
import StorageEngine
import SystemIO

extension Realm.Configuration: InstanceConfiguration {
  var realmName: String { fileURL?.lastPathComponent ?? inMemoryIdentifier ?? "" }

  /// Opens an instance, and the file if this process does not have it open. With `deleteRealmIfMigrationNeeded` a file that
  /// needs a migration is deleted.
  func open(_ confinement: Confinement) throws -> OpenRealm {
    do { return try open(confinement, CoordinatorRegistry.reference(self)) } catch {
      guard deleteRealmIfMigrationNeeded, RealmError.Failure.schemaMismatch ~= error
      else { throw error }
      // A realm in memory was closed with the failed opening.
      if fileURL != nil { try Realm.deleteFiles(for: self) }
      return try open(confinement, CoordinatorRegistry.reference(self))
    }
  }

  /// Opens an instance of an open file: the live one of that confinement if there is one.
  func open(_ confinement: Confinement, _ reference: FileReference) throws -> OpenRealm {
    if let key = confinement.key, let known = reference.coordinator.instance(key),
      let configuration = known.configuration as? Self, configuration.isInterchangeable(with: self)
    {
      return known
    }
    try SchemaUpdate.run(self, reference.copy())
    let instance = OpenRealm(self, confinement, reference)
    if let key = confinement.key { reference.coordinator.add(instance, key) }
    return instance
  }
}

extension Realm {
  /// Opens the realm for the main actor.
  @MainActor
  public init(configuration: Configuration = .defaultConfiguration) async throws {
    try await self.init(configuration: configuration, actor: MainActor.shared)
  }

  /// Opens the realm for the caller's actor, local or global, without blocking its thread: the file is opened, and
  /// compacted if the configuration asks for it, on a background thread.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: A
  ) async throws {
    let confinement = Confinement.on(actor)
    instance = try await Self.openOnBackgroundThread { try configuration.open(confinement) }.take()
  }

  /// Opens a realm of an open file for an actor.
  init<A: Actor>(
    _ configuration: Configuration, on actor: A, _ reference: FileReference
  ) async throws {
    let confinement = Confinement.on(actor)
    instance = try await Self.openOnBackgroundThread {
      try configuration.open(confinement, reference)
    }.take()
  }

  /// How long the asynchronous opening of this instance took; nil for any other.
  public var openingTimes: OpeningTimes? { instance.openingTimes }

  private static func openOnBackgroundThread(
    _ open: @escaping @Sendable () throws -> OpenRealm
  ) async throws -> UnsafeTransfer<OpenRealm> {
    let began = Clock.monotonicNanoseconds()
    let free = LockedValue(UInt64(0))
    let opened: UnsafeTransfer<OpenRealm> = try await withCheckedThrowingContinuation {
      continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          with: Result {
            let instance = try open()
            let ready = Clock.monotonicNanoseconds()
            instance.openingTimes = OpeningTimes(
              untilCallerIsFree: free.withLock { $0 }, untilReady: ready &- began)
            return UnsafeTransfer(instance)
          })
      }
      free.withLock { $0 = Clock.monotonicNanoseconds() &- began }
    }
    return opened
  }
}
