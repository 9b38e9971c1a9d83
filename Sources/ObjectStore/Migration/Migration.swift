// From the classes that a file was written with to those of the program: rows are written anew with what both have, then
// the program's block goes over them. All of it is one transaction.
import Foundation
import StorageEngine

/// Called with an object as it was and as it will be: nil where the file did not, or the program does not, have the class.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// An object by the names of its properties, since its class may be another one today.
public final class MigrationObject {
  fileprivate let names: [String]
  fileprivate let read: (String) -> ColumnValue?
  fileprivate let write: ((String, Any?) -> Void)?
  fileprivate let key: RowKey
  fileprivate let className: String

  fileprivate init(
    _ className: String, _ key: RowKey, _ names: [String],
    read: @escaping (String) -> ColumnValue?, write: ((String, Any?) -> Void)?
  ) {
    self.className = className
    self.key = key
    self.names = names
    self.read = read
    self.write = write
  }

  /// A property's value; nil for null. Misuse where there is no such property, or an old object is changed.
  public subscript(name: String) -> Any? {
    get {
      guard let value = read(name) else {
        Misuse.report(.invalidValue, "\(className) has no property '\(name)'.")
        return nil
      }
      return value.anyValue
    }
    set {
      guard let write else {
        Misuse.report(.invalidValue, "Old objects of a migration do not change.")
        return
      }
      write(name, newValue)
    }
  }
}

extension MigrationObject: CustomStringConvertible {
  public var description: String {
    let lines = names.map { "  \($0) = \(read($0)?.anyValue.map { "\($0)" } ?? "nil");" }
    return "\(className) {\n\(lines.joined(separator: "\n"))\n}"
  }
}

/// What a migration block is given.
public final class Migration {
  private let migrating: MigrationRunner

  fileprivate init(_ migrating: MigrationRunner) { self.migrating = migrating }

  /// Goes through the objects that the file had of a class.
  public func enumerateObjects(ofType name: String, _ block: MigrationObjectEnumerateBlock) {
    migrating.reporting {
      for (old, key) in try migrating.oldRows(name) {
        block(migrating.oldObject(name, key, old), try migrating.newObject(name, key))
      }
    }
  }

  /// Makes an object of a class of the program.
  @discardableResult
  public func create(_ name: String, value: Any = [String: Any]()) -> MigrationObject? {
    migrating.reporting { try migrating.create(name, value) } ?? nil
  }

  /// Deletes an object that `enumerateObjects` gave as the new one.
  public func delete(_ object: MigrationObject) {
    migrating.reporting { try migrating.delete(object) }
  }

  /// Deletes all objects of a class; answers whether the file had it.
  @discardableResult
  public func deleteData(forType name: String) -> Bool {
    migrating.reporting { try migrating.deleteAll(name) } ?? false
  }

  /// Gives the property `new` of all objects what the property `old` had.
  public func renameProperty(onType name: String, from old: String, to new: String) {
    enumerateObjects(ofType: name) { before, after in after?[new] = before?[old] }
  }
}

/// The work itself.
final class MigrationRunner {
  private let instance: OpenRealm
  private let before: Snapshot
  private let schemas: [ObjectSchema]
  private let stored: [String: StoredClass]
  /// Where rows are now whose key is another one than before.
  private var moved: [String: [RowKey: RowKey]] = [:]

  init(_ instance: OpenRealm, _ before: Snapshot, _ schemas: [ObjectSchema]) throws {
    self.instance = instance
    self.before = before
    self.schemas = schemas
    stored = Dictionary(uniqueKeysWithValues: try instance.storedClasses().map { ($0.name, $0) })
  }

  func run(_ configuration: Realm.Configuration, from old: UInt64) throws {
    for schema in schemas { try convert(schema) }
    configuration.migrationBlock?(Migration(self), old)
  }

  func reporting<Result>(_ body: () throws -> Result) -> Result? {
    do { return try body() } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)"))
      return nil
    }
  }

  private var transaction: WriteTransaction {
    guard let writing = instance.writing else {
      preconditionFailure("A migration is within its transaction from beginning to end.")
    }
    return writing
  }

  // MARK: Rows

  private func convert(_ schema: ObjectSchema) throws {
    guard let old = stored[schema.name] else {
      let info = try OpenRealm.make(schema, StoredClass(schema), transaction)
      instance.know(info, as: schema.type)
      return
    }
    guard !old.agrees(with: schema) else { return }
    let hasOtherKey = old.primaryKey != StoredClass(schema).primaryKey
    let new = StoredClass(schema, generation: old.generation + (hasOtherKey ? 1 : 0))
    let rows = try oldRows(schema.name)
    _ = try instance.clear(old, transaction)
    let info = try OpenRealm.make(schema, new, transaction)
    instance.know(info, as: schema.type)
    for (values, key) in rows {
      let row = try Self.converted(values, old, schema)
      var newKey = key
      if hasOtherKey {
        if let primary = schema.primaryKey {
          newKey = try info.rowKey(row[primary.index])
        } else {
          newKey = .int(try instance.nextRowNumber(info, transaction))
        }
        guard try instance.values(info, newKey) == nil else {
          throw Realm.Error(
            .duplicatePrimaryKey,
            "Two objects of \(schema.name) would have the same primary key after the migration.",
            file: instance.file.url)
        }
        moved[schema.name, default: [:]][key] = newKey
      }
      try instance.put(info, newKey, row, transaction)
    }
  }

  /// What both have, and what a fresh object has for the rest.
  private static func converted(
    _ values: [ColumnValue], _ old: StoredClass, _ schema: ObjectSchema
  ) throws -> [ColumnValue] {
    var row = schema.type.init().unmanagedValues()
    for column in schema.columns {
      guard
        let index = old.columns.firstIndex(where: {
          $0.name == column.name && $0.kind == column.kind.rawValue
        }), values[index] != .null || column.isOptional
      else { continue }
      row[column.index] = values[index]
    }
    return row
  }

  /// The rows that the file had of a class, by column of the stored class.
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

  /// nil where the program has no such class, or the object was deleted.
  func newObject(_ name: String, _ oldKey: RowKey) throws -> MigrationObject? {
    let key = moved[name]?[oldKey] ?? oldKey
    guard let info = classInfo(name), try instance.values(info, key) != nil else { return nil }
    return object(info, key)
  }

  private func classInfo(_ name: String) -> ClassInfo? {
    schemas.first { $0.name == name }.flatMap { instance.bind($0.type) }
  }

  private func object(_ info: ClassInfo, _ key: RowKey) -> MigrationObject {
    let schema = info.schema
    let row = ManagedRow(instance, info, key)
    return MigrationObject(
      schema.name, key, schema.columns.map(\.name),
      read: { name in schema.column(name).map { row.value($0.index) } },
      write: { name, value in
        do throws(Realm.Error) {
          var given = [ColumnValue?](repeating: nil, count: schema.columns.count)
          try InitialValues.take([name: value as Any], &given, schema)
          for (column, value) in given.enumerated() {
            if let value { row.write(column: column, value) }
          }
        } catch { Misuse.report(error) }
      })
  }

  func create(_ name: String, _ value: Any) throws -> MigrationObject? {
    guard let info = classInfo(name) else {
      throw Realm.Error(.classNotManaged, "The program has no class \(name).")
    }
    var given = [ColumnValue?](repeating: nil, count: info.schema.columns.count)
    try InitialValues.take(value, &given, info.schema)
    let fresh = info.schema.type.init()
    return object(info, try instance.store(&given, fresh, info, .error, transaction))
  }

  func delete(_ object: MigrationObject) throws {
    guard let info = classInfo(object.className), object.write != nil else {
      throw Realm.Error(.invalidValue, "Only new objects of a migration can be deleted.")
    }
    _ = try instance.delete(info, object.key, transaction)
    instance.stamp += 1
  }

  func deleteAll(_ name: String) throws -> Bool {
    let now = try instance.storedClasses().first { $0.name == name }
    guard let now else { return false }
    _ = try instance.clear(now, transaction)
    instance.stamp += 1
    return true
  }
}
