// Finding and deleting objects, and the classes that the file has.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Returns a new object that is a view of a row.
  func object<T: ObjectBase>(_ type: T.Type, _ info: ClassInfo, _ key: RowKey) -> T {
    let object = type.init()
    object.manage(self, info, key)
    return object
  }

  // MARK: Finding

  /// Returns the object with that primary key; nil if there is none. Reports misuse for a class without primary key, and for
  /// a key of another type.
  func find(_ type: ObjectBase.Type, _ wanted: ColumnValue) -> ObjectBase? {
    guard check(), let info = classInfo(for: type) else { return nil }
    if info.hasIntegerKey, case .int(let number) = wanted {
      return find(type, info, .int(number))
    }
    guard let kind = info.schema.primaryKey?.kind, let key = wanted.cast(to: kind) else {
      reportWrongKey(info.schema)
      return nil
    }
    guard let row = try? info.rowKey(key) else { return nil }
    return find(type, info, row)
  }

  /// The same for a key of any type.
  func find(_ type: ObjectBase.Type, anyKey key: Any?) -> ObjectBase? {
    guard check(), let info = classInfo(for: type) else { return nil }
    guard let primaryKey = info.schema.primaryKey, let wanted = ColumnValue(key, primaryKey.kind)
    else {
      reportWrongKey(info.schema)
      return nil
    }
    return find(type, wanted)
  }

  /// Returns the object that a link leads to, with its row: that is mostly what is read next.
  func find(_ type: ObjectBase.Type, linkedBy key: RowKey) -> ObjectBase? {
    classInfo(for: type).flatMap { find(type, $0, key) }
  }

  @inline(__always)
  private func find(_ type: ObjectBase.Type, _ info: ClassInfo, _ key: RowKey) -> ObjectBase? {
    do throws(StorageError) {
      var row = CachedRow()
      guard try get(info.table, key, { row = CachedRow($0, self) }) else { return nil }
      let object = type.init()
      object.manage(self, info, key)
      object.cache(row)
      return object
    } catch {
      Misuse.report(RealmError(error, file: url))
      return nil
    }
  }

  private func reportWrongKey(_ schema: ObjectSchema) {
    Misuse.report(
      .invalidValue,
      schema.primaryKey == nil
        ? "\(schema.name) has no primary key."
        : "The value does not have the type of the primary key of \(schema.name).",
      file: url)
  }

  // MARK: Deleting

  func delete(_ object: ObjectBase) {
    guard let row = object.row, row.instance === self else {
      return Misuse.report(
        .invalidValue, "Can only delete an object from the realm that it is in.", file: url)
    }
    guard let transaction = transaction(for: "delete objects") else { return }
    guard row.isUsable else {
      return Misuse.report(
        .invalidated, "The object was invalidated with its realm.", file: url)
    }
    let existed = performChange { () throws(StorageError) in
      try delete(row.info, row.key, transaction)
    }
    if existed == true { row.info.changes.deleted += 1 }
  }

  /// Deletes the rows of a class that `findKeys` returns.
  func delete(_ type: ObjectBase.Type, _ findKeys: () -> [RowKey]) {
    guard let transaction = transaction(for: "delete objects"), let info = classInfo(for: type)
    else { return }
    let keys = findKeys()
    let deleted = performChange { () throws(StorageError) in
      var deleted = 0
      for key in keys where try delete(info, key, transaction) { deleted += 1 }
      return deleted
    }
    info.changes.deleted += deleted ?? 0
  }

  /// Deletes all objects of all classes of the file.
  func deleteAll() {
    guard let transaction = transaction(for: "delete objects") else { return }
    do {
      for stored in try storedClasses() {
        try mappingErrors { () throws(StorageError) in
          let deleted = try clear(stored, transaction)
          recordDeletions(stored.name, deleted)
        }
      }
      stamp += 1
    } catch {
      Misuse.report((error as? RealmError) ?? RealmError(.fail, "\(error)"))
    }
  }

  // MARK: Classes of the file

  /// Returns the classes that the file has, in the order of their names.
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

  /// Deletes all rows of a class; returns how many there were.
  func clear(
    _ stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) -> Int {
    var deleted = 0
    for (name, kind) in stored.tables {
      deleted = try clear(transaction.table(name, kind), transaction)
    }
    return deleted
  }

  /// Deletes all rows of a table, some at a time; returns how many there were.
  func clear(_ table: Table, _ transaction: WriteTransaction) throws(StorageError) -> Int {
    let batchCount = 1024
    var deleted = 0
    while true {
      var keys: [RowKey] = []
      try scan(table) { key, _ in
        keys.append(key)
        return keys.count < batchCount
      }
      for key in keys { try transaction.delete(table, key) }
      deleted += keys.count
      if keys.count < batchCount { return deleted }
    }
  }

  /// Returns whether no class of the file has objects.
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
