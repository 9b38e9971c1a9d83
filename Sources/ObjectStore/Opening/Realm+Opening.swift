// Opening an instance: on the caller's thread, or on a background thread for an actor.
import Dispatch
import StorageEngine
import SystemIO

extension Realm.Configuration: InstanceConfiguration {
  var realmName: String { fileURL?.lastPathComponent ?? inMemoryIdentifier ?? "" }

  /// Opens an instance, and the file if this process does not have it open. With `deleteRealmIfMigrationNeeded` a file that
  /// needs a migration is deleted.
  func open(_ confinement: Confinement) throws -> OpenRealm {
    try open(confinement, onCreation: { _ in })
  }

  /// The same; passes `onCreation` an instance that was not live before, while no other thread can have it.
  func open(
    _ confinement: Confinement, onCreation: (OpenRealm) -> Void
  ) throws -> OpenRealm {
    do { return try open(confinement, CoordinatorRegistry.reference(self), onCreation) } catch {
      guard deleteRealmIfMigrationNeeded, RealmError.Failure.schemaMismatch ~= error
      else { throw error }
      // A realm in memory was closed with the failed opening.
      if fileURL != nil { try Realm.deleteFiles(for: self) }
      return try open(confinement, CoordinatorRegistry.reference(self), onCreation)
    }
  }

  func open(_ confinement: Confinement, _ reference: FileReference) throws -> OpenRealm {
    try open(confinement, reference) { _ in }
  }

  /// Opens an instance of an open file: the live one of that confinement if there is one.
  func open(
    _ confinement: Confinement, _ reference: FileReference, _ onCreation: (OpenRealm) -> Void
  ) throws -> OpenRealm {
    func isInterchangeable(_ known: OpenRealm) -> Bool {
      (known.configuration as? Self)?.isInterchangeable(with: self) ?? false
    }
    let key = confinement.key
    if let key, let known = reference.coordinator.instance(key, where: isInterchangeable) {
      return known
    }
    try SchemaUpdate.run(self, reference.copy(), for: confinement)
    let instance = OpenRealm(self, confinement, reference)
    onCreation(instance)
    guard let key else { return instance }
    return reference.coordinator.add(instance, key, unless: isInterchangeable)
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
    instance = try await Self.openOnBackgroundThread {
      try configuration.open(confinement, onCreation: $0)
    }.take()
  }

  /// Opens a realm of an open file for an actor.
  init<A: Actor>(
    _ configuration: Configuration, on actor: A, _ reference: FileReference
  ) async throws {
    let confinement = Confinement.on(actor)
    instance = try await Self.openOnBackgroundThread {
      try configuration.open(confinement, reference, $0)
    }.take()
  }

  /// How long the asynchronous opening of this instance took; nil for any other.
  public var openingTimes: OpeningTimes? { instance.openingTimes }

  /// `open` passes its argument an instance that it creates. One that was live already belongs to its actor, and must not
  /// be changed here.
  private static func openOnBackgroundThread(
    _ open: @escaping @Sendable (_ onCreation: (OpenRealm) -> Void) throws -> OpenRealm
  ) async throws -> UnsafeTransfer<OpenRealm> {
    let began = Clock.monotonicNanoseconds()
    let free = LockedValue(UInt64(0))
    let opened: UnsafeTransfer<OpenRealm> = try await withCheckedThrowingContinuation {
      continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          with: Result {
            UnsafeTransfer(
              try open { instance in
                instance.openingTimes = OpeningTimes(
                  untilCallerIsFree: free.withLock { $0 },
                  untilReady: Clock.monotonicNanoseconds() &- began)
              })
          })
      }
      free.withLock { $0 = Clock.monotonicNanoseconds() &- began }
    }
    return opened
  }
}
