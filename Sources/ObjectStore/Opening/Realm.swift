// The front door: the API of the Realm Swift SDK over this package's storage engine. Docs/ObjectStore.md lists the
// differences, and why they exist.
public import Dispatch
public import Foundation
import StorageEngine

/// A realm as one thread, queue or actor sees it. Opening the same file there again returns the same instance, as long as
/// a reference to it, or to an object or results of it, exists.
///
/// ```swift
/// class Todo: Object {
///   @Persisted(primaryKey: true) var _id: ObjectId
///   @Persisted(indexed: true) var name: String
///   @Persisted var owner: String?
/// }
///
/// let realm = try Realm(fileURL: url)
/// try realm.write {
///   realm.create(Todo.self, value: ["name": "Pledge fealty", "owner": "Pippin"])
/// }
/// let owned = realm.objects(Todo.self).where { $0.owner == "Pippin" }
///
/// // The frozen collection stays in its version, which the engine retains until it is released.
/// let before = owned.freeze()
/// try realm.write { owned.first?.name = "Swear fealty" }
/// ```
public struct Realm {
  /// The errors of the store.
  public typealias Error = RealmError
  /// What `create` and `add` do if an object with the same primary key exists.
  public typealias UpdatePolicy = ObjectStore.UpdatePolicy

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

  /// Opens a realm for the calling thread, or for a serial queue if called in one of its blocks.
  ///
  /// Errors: `Realm.Error`, for example `schemaMismatch` for a file with other classes, which needs a migration.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    let confinement = queue.map { Confinement.on($0) } ?? Confinement.currentThread
    guard confinement.isCurrent else {
      throw Realm.Error(
        .incorrectThread, "A realm for \(confinement.name) is opened in one of its blocks.",
        file: configuration.fileURL)
    }
    try self.init(configuration, confinement)
  }

  init(_ configuration: Configuration, _ confinement: Confinement) throws {
    instance = try configuration.open(confinement)
  }

  /// Registers classes for realms without `objectTypes`, which check them when they are opened. (With Objective-C's runtime
  /// the classes of a program are found; without it a realm has a class from its registration, or its first use, on.)
  public static func register(_ types: [ObjectBase.Type]) {
    RegisteredClasses.add(types)
  }

  /// The configuration with which the realm was opened.
  public var configuration: Configuration {
    guard let configuration = instance.configuration as? Configuration else {
      preconditionFailure("A realm is opened with a configuration.")
    }
    return configuration
  }

  // MARK: Versions

  /// Moves to the newest version; returns whether there was one. With `autorefresh` each turn of the run loop begins with
  /// this.
  @discardableResult
  public func refresh() -> Bool {
    guard instance.check() else { return false }
    do {
      let moved = try instance.refresh()
      instance.deliverInitial()
      return moved
    } catch {
      Misuse.report(Realm.Error(error, file: instance.url))
      return false
    }
  }

  /// Whether the realm refreshes after commits of this process: in a turn of its thread's run loop, a block of its queue, or
  /// a task of its actor.
  public var autorefresh: Bool {
    get { instance.autorefresh }
    nonmutating set { if instance.check() { instance.autorefresh = newValue } }
  }

  /// Ends the read transaction and releases its version: all objects and results of the realm can no longer be used. The
  /// next read pins the newest version.
  public func invalidate() {
    guard instance.check() else { return }
    guard !isFrozen else {
      return Misuse.report(
        .frozen, "Release a frozen realm instead of invalidating it: others may read it.",
        file: instance.url)
    }
    instance.invalidate()
  }

  public var isFrozen: Bool { instance.isFrozen }

  /// Returns a realm of the version that is read now: readable on all threads, and pinned until the realm and all objects
  /// and results of it are released.
  public func freeze() -> Realm { Realm(instance.freeze()) }

  /// Returns the live realm of the calling thread.
  public func thaw() -> Realm { instance.thaw().map { Realm($0) } ?? self }

  /// Calls `block` whenever the realm has moved to another version, until the token is invalidated or released.
  public func observe(
    _ block: @escaping (_ notification: RealmNotification, _ realm: Realm) -> Void
  ) -> NotificationToken {
    instance.observe(WholeRealmObserver { block($0, Realm($1)) })
  }
}

extension Realm: Equatable {
  public static func == (a: Realm, b: Realm) -> Bool { a.instance === b.instance }
}

extension ObjectBase {
  /// The realm that manages the object; nil for an unmanaged or invalidated object.
  public var realm: Realm? { row.flatMap { $0.isUsable ? Realm($0.instance) : nil } }
}

extension Results {
  /// The realm of the collection; nil after it was invalidated.
  public var realm: Realm? { isInvalidated ? nil : Realm(instance) }
}

extension PersistedCollection {
  /// The realm of the collection; nil for an unmanaged or invalidated one.
  public var realm: Realm? { managed.flatMap { $0.row.isUsable ? Realm($0.instance) : nil } }
}
