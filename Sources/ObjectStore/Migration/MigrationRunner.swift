// From the classes that a file was written with to those of the program: rows are rewritten with the columns that both
// have, then the program's block runs. All of it is one transaction.
import Foundation
import StorageEngine

/// Converts the rows of a file to the classes of the program, then calls the program's block.
final class MigrationRunner {
  private let instance: OpenRealm
  private let before: Snapshot
  private let classes: [ObjectClass]
  private let stored: [String: StoredClass]
  /// The new keys of rows whose key has changed, by class and old key.
  private var moved: [String: [RowKey: RowKey]] = [:]
  /// Whether `classes` are those that the program named; otherwise those that it has registered, which may not be all.
  private let hasAllClasses: Bool

  init(
    _ instance: OpenRealm, _ before: Snapshot, _ classes: [ObjectClass], hasAllClasses: Bool
  ) throws {
    self.instance = instance
    self.hasAllClasses = hasAllClasses
    self.before = before
    self.classes = classes
    stored = Dictionary(uniqueKeysWithValues: try instance.storedClasses().map { ($0.name, $0) })
  }

  func run(_ block: MigrationBlock?, from old: UInt64) throws {
    for objectClass in classes { try convert(objectClass) }
    block?(Migration(self), old)
    try checkNoUnknownClass()
  }

  /// Whether the file has a class that the program may have without having named it.
  func isUnknown(_ name: String) -> Bool {
    !hasAllClasses && stored[name] != nil && !classes.contains { $0.schema.name == name }
  }

  /// Error `schemaMismatch` if the file has a class that the migration neither knew nor deleted: under the new version it
  /// would never be migrated.
  private func checkNoUnknownClass() throws {
    let unknown = try instance.storedClasses().map(\.name).filter { isUnknown($0) }
    guard !unknown.isEmpty else { return }
    throw RealmError(
      .schemaMismatch,
      "The migration does not know these classes of the file: \(unknown.joined(separator: ", ")). List "
        + "them in Realm.Configuration.objectTypes, or register them with Realm.register(_:), before the "
        + "realm is opened. The data of a class that the program no longer has is deleted by "
        + "migration.deleteData(forType:). The file is unchanged.", file: instance.url)
  }

  func reporting<Result>(_ body: () throws -> Result) -> Result? {
    do { return try body() } catch {
      Misuse.report((error as? RealmError) ?? RealmError(.fail, "\(error)"))
      return nil
    }
  }

  private var transaction: WriteTransaction {
    guard let writing = instance.writing else {
      preconditionFailure("A migration runs within one transaction.")
    }
    return writing
  }

  // MARK: Rows

  private func convert(_ objectClass: ObjectClass) throws {
    let schema = objectClass.schema
    guard let old = stored[schema.name] else {
      instance.add(try OpenRealm.createClass(objectClass, transaction))
      return
    }
    guard !old.matches(schema) else { return }
    let hasOtherKey = old.primaryKey != StoredClass(schema).primaryKey
    let new = StoredClass(schema, generation: old.generation + (hasOtherKey ? 1 : 0))
    let rows = try oldRows(schema.name)
    _ = try instance.clear(old, transaction)
    let info = try OpenRealm.createClass(objectClass, new, transaction)
    instance.add(info)
    for (values, key) in rows {
      let row = try Self.convert(values, old, objectClass)
      var newKey = key
      if hasOtherKey {
        if let primary = schema.primaryKey {
          newKey = try info.rowKey(row[primary.index])
        } else {
          newKey = .int(try instance.nextRowNumber(info, transaction))
        }
        guard try instance.values(info, newKey) == nil else {
          throw RealmError(
            .duplicatePrimaryKey,
            "Two objects of \(schema.name) would have the same primary key after the migration.",
            file: instance.url)
        }
        moved[schema.name, default: [:]][key] = newKey
      }
      try instance.put(info, newKey, row, transaction)
    }
  }

  /// Returns the values that both classes have, and those of a new object for the other columns.
  private static func convert(
    _ values: [ColumnValue], _ old: StoredClass, _ objectClass: ObjectClass
  ) throws -> [ColumnValue] {
    var row = objectClass.type.init().unmanagedValues()
    for column in objectClass.schema.columns {
      guard
        let index = old.columns.firstIndex(where: {
          $0.name == column.name && $0.kind == column.kind.rawValue
        }), values[index] != .null || column.isOptional
      else { continue }
      row[column.index] = values[index]
    }
    return row
  }

  /// Returns the rows that the file had of a class, by column of the stored class.
  func oldRows(_ name: String) throws -> [(values: [ColumnValue], key: RowKey)] {
    guard let old = stored[name], let table = before.table(old.tableName) else { return [] }
    var rows: [(values: [ColumnValue], key: RowKey)] = []
    func add(_ key: RowKey, _ bytes: UnsafeRawBufferPointer) {
      guard let record = ObjectRecord(bytes) else { return }
      let values = old.columns.indices.map { index in
        ColumnKind(rawValue: old.columns[index].kind).flatMap { try? record.value(index, $0) }
          ?? .null
      }
      rows.append((values, key))
    }
    if table.keyKind == .int64 {
      _ = try before.scan(table) { add(.int($0), $1) }
    } else {
      let all = UnsafeRawBufferPointer(start: nil, count: 0)
      _ = try before.scan(table, from: all) { add(.bytes(Array($0)), $1) }
    }
    return rows
  }

  // MARK: Objects

  func oldObject(_ name: String, _ key: RowKey, _ values: [ColumnValue]) -> MigrationObject {
    let names = stored[name]?.columns.map(\.name) ?? []
    return MigrationObject(
      name, key, names, read: { name in names.firstIndex(of: name).map { values[$0] } }, write: nil)
  }

  /// Returns nil if the program has no such class, or the object was deleted.
  func newObject(_ name: String, _ oldKey: RowKey) throws -> MigrationObject? {
    let key = moved[name]?[oldKey] ?? oldKey
    guard let info = classInfo(name), try instance.values(info, key) != nil else { return nil }
    return object(info, key)
  }

  private func classInfo(_ name: String) -> ClassInfo? {
    classes.first { $0.schema.name == name }.flatMap { instance.classInfo(for: $0.type) }
  }

  private func object(_ info: ClassInfo, _ key: RowKey) -> MigrationObject {
    let schema = info.schema
    let row = ManagedRow(instance, info, key)
    return MigrationObject(
      schema.name, key, schema.columns.map(\.name),
      read: { name in schema.column(name).map { row.value($0.index) } },
      write: { name, value in
        do throws(RealmError) {
          var values = [ColumnValue?](repeating: nil, count: schema.columns.count)
          try InitialValues.read([name: value as Any], into: &values, of: schema)
          for (column, value) in values.enumerated() {
            if let value { row.write(column: column, value) }
          }
        } catch { Misuse.report(error) }
      })
  }

  func create(_ name: String, _ value: Any) throws -> MigrationObject? {
    guard let info = classInfo(name) else {
      throw RealmError(.classNotManaged, "The program has no class \(name).")
    }
    var values = [ColumnValue?](repeating: nil, count: info.schema.columns.count)
    try InitialValues.read(value, into: &values, of: info.schema)
    let fresh = info.objectClass.type.init()
    return object(info, try instance.store(&values, fresh, info, .error, transaction))
  }

  func delete(_ object: MigrationObject) throws {
    guard let info = classInfo(object.className), object.write != nil else {
      throw RealmError(.invalidValue, "Only new objects of a migration can be deleted.")
    }
    _ = try instance.delete(info, object.key, transaction)
    instance.stamp += 1
  }

  func deleteAll(_ name: String) throws -> Bool {
    let now = try instance.storedClasses().first { $0.name == name }
    guard let now else { return false }
    _ = try instance.clear(now, transaction)
    if !classes.contains(where: { $0.schema.name == name }) {
      try OpenRealm.removeDescription(name, transaction)
    }
    instance.stamp += 1
    return true
  }
}
