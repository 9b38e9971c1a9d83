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

/// Tables of rows in a database that somebody else has opened, and closes when all of this is gone.
package final class RowObjects: @unchecked Sendable {
  private static let classes: [RowObject.Type] = [
    RowObject0.self, RowObject1.self, RowObject2.self, RowObject3.self, RowObject4.self,
    RowObject5.self, RowObject6.self, RowObject7.self,
  ]
  package static let mostTables = classes.count

  private let file: SharedFile
  private let names: [ObjectIdentifier: ClassSchema]
  fileprivate let types: [RowObject.Type]

  /// Error `unsupported` for more tables than there are classes. Tables that are missing are made in one commit.
  package init(_ database: Database, tables: [String]) throws(StorageError) {
    guard tables.count <= Self.mostTables else {
      throw StorageError(
        .unsupported,
        "\(tables.count) tables: as objects there are at most \(Self.mostTables), a class for each."
      )
    }
    types = Array(Self.classes.prefix(tables.count))
    var names: [ObjectIdentifier: ClassSchema] = [:]
    for (type, name) in zip(types, tables) {
      names[ObjectIdentifier(type)] = ClassSchema(ClassSchema.of(type), named: name)
    }
    self.names = names
    file = SharedFile(
      database, url: nil, OpeningFacts(readOnly: false, encryptionKey: nil), nil)
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

  private func instance(_ label: String) -> RealmInstance {
    RealmInstance(
      Realm.Configuration(inMemoryIdentifier: "rows"), .anywhere, FileUse(borrowing: file),
      label: label, names: names)
  }

  private func writing() throws(StorageError) -> RealmInstance {
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

/// A live instance as a reader of rows. Used by one thread at a time; may move between threads.
package final class RowReader: @unchecked Sendable {
  fileprivate let realm: Realm
  private let types: [RowObject.Type]

  fileprivate init(_ instance: RealmInstance, _ types: [RowObject.Type]) {
    realm = Realm(instance)
    self.types = types
  }

  /// Error `closed` once it has ended: what would be read next would be of another version.
  private func checkOpen() throws(StorageError) {
    guard realm.instance.reading == nil, realm.instance.writing == nil else { return }
    throw StorageError(.closed, "The snapshot has ended.")
  }

  package func read(
    _ table: Int, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Bool {
    try checkOpen()
    let type = types[table]
    return try noMisuse { () throws(Never) in
      guard let row = realm.object(ofType: type, forPrimaryKey: Int(key)) else { return false }
      row.value.withUnsafeBytes { body($0) }
      return true
    }
  }

  package func scan(
    _ table: Int, from key: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    try checkOpen()
    guard limit > 0 else { return 0 }
    let instance = realm.instance
    let type = types[table]
    guard let bound = try noMisuse({ instance.bind(type) }) else { return 0 }
    var keys: [RowKey] = []
    try instance.scan(bound.table, from: .int(key)) { found, _ in
      keys.append(found)
      return keys.count < limit
    }
    return try noMisuse { () throws(Never) in
      for key in keys {
        let row = instance.object(type, bound, key)
        row.value.withUnsafeBytes { body(Int64(row.key), $0) }
      }
      return keys.count
    }
  }

  package func count(_ table: Int) throws(StorageError) -> Int {
    try checkOpen()
    let instance = realm.instance
    let type = types[table]
    guard let bound = try noMisuse({ instance.bind(type) }) else { return 0 }
    return try instance.count(bound.table)
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

  fileprivate init(_ instance: RealmInstance, _ types: [RowObject.Type]) {
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
private func noMisuse<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
  let found = Guarded<Realm.Error?>(nil)
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
