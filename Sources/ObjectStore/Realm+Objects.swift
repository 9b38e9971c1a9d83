// Making, finding and deleting objects.
import Foundation
import StorageEngine

extension Realm {
  /// What `create` and `add` do where there is an object with the primary key.
  public enum UpdatePolicy: Int, Sendable {
    /// Misuse: primary keys are unique.
    case error = 1
    /// Only the properties that are given, and differ, are written.
    case modified = 3
    /// All properties are written: those that are not given get what a fresh object has.
    case all = 2
  }

  /// Makes an object from a dictionary by property, an array in the order of the properties, or another object.
  /// Properties that are not given have what a fresh object has.
  ///
  /// After misuse (outside of a transaction, a value of another type, a primary key that there is) the object is
  /// returned unmanaged.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    let fresh = type.init()
    guard let transaction = instance.transaction(for: "create objects"),
      let bound = instance.bind(type)
    else { return fresh }
    do {
      let given = try GivenValues(value, bound.schema)
      let row = try instance.store(given, fresh, bound, update, transaction)
      fresh.row = row
    } catch { Misuse.report(error) }
    return fresh
  }

  /// Adds an object, which is managed from here on. With a policy that updates, an object with the same primary key is
  /// changed, and `object` is a view of it.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    if let row = object.row {
      guard row.instance !== instance else { return }
      return Misuse.report(
        .invalidValue, "The object is in another realm already: use create(_:value:update:).",
        file: instance.file.url)
    }
    guard let transaction = instance.transaction(for: "add objects"),
      let bound = instance.bind(Swift.type(of: object))
    else { return }
    do {
      let given = GivenValues(all: object.unmanagedValues(bound.schema))
      let row = try instance.store(given, object, bound, update, transaction)
      object.row = row
    } catch { Misuse.report(error) }
  }

  public func add(_ objects: some Sequence<Object>, update: UpdatePolicy = .error) {
    for object in objects { add(object, update: update) }
  }

  /// All objects of a class.
  public func objects<T: Object>(_ type: T.Type) -> Results<T> { Results(instance) }

  /// The object with that primary key; nil where there is none. Misuse for a class without primary key, and for a key of
  /// another type.
  public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: Any?) -> T? {
    guard instance.check() else { return nil }
    guard let bound = instance.bind(type) else { return nil }
    let schema = bound.schema
    guard let primaryKey = schema.primaryKey, let wanted = ColumnValue(key, primaryKey.kind) else {
      Misuse.report(
        .invalidValue,
        schema.primaryKey == nil
          ? "\(schema.name) has no primary key."
          : "The primary key of \(schema.name) is not of the type of what was given.",
        file: instance.file.url)
      return nil
    }
    guard let row = try? bound.rowKey(wanted) else { return nil }
    var seen = SeenRecord()
    do throws(StorageError) {
      if instance.writing == nil { _ = try instance.snapshot() }
      let stamp = instance.stamp
      guard try instance.get(bound.table, row, { seen.take($0, stamp) }) else { return nil }
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
      return nil
    }
    let object = instance.object(type, bound, row)
    object.seen = seen
    return object
  }

  // MARK: Deleting

  public func delete(_ object: Object) {
    guard let row = object.row, row.instance === instance else {
      return Misuse.report(
        .invalidValue, "Can only delete an object from the realm that it is in.",
        file: instance.file.url)
    }
    guard let transaction = instance.transaction(for: "delete objects") else { return }
    guard row.isUsable else {
      return Misuse.report(
        .invalidated, "The object was invalidated with its realm.", file: instance.file.url)
    }
    let isThere = instance.changing { () throws(StorageError) in
      try instance.delete(row.bound, row.key, transaction)
    }
    if isThere == true { row.bound.changes.deleted += 1 }
  }

  public func delete(_ objects: some Sequence<Object>) {
    for object in Array(objects) { delete(object) }
  }

  public func delete<T: Object>(_ objects: Results<T>) {
    guard let transaction = instance.transaction(for: "delete objects"),
      let bound = instance.bind(T.self)
    else { return }
    let keys = objects.keys()
    let deleted = instance.changing { () throws(StorageError) in
      var deleted = 0
      for key in keys where try instance.delete(bound, key, transaction) { deleted += 1 }
      return deleted
    }
    bound.changes.deleted += deleted ?? 0
  }

  /// Deletes all objects of all classes that the file knows.
  public func deleteAll() {
    guard let transaction = instance.transaction(for: "delete objects") else { return }
    do {
      for stored in try instance.storedClasses() {
        try instance.withRealmErrors { () throws(StorageError) in
          let deleted = try instance.clear(stored, transaction)
          instance.noteDeleted(stored.name, deleted)
        }
      }
      instance.stamp += 1
    } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)"))
    }
  }
}

// MARK: What was given for an object

/// Values by column of the class; nil for those that were not given.
struct GivenValues {
  var values: [ColumnValue?]

  init(all values: [ColumnValue]) { self.values = values }

  /// Error `invalidValue`: a property that there is not, or a value that it cannot have.
  init(_ value: Any, _ schema: ClassSchema) throws(Realm.Error) {
    values = Array(repeating: nil, count: schema.columns.count)
    switch value {
    case let named as [String: Any]:
      for (name, value) in named {
        guard let column = schema.column(name) else {
          throw Realm.Error(
            .invalidValue, "\(schema.name) has no persisted property '\(name)'.")
        }
        try set(column, value, schema)
      }
    case let object as Object:
      let other = ClassSchema.of(type(of: object))
      for column in schema.columns {
        guard let own = other.column(column.name) else { continue }
        try set(column, object.value(of: own).anyValue, schema)
      }
    case let ordered as [Any]:
      guard ordered.count <= schema.columns.count else {
        throw Realm.Error(
          .invalidValue,
          "\(schema.name) has \(schema.columns.count) properties; \(ordered.count) values were given."
        )
      }
      for (column, value) in zip(schema.columns, ordered) { try set(column, value, schema) }
    default:
      throw Realm.Error(
        .invalidValue,
        "An object of \(schema.name) is made from a dictionary, an array or an object, not from a "
          + "\(type(of: value)).")
    }
  }

  private mutating func set(
    _ column: Column, _ value: Any?, _ schema: ClassSchema
  ) throws(Realm.Error) {
    if let found = ColumnValue(value, column.kind), found != .null {
      values[column.index] = found
      return
    }
    var given = value
    // An optional within an Any.
    if let value, Mirror(reflecting: value).displayStyle == .optional {
      given = Mirror(reflecting: value).children.first?.value
    }
    guard let found = ColumnValue(given, column.kind), found != .null || column.isOptional else {
      throw Realm.Error(
        .invalidValue,
        "Invalid value '\(given.map { "\($0)" } ?? "nil")' for property '\(schema.name).\(column.name)': "
          + "it has the type \(column.kind)\(column.isOptional ? "?" : "").")
    }
    values[column.index] = found
  }
}

extension RealmInstance {
  /// The object that shows a row.
  func object<T: Object>(_ type: T.Type, _ bound: BoundClass, _ key: RowKey) -> T {
    let object = type.init()
    object.row = ManagedRow(self, bound, key)
    return object
  }

  /// Writes what was given as a row; what was not given is taken from `fresh`, or from the row that there is.
  func store(
    _ given: GivenValues, _ fresh: Object, _ bound: BoundClass, _ policy: Realm.UpdatePolicy,
    _ transaction: WriteTransaction
  ) throws(Realm.Error) -> ManagedRow {
    var values = given.values
    var old: [ColumnValue]?
    var key: RowKey?
    if let primary = bound.schema.primaryKey {
      let wanted = values[primary.index] ?? fresh.unmanagedValues(bound.schema)[primary.index]
      values[primary.index] = wanted
      let row = try bound.rowKey(wanted)
      key = row
      let isThere = try withRealmErrors { () throws(StorageError) in
        guard policy != .error else { return try get(bound.table, row) { _ in } }
        old = try self.values(bound, row)
        return old != nil
      }
      if isThere, policy == .error {
        throw Realm.Error(
          .duplicatePrimaryKey,
          "Attempting to create an object of type '\(bound.schema.name)' with an existing primary key "
            + "value '\(wanted.anyValue.map { "\($0)" } ?? "nil")'.", file: file.url)
      }
    }
    if values.contains(where: { if case nil = $0 { true } else { false } }) {
      let rest =
        policy == .modified
        ? old ?? fresh.unmanagedValues(bound.schema) : fresh.unmanagedValues(bound.schema)
      for index in values.indices where values[index] == nil { values[index] = rest[index] }
    }
    let whole = values.compactMap(\.self)
    if policy == .modified, let old, old == whole, let key { return ManagedRow(self, bound, key) }
    let written = changing { () throws(StorageError) in
      let row = if let key { key } else { RowKey.int(try takeRowNumber(bound, transaction)) }
      try put(bound, row, whole, transaction)
      return row
    }
    guard let written else {
      throw Realm.Error(.fail, "The object was not written.", file: file.url)
    }
    if old == nil {
      bound.changes.created += 1
    } else {
      bound.changes.updated += 1
    }
    return ManagedRow(self, bound, written)
  }

  /// The classes that the file knows, in the order of their names.
  func storedClasses() throws -> [StoredClass] {
    let meta: Table?
    if let writing {
      meta = try writing.table(SchemaTable.name, .bytes)
    } else {
      meta = try snapshot().table(SchemaTable.name)
    }
    guard let meta else { return [] }
    var rows: [Data] = []
    try scan(meta, from: .bytes(SchemaTable.classPrefix)) { key, value in
      guard case .bytes(let key) = key, key.starts(with: SchemaTable.classPrefix) else {
        return false
      }
      rows.append(Data(value))
      return true
    }
    return try rows.map { try JSONDecoder().decode(StoredClass.self, from: $0) }
  }

  /// Deletes all rows of a class; answers how many there were.
  func clear(
    _ stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) -> Int {
    let indexes = stored.columns.filter(\.isIndexed).map {
      (stored.indexName($0.name), KeyKind.bytes)
    }
    var deleted = 0
    for (name, kind) in indexes + [(stored.tableName, stored.keyKind)] {
      let table = try transaction.table(name, kind)
      var keys: [RowKey] = []
      try scan(table) { key, _ in
        keys.append(key)
        return true
      }
      for key in keys { try transaction.delete(table, key) }
      deleted = keys.count
    }
    return deleted
  }

  func isEmpty() throws -> Bool {
    for stored in try storedClasses() {
      let table =
        if let writing {
          try writing.table(stored.tableName, stored.keyKind) as Table?
        } else {
          try snapshot().table(stored.tableName)
        }
      if let table, try count(table) > 0 { return false }
    }
    return true
  }
}
