// Finding and deleting objects.
import Foundation
import StorageEngine

extension Realm {
  /// All objects of a class.
  public func objects<T: Object>(_ type: T.Type) -> Results<T> { Results(instance) }

  /// The object with that primary key; nil where there is none. Misuse for a class without primary key, and for a key of
  /// another type.
  @inlinable
  public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: some PersistedValue) -> T? {
    find(type, key.columnValue).map { unsafeDowncast($0, to: T.self) }
  }

  public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: Any?) -> T? {
    guard instance.check(), let info = instance.bind(type) else { return nil }
    guard let primaryKey = info.schema.primaryKey, let wanted = ColumnValue(key, primaryKey.kind)
    else {
      noKey(info.schema)
      return nil
    }
    return find(type, wanted).map { unsafeDowncast($0, to: T.self) }
  }

  private func noKey(_ schema: ObjectSchema) {
    Misuse.report(
      .invalidValue,
      schema.primaryKey == nil
        ? "\(schema.name) has no primary key."
        : "The primary key of \(schema.name) is not of the type of what was given.",
      file: instance.file.url)
  }

  @usableFromInline
  func find(_ type: Object.Type, _ wanted: ColumnValue) -> Object? {
    guard instance.check(), let info = instance.bind(type) else { return nil }
    if info.hasIntegerKey, case .int(let number) = wanted {
      return find(type, info, .int(number))
    }
    guard let kind = info.schema.primaryKey?.kind, let key = wanted.cast(to: kind) else {
      noKey(info.schema)
      return nil
    }
    guard let row = try? info.rowKey(key) else { return nil }
    return find(type, info, row)
  }

  @inline(__always)
  private func find(_ type: Object.Type, _ info: ClassInfo, _ key: RowKey) -> Object? {
    do throws(StorageError) {
      var seen = CachedRow()
      guard try instance.get(info.table, key, { seen = CachedRow($0, instance) }) else {
        return nil
      }
      let object = type.init()
      object.manage(instance, info, key)
      object.note(seen)
      return object
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
      return nil
    }
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
    let isThere = instance.performChange { () throws(StorageError) in
      try instance.delete(row.info, row.key, transaction)
    }
    if isThere == true { row.info.changes.deleted += 1 }
  }

  public func delete(_ objects: some Sequence<Object>) {
    for object in Array(objects) { delete(object) }
  }

  public func delete<T: Object>(_ objects: Results<T>) {
    guard let transaction = instance.transaction(for: "delete objects"),
      let info = instance.bind(T.self)
    else { return }
    let keys = objects.keys()
    let deleted = instance.performChange { () throws(StorageError) in
      var deleted = 0
      for key in keys where try instance.delete(info, key, transaction) { deleted += 1 }
      return deleted
    }
    info.changes.deleted += deleted ?? 0
  }

  /// Deletes all objects of all classes that the file knows.
  public func deleteAll() {
    guard let transaction = instance.transaction(for: "delete objects") else { return }
    do {
      for stored in try instance.storedClasses() {
        try instance.mappingErrors { () throws(StorageError) in
          let deleted = try instance.clear(stored, transaction)
          instance.recordDeletions(stored.name, deleted)
        }
      }
      instance.stamp += 1
    } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)"))
    }
  }
}

extension OpenRealm {
  /// The object that shows a row.
  func object<T: Object>(_ type: T.Type, _ info: ClassInfo, _ key: RowKey) -> T {
    let object = type.init()
    object.manage(self, info, key)
    return object
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
