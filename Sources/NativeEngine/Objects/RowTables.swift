// The tables of a database as classes of row objects, and the ways to open realms of them.
import Dispatch
import Foundation
import MetricModel
import ObjectStore
import StorageEngine

/// Tables of rows in an open database.
struct RowTables: Sendable {
  private let classes: [RowClass]
  private let realms: DatabaseRealms
  /// The realm's name in labels.
  let name: String

  /// Creates tables that are missing in one commit. Error `unsupported`: more tables than there are classes.
  init(
    _ database: Database, name: String, tables: [String], shapes: [RowShape?] = [],
    migrations: Int = 0
  ) throws(StorageError) {
    let classes = try Self.classes(tables, shapes, migrations)
    self.classes = classes
    self.name = name
    realms = try throwingMisuse {
      try DatabaseRealms(
        database, name: name, classes: Self.named(classes, tables),
        schemaVersion: UInt64(migrations))
    }
  }

  /// Migrates the tables, none of which has a shape. `migrations` is the number of those before.
  static func migrate(
    _ database: Database, name: String, tables: [String], after migrations: Int,
    _ migration: RowMigration
  ) throws(StorageError) {
    let old = try classes(tables, [], migrations)
    let new = try classes(tables, [], migrations + 1)
    let names = zip(old, new).map { ($0.type.bytesName, $1.type.bytesName) }
    try throwingMisuse {
      try DatabaseRealms.migrate(
        database, name: name, to: named(new, tables), schemaVersion: UInt64(migrations + 1)
      ) { objects, _ in
        for (table, (before, after)) in zip(tables, names) {
          switch migration {
          case .name: objects.renameProperty(onType: table, from: before, to: after)
          case .values:
            objects.enumerateObjects(ofType: table) { old, new in
              let bytes = old?[before] as? Data ?? Data()
              new?[after] = Data(bytes.map { ~$0 })
            }
          }
        }
      }
    }
  }

  /// Returns why there are no classes for these tables; nil if there are.
  static func unsupportedReason(_ tables: [String], _ shapes: [RowShape?]) -> String? {
    do throws(StorageError) {
      _ = try classes(tables, shapes, 0)
      return nil
    } catch { return error.message }
  }

  /// A class for each table: for those with a shape, the one of the shape.
  private static func classes(
    _ tables: [String], _ shapes: [RowShape?], _ migrations: Int
  ) throws(StorageError) -> [RowClass] {
    var plain = (migrations.isMultiple(of: 2) ? RowClass.values : RowClass.contents)[...]
    var classes: [RowClass] = []
    for (index, table) in tables.enumerated() {
      let shape = index < shapes.count ? shapes[index] : nil
      guard let next = shape.map({ RowClass($0) }) ?? plain.popFirst() else {
        throw StorageError(
          .unsupported,
          "\(table): as objects there are at most \(RowClass.values.count) tables, a class for each, and "
            + "\(RowShape.maxObjectIndexes) indexed columns.")
      }
      guard next.ownName == nil || !classes.contains(where: { $0.ownName == next.ownName }) else {
        throw StorageError(
          .unsupported,
          "\(table): as objects there is one table of each shape, with a class of its own.")
      }
      classes.append(next)
    }
    return classes
  }

  /// The classes and those embedded in them, with their names in the file.
  private static func named(
    _ classes: [RowClass], _ tables: [String]
  ) -> [(type: ObjectBase.Type, name: String)] {
    zip(classes, tables).flatMap { row, table in
      [(row.type as ObjectBase.Type, row.ownName ?? table)]
        + row.embedded.map { ($0, String(describing: $0)) }
    }
  }

  func type(_ table: Int) -> RowObject.Type { classes[table].type }
  func rowClass(_ table: Int) -> RowClass { classes[table] }

  /// Opens a live realm, which reads the newest version from now on.
  func beginReading(label: String) throws(StorageError) -> RowReader {
    let realm = realms.unconfined(label)
    try realm.pinVersion()
    return RowReader(realm, self)
  }

  /// Waits for the write lock.
  func beginWriting() throws(StorageError) -> RowWriter {
    let realm = realms.unconfined("writer")
    try throwingMisuse { () throws(Never) in realm.beginWrite() }
    return RowWriter(realm, self)
  }

  /// Opens the queue's realm. It does not refresh by itself, as a realm on a thread without run loop does not: the client
  /// that holds it does.
  func open(for queue: DispatchQueue) throws(StorageError) -> RowReader {
    let realm = try throwingMisuse {
      let realm = try realms.realm(on: queue)
      realm.autorefresh = false
      return realm
    }
    try realm.pinVersion()
    return RowReader(realm, self)
  }

  /// Opens the realm of the caller's actor.
  func open<A: Actor>(for actor: isolated A) async throws -> RowReader {
    let realm = try await realms.realm(on: actor)
    realm.autorefresh = false
    try realm.pinVersion()
    return RowReader(realm, self)
  }

  /// Registers a function that is called when `realm` has moved and the table has changed.
  func observe(
    _ table: Int, _ realm: Realm, _ callback: @escaping () -> Void
  ) -> NotificationToken {
    classes[table].observe(realm, callback)
  }
}
