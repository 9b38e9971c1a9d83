// The package's door to realms over a database that another module has opened: an adapter drives the engine under test
// through objects. Such realms have labels that the caller chooses, and may store classes under other names.
package import Dispatch
package import StorageEngine

/// Opens realms of a database that the caller has opened, and closes after the last of them is released.
package final class DatabaseRealms: Sendable {
  private let coordinator: RealmCoordinator
  private let configuration: Realm.Configuration

  /// `name` is the realm's name in labels, `classes` have the name that each class has in the file. Classes that the file
  /// does not have are created in one commit.
  package init(
    _ database: Database, name: String, classes: [(type: ObjectBase.Type, name: String)],
    schemaVersion: UInt64 = 0
  ) throws {
    coordinator = Self.coordinator(database, classes)
    configuration = Realm.Configuration(
      inMemoryIdentifier: name, schemaVersion: schemaVersion, objectTypes: classes.map(\.type))
    try createClasses(classes)
  }

  /// Migrates a database to these classes and a newer schema version. No realm of it may be in use.
  package static func migrate(
    _ database: Database, name: String, to classes: [(type: ObjectBase.Type, name: String)],
    schemaVersion: UInt64, _ block: @escaping MigrationBlock
  ) throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: name, schemaVersion: schemaVersion, migrationBlock: block,
      objectTypes: classes.map(\.type))
    try SchemaUpdate.run(
      configuration, FileReference(coordinator(database, classes), nil), for: .unconfined)
  }

  private static func coordinator(
    _ database: Database, _ classes: [(type: ObjectBase.Type, name: String)]
  ) -> RealmCoordinator {
    var renamed: [ObjectIdentifier: ObjectClass] = [:]
    for (type, name) in classes {
      renamed[ObjectIdentifier(type)] = ObjectClass(ObjectClass.of(type), renamedTo: name)
    }
    return RealmCoordinator(database, url: nil, nil, renamedClasses: renamed)
  }

  private func createClasses(_ classes: [(type: ObjectBase.Type, name: String)]) throws {
    let snapshot = try coordinator.database.beginSnapshot(label: "opening tables")
    let isComplete = classes.allSatisfy { snapshot.table($0.name) != nil }
    snapshot.end()
    guard !isComplete else { return }
    let instance = unconfined("writer").instance
    try instance.beginWrite()
    for (type, _) in classes { _ = instance.classInfo(for: type) }
    try instance.commitWrite()
    instance.invalidate()
  }

  package var database: Database { coordinator.database }

  private var reference: FileReference { FileReference(coordinator, nil) }

  /// Returns a live realm that may be used on any thread, by one at a time. `label` is that of its pin.
  package func unconfined(_ label: String) -> Realm {
    Realm(OpenRealm(configuration, .unconfined, reference, label: label))
  }

  /// Returns the queue's realm, opened if there is none; may be called outside of the queue's blocks.
  package func realm(on queue: DispatchQueue) throws -> Realm {
    Realm(try configuration.open(.on(queue), reference))
  }

  /// Returns the actor's realm, opened on a background thread if there is none.
  package func realm<A: Actor>(on actor: A) async throws -> Realm {
    try await Realm(configuration, on: actor, reference)
  }
}

extension Realm {
  /// The label of the realm's pin.
  package var pinLabel: String { instance.label }

  /// Whether the realm has pinned a version, or is in a write transaction.
  package var hasVersion: Bool { instance.reading != nil || instance.writing != nil }

  /// Pins the newest version if the realm has none.
  package func pinVersion() throws(StorageError) { _ = try instance.snapshot() }

  /// Returns a frozen realm with that label of its pin.
  package func freeze(label: String) -> Realm { Realm(instance.freeze(label: label)) }

  /// Returns the number of objects of a class, which may be a subclass of `T`.
  package func count<T: Object>(_ type: T.Type) throws(StorageError) -> Int {
    guard let info = instance.classInfo(for: type) else { return 0 }
    return try instance.count(info.table)
  }

  /// Calls `body` with at most `limit` objects from the integer primary key `first` on, in the order of their keys. `type`
  /// may be a subclass of `T`.
  package func scan<T: Object>(
    _ type: T.Type, from first: Int64, limit: Int, _ body: (T) -> Void
  ) throws(StorageError) -> Int {
    guard limit > 0, let info = instance.classInfo(for: type) else { return 0 }
    var keys: [RowKey] = []
    try instance.scan(info.table, from: .int(first)) { key, _ in
      keys.append(key)
      return keys.count < limit
    }
    for key in keys { body(instance.object(type, info, key)) }
    return keys.count
  }
}
