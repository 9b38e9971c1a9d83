// Rows of bytes kept as objects: what an adapter needs to drive this API with the workloads that engines are given. Each
// row is an object of two properties, each snapshot a live instance, each change an object that is made or deleted.
import Foundation
package import StorageEngine

/// A row. Tables are classes, so there is a class for each; the file knows it by the table's name.
class RowObject: Object {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var value: Data
}

private final class RowObject0: RowObject {}
private final class RowObject1: RowObject {}
private final class RowObject2: RowObject {}
private final class RowObject3: RowObject {}
private final class RowObject4: RowObject {}
private final class RowObject5: RowObject {}
private final class RowObject6: RowObject {}
private final class RowObject7: RowObject {}

/// A class of rows, and what takes its type itself: `Results` are of the type that is written.
private struct RowClass: Sendable {
  let type: RowObject.Type
  /// Has the function called when a live realm has moved and something in the class changed.
  let observe: @Sendable (Realm, @escaping () -> Void) -> NotificationToken

  init<Row: RowObject>(_ type: Row.Type) {
    self.type = type
    observe = { realm, called in
      realm.objects(Row.self).observe { if case .update = $0 { called() } }
    }
  }
}

/// Tables of rows in a database that somebody else has opened, and closes when all of this is gone.
package final class RowObjects: @unchecked Sendable {
  private static let classes = [
    RowClass(RowObject0.self), RowClass(RowObject1.self), RowClass(RowObject2.self),
    RowClass(RowObject3.self), RowClass(RowObject4.self), RowClass(RowObject5.self),
    RowClass(RowObject6.self), RowClass(RowObject7.self),
  ]
  package static let mostTables = classes.count

  private let file: RealmCoordinator
  let types: [RowObject.Type]
  /// How instances are opened that belong to a place.
  let configuration: Realm.Configuration

  /// `name` is what the file is called. Error `unsupported` for more tables than there are classes. Tables that are
  /// missing are made in one commit.
  package init(_ database: Database, name: String, tables: [String]) throws(StorageError) {
    guard tables.count <= Self.mostTables else {
      throw StorageError(
        .unsupported,
        "\(tables.count) tables: as objects there are at most \(Self.mostTables), a class for each."
      )
    }
    types = Self.classes.prefix(tables.count).map(\.type)
    var names: [ObjectIdentifier: ObjectSchema] = [:]
    for (type, name) in zip(types, tables) {
      names[ObjectIdentifier(type)] = ObjectSchema(ObjectSchema.of(type), named: name)
    }
    file = RealmCoordinator(
      database, url: nil, OpenMode(readOnly: false, encryptionKey: nil), nil, names: names)
    configuration = Realm.Configuration(inMemoryIdentifier: name, objectTypes: types)
    try makeTables(tables)
  }

  private func makeTables(_ tables: [String]) throws(StorageError) {
    let snapshot = try file.database.beginSnapshot(label: "opening tables")
    let isComplete = tables.allSatisfy { snapshot.table($0) != nil }
    snapshot.end()
    guard !isComplete else { return }
    let instance = try writing()
    for type in types { _ = try noMisuse { instance.bind(type) } }
    try noMisuse { try instance.commitWrite() }
    instance.invalidate()
  }

  private func instance(_ label: String) -> OpenRealm {
    OpenRealm(configuration, .anywhere, use(), label: label)
  }

  func token(
    _ realm: Realm, _ table: Int, _ called: @escaping () -> Void
  ) -> NotificationToken {
    Self.classes[table].observe(realm, called)
  }

  func use() -> FileReference { FileReference(borrowing: file) }

  private func writing() throws(StorageError) -> OpenRealm {
    let instance = instance("writer")
    try noMisuse { try instance.beginWrite() }
    return instance
  }

  /// A live instance, which sees the newest version from now on.
  package func beginReading(label: String) throws(StorageError) -> RowReader {
    let instance = instance(label)
    _ = try instance.snapshot()
    return RowReader(instance, types)
  }

  /// Waits for the one writer's place.
  package func beginWriting() throws(StorageError) -> RowWriter {
    RowWriter(try writing(), types)
  }
}

/// Somebody who holds a version of the rows. Used by one thread at a time.
package protocol RowReading: AnyObject, Sendable {
  /// What its pin is called.
  var label: String { get }
  func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool
  func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int
  func count(_ table: Int) throws(StorageError) -> Int
  func refresh() throws(StorageError)
  /// Again is nothing.
  func end()
}

/// A live or frozen instance as a reader of rows. Used by one thread at a time; may move between threads where the
/// instance may.
package final class RowReader: RowReading, @unchecked Sendable {
  let realm: Realm
  private let types: [RowObject.Type]

  init(_ instance: OpenRealm, _ types: [RowObject.Type]) {
    realm = Realm(instance)
    self.types = types
  }

  package var label: String { realm.instance.label }

  /// Error `closed` once it has ended: what would be read next would be of another version.
  func checkOpen() throws(StorageError) {
    guard realm.instance.reading == nil, realm.instance.writing == nil else { return }
    throw StorageError(.closed, "The snapshot has ended.")
  }

  package func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    guard let row = try find(table, key) else { return false }
    try noMisuse { () throws(Never) in row.value.withUnsafeBytes { body($0) } }
    return true
  }

  /// The object of that key; nil where there is none.
  func find(_ table: Int, _ key: Int64) throws(StorageError) -> RowObject? {
    try checkOpen()
    let type = types[table]
    return try noMisuse { () throws(Never) in
      realm.object(ofType: type, forPrimaryKey: Int(key))
    }
  }

  package func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try checkOpen()
    guard limit > 0 else { return 0 }
    let instance = realm.instance
    let type = types[table]
    guard let info = try noMisuse({ instance.bind(type) }) else { return 0 }
    var keys: [RowKey] = []
    try instance.scan(info.table, from: .int(key)) { found, _ in
      keys.append(found)
      return keys.count < limit
    }
    return try noMisuse { () throws(Never) in
      for key in keys {
        let row = instance.object(type, info, key)
        row.value.withUnsafeBytes { body(Int64(row.key), $0) }
      }
      return keys.count
    }
  }

  package func count(_ table: Int) throws(StorageError) -> Int {
    try checkOpen()
    let instance = realm.instance
    let type = types[table]
    guard let info = try noMisuse({ instance.bind(type) }) else { return 0 }
    return try instance.count(info.table)
  }

  package func refresh() throws(StorageError) {
    try checkOpen()
    _ = try realm.instance.refresh()
  }

  package func end() { realm.instance.invalidate() }
}

/// A write transaction of a live instance that holds nothing afterwards.
package final class RowWriter {
  private let realm: Realm
  private let types: [RowObject.Type]

  fileprivate init(_ instance: OpenRealm, _ types: [RowObject.Type]) {
    realm = Realm(instance)
    self.types = types
  }

  deinit { rollBack() }

  package func put(
    _ table: Int, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    let type = types[table]
    _ = try noMisuse { () throws(Never) in
      realm.create(type, value: ["key": Int(key), "value": Data(value)], update: .all)
    }
  }

  package func delete(_ table: Int, _ key: Int64) throws(StorageError) -> Bool {
    let type = types[table]
    return try noMisuse { () throws(Never) in
      guard let row = realm.object(ofType: type, forPrimaryKey: Int(key)) else { return false }
      realm.delete(row)
      return true
    }
  }

  package func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    let type = types[table]
    return try noMisuse { () throws(Never) in
      guard let row = realm.object(ofType: type, forPrimaryKey: Int(key)) else { return false }
      row.value.withUnsafeBytes { body($0) }
      return true
    }
  }

  package func commit() throws(StorageError) {
    defer { realm.instance.invalidate() }
    try noMisuse { try realm.instance.commitWrite() }
  }

  package func rollBack() {
    guard realm.instance.writing != nil else { return }
    realm.instance.cancelWrite()
    realm.instance.invalidate()
  }
}

/// Runs `body`; what it throws, and misuse in it, is the engine's error, or `failed` with the words.
func noMisuse<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
  let found = LockedValue<Realm.Error?>(nil)
  func storage(_ error: any Error) -> StorageError {
    (error as? Realm.Error)?.storage ?? StorageError(.failed, "\(error)")
  }
  let note: @Sendable (Realm.Error) -> Void = { error in
    found.withLock { if $0 == nil { $0 = error } }
  }
  let result: Result
  do { result = try Misuse.withHandler(note, operation: body) } catch {
    throw storage(error)
  }
  if let misused = found.withLock({ $0 }) { throw storage(misused) }
  return result
}
