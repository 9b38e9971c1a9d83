// The front door: the API of the Realm Swift SDK over this package's engine. Docs/ObjectStore.md says where the two
// differ, and why.
public import Dispatch
public import Foundation
import StorageEngine

/// A realm as one thread, queue or actor sees it. Opening the same file there again gives the same instance, as long as
/// somebody holds it, or an object or results of it.
public struct Realm {
  let instance: OpenRealm

  init(_ instance: OpenRealm) { self.instance = instance }

  /// Opens the default realm on the calling thread.
  public init() throws { try self.init(configuration: .defaultConfiguration) }

  /// Opens the file at `fileURL` on the calling thread.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a realm for the calling thread, or for a serial queue, of which the caller is then a block.
  ///
  /// Errors: `Realm.Error`. A file that was written with other classes needs a migration: `schemaMismatch`.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    let confinement = queue.map { Confinement.on($0) } ?? Confinement.here
    try self.init(configuration, confinement)
    guard confinement.isHere else { throw Self.openedElsewhere(confinement, configuration) }
  }

  init(_ configuration: Configuration, _ confinement: Confinement) throws {
    func open() throws -> OpenRealm {
      try Self.open(configuration, confinement, RealmCoordinator.use(configuration))
    }
    do { instance = try open() } catch {
      guard configuration.deleteRealmIfMigrationNeeded,
        Error.Failure.schemaMismatch ~= error
      else { throw error }
      // A realm in memory has gone with its opening.
      if configuration.fileURL != nil { try Self.deleteFiles(for: configuration) }
      instance = try open()
    }
  }

  /// Opens a realm of a file that somebody has open.
  init(_ configuration: Configuration, _ confinement: Confinement, using use: FileReference) throws
  {
    instance = try Self.open(configuration, confinement, use)
  }

  private static func open(
    _ configuration: Configuration, _ confinement: Confinement, _ use: FileReference
  ) throws -> OpenRealm {
    if let key = confinement.key, let known = use.file.instance(key),
      known.configuration.isInterchangeable(with: configuration)
    {
      return known
    }
    try SchemaUpdate.run(configuration, use.again())
    let instance = OpenRealm(configuration, confinement, use)
    if let key = confinement.key { use.file.note(instance, key) }
    return instance
  }

  private static func openedElsewhere(
    _ confinement: Confinement, _ configuration: Configuration
  ) -> Realm.Error {
    Realm.Error(
      .incorrectThread, "A realm for \(confinement.name) is opened in one of its blocks.",
      file: configuration.fileURL)
  }

  /// Lets realms without `objectTypes` know these classes when they are opened. (Elsewhere the classes of a program are
  /// found by the runtime of Objective-C. Without it a class is known from its registration, or from its first use on.)
  public static func register(_ types: [ObjectBase.Type]) {
    RegisteredClasses.add(types)
  }

  /// The configuration it was opened with.
  public var configuration: Configuration { instance.configuration }

  // MARK: Writing

  public var isInWriteTransaction: Bool { instance.writing != nil }

  /// Runs `block` in a write transaction, which is committed when it returns and cancelled when it throws. Waits for the
  /// writer's place, of which there is one for all processes.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try instance.beginWrite()
    let result: Result
    do { result = try block() } catch {
      if instance.writing != nil { instance.cancelWrite() }
      throw error
    }
    // The block may have ended the transaction itself.
    if instance.writing != nil { try instance.commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Misuse where the transaction cannot begin, as within another; an error of the file is misuse too, for this cannot
  /// throw.
  public func beginWrite() {
    do { try instance.beginWrite() } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)"))
    }
  }

  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try instance.commitWrite(withoutNotifying: tokens)
  }

  /// Undoes what the transaction did. Misuse outside of one.
  public func cancelWrite() {
    guard instance.check() else { return }
    guard instance.writing != nil else {
      return Misuse.report(
        .wrongTransactionState, "There is no write transaction that could be cancelled.",
        file: instance.file.url)
    }
    instance.cancelWrite()
  }

  // MARK: Versions

  /// Moves to the newest version; answers whether there was one. It is what a turn of the run loop begins with, where
  /// `autorefresh` is set.
  @discardableResult
  public func refresh() -> Bool {
    guard instance.check() else { return false }
    do {
      let moved = try instance.refresh()
      instance.deliverInitial()
      return moved
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
      return false
    }
  }

  /// Whether the instance moves on by itself, when a commit in this process was made and its place comes to its turn: a
  /// turn of the main or another thread's run loop, a block of its queue, a task of its actor.
  public var autorefresh: Bool {
    get { instance.autorefresh }
    nonmutating set { if instance.check() { instance.autorefresh = newValue } }
  }

  /// Ends the read transaction: all objects and results of the instance are of no use from here on, and the version that
  /// they were of is kept for it no longer. What is read next is read in the newest version.
  public func invalidate() {
    guard instance.check() else { return }
    guard !isFrozen else {
      return Misuse.report(
        .frozen, "A frozen realm is let go, not invalidated: others may read it.",
        file: instance.file.url)
    }
    instance.invalidate()
  }

  public var isFrozen: Bool { instance.isFrozen }

  /// Whether there are no objects.
  public var isEmpty: Bool {
    guard instance.check() else { return true }
    return (try? instance.isEmpty()) ?? true
  }

  /// Called when the instance has moved to another version, until the token goes.
  public func observe(
    _ block: @escaping (_ notification: RealmNotification, _ realm: Realm) -> Void
  ) -> NotificationToken {
    instance.observe(WholeRealmObserver(block))
  }
}

extension Realm: Equatable {
  public static func == (a: Realm, b: Realm) -> Bool { a.instance === b.instance }
}

/// The classes of realms that name none.
enum RegisteredClasses {
  private static let types = LockedValue<[Object.Type]>([])

  static func add(_ more: [Object.Type]) {
    types.withLock { known in
      for type in more where !known.contains(where: { $0 == type }) { known.append(type) }
    }
  }

  static var all: [Object.Type] { types.withLock { $0 } }
}
