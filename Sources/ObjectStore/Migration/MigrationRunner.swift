// From the classes that a file was written with to those of the program: rows are rewritten with the columns that both
// have, then the program's block runs. All of it is one transaction. Rows are read in batches: besides the transaction's
// own blocks, memory grows with the number of rows only where a block gives them other primary keys.
import Foundation
import StorageEngine

/// Converts the rows of a file to the classes of the program, and calls the program's block.
final class MigrationRunner {
  let instance: OpenRealm
  private let before: Snapshot
  private let classes: [ObjectClass]
  let stored: [String: StoredClass]
  /// Whether `classes` are those that the program named; otherwise those that it has registered, which may not be all.
  private let hasAllClasses: Bool
  /// The classes whose rows get other keys, until the block or the end of the migration converts them.
  private var rekeyed: [String: RekeyedClass] = [:]
  /// The new keys of the rows to which the block has given them, by class and old key.
  private var newKeys: [String: [RowKey: RowKey]] = [:]
  /// The first error of the block's calls. All later calls do nothing.
  private var failure: (any Error)?

  /// A class whose primary key differs from that of its rows.
  private struct RekeyedClass {
    let old: StoredClass
    let info: ClassInfo
    let conversion: RowConversion
  }

  init(
    _ instance: OpenRealm, _ before: Snapshot, _ classes: [ObjectClass], hasAllClasses: Bool
  ) throws {
    self.instance = instance
    self.hasAllClasses = hasAllClasses
    self.before = before
    self.classes = classes
    stored = Dictionary(uniqueKeysWithValues: try instance.storedClasses().map { ($0.name, $0) })
  }

  /// Errors: the first of the block's calls, `duplicatePrimaryKey`, `schemaMismatch` for classes that are not known.
  func run(_ block: MigrationBlock?, from old: UInt64) throws {
    do {
      for objectClass in classes { try convert(objectClass) }
      block?(Migration(self), old)
      if let failure { throw failure }
      for name in rekeyed.keys.sorted() {
        try rekey(name, isEnumerated: false) { _, _ in }
      }
    } catch let error as StorageError { throw RealmError(error, file: instance.url) }
    try checkNoUnknownClass()
  }

  /// Runs `body`; returns nil, and fails the migration, if it throws or an earlier call did.
  @discardableResult
  func perform<Result>(_ body: () throws -> Result) -> Result? {
    guard failure == nil else { return nil }
    do { return try body() } catch {
      failure = error
      return nil
    }
  }

  var transaction: WriteTransaction {
    get throws(RealmError) {
      guard let writing = instance.writing else {
        throw RealmError(
          .wrongTransactionState, "The transaction of the migration has ended.", file: instance.url)
      }
      return writing
    }
  }

  // MARK: Classes

  /// Whether the file has a class that the program may have without having named it.
  private func isUnknown(_ name: String) -> Bool {
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

  private func classInfo(_ name: String) -> ClassInfo? {
    classes.first { $0.schema.name == name }.flatMap { instance.classInfo(for: $0.type) }
  }

  private func convert(_ objectClass: ObjectClass) throws {
    let schema = objectClass.schema
    guard let old = stored[schema.name] else {
      instance.add(try OpenRealm.createClass(objectClass, transaction))
      return
    }
    guard !old.matches(schema) else { return }
    if isLinked(schema.name) || schema.hasLinks {
      return try convertLinked(objectClass, from: old)
    }
    let conversion = RowConversion(old, objectClass)
    if old.primaryKey == StoredClass(schema).primaryKey {
      return try convertInPlace(objectClass, old, conversion)
    }
    let info = try OpenRealm.createClass(
      objectClass, generation: old.generation + 1, transaction)
    instance.add(info)
    rekeyed[schema.name] = RekeyedClass(old: old, info: info, conversion: conversion)
  }

  /// Rewrites the rows under their keys, and the indexes of which a value changes.
  private func convertInPlace(
    _ objectClass: ObjectClass, _ old: StoredClass, _ conversion: RowConversion
  ) throws {
    let transaction = try transaction
    let indexed = objectClass.schema.columns.filter(\.isIndexed)
    let kept = indexed.filter { column in
      conversion.keepsValues(column, of: old)
        && old.columns.contains { $0.name == column.name && $0.isIndexed }
    }
    for column in old.columns where column.isIndexed {
      if kept.contains(where: { $0.name == column.name }) { continue }
      _ = try instance.clear(transaction.table(old.indexName(column.name), .bytes), transaction)
    }
    let info = try OpenRealm.createClass(
      objectClass, StoredClass(objectClass.schema, generation: old.generation), transaction)
    instance.add(info)
    let rebuilt = indexed.filter { !kept.contains($0) }
    guard !conversion.keepsRows || !rebuilt.isEmpty else { return }
    try OldRows(snapshot: before, stored: old).visit { key, values in
      let row = conversion(values)
      if !conversion.keepsRows {
        let record = instance.recordBuffer.encode(row.map(Optional.some), info.columns)
        try transaction.put(info.table, key, record)
      }
      for column in rebuilt { try addIndexEntry(info, column.index, row, key, transaction) }
    }
  }

  private func addIndexEntry(
    _ info: ClassInfo, _ column: Int, _ row: [ColumnValue], _ key: RowKey,
    _ transaction: WriteTransaction
  ) throws {
    guard let index = info.indexes[column] else { return }
    try transaction.put(index, IndexEntry.key(row[column], key), IndexEntry.rowBytes(key))
  }

  // MARK: Other keys

  /// Gives the rows of a class their new keys; if the program's block enumerates them, after it has changed them. Error
  /// `duplicatePrimaryKey`.
  private func rekey(
    _ name: String, isEnumerated: Bool, _ block: MigrationObjectEnumerateBlock
  ) throws {
    guard let rekeyed = rekeyed.removeValue(forKey: name) else { return }
    let (old, info) = (rekeyed.old, rekeyed.info)
    try OldRows(snapshot: before, stored: old).visit { key, values in
      let draft = MigrationDraft(info.schema, rekeyed.conversion(values))
      if isEnumerated {
        block(oldObject(old, values), object(draft))
        if let failure { throw failure }
      }
      if draft.isDeleted { return }
      let newKey = try insert(draft.values, info)
      if isEnumerated { newKeys[name, default: [:]][key] = newKey }
    }
    _ = try instance.clear(old, transaction)
  }

  private func insert(_ row: [ColumnValue], _ info: ClassInfo) throws -> RowKey {
    let transaction = try transaction
    let key =
      if let primary = info.primary {
        try info.rowKey(row[primary])
      } else {
        RowKey.int(try instance.nextRowNumber(info, transaction))
      }
    let record = instance.recordBuffer.encode(row.map(Optional.some), info.columns)
    guard try transaction.insert(info.table, key, record) else {
      throw RealmError(
        .duplicatePrimaryKey,
        "Two objects of \(info.schema.name) would have the same primary key after the migration.",
        file: instance.url)
    }
    for column in info.schema.columns where column.isIndexed {
      try addIndexEntry(info, column.index, row, key, transaction)
    }
    return key
  }

  // MARK: Calls of the block

  func enumerate(_ name: String, _ block: MigrationObjectEnumerateBlock) throws {
    // Opening fails for a class that is not known when the block has returned.
    guard let old = stored[name], !isUnknown(name) else { return }
    if rekeyed[name] != nil { return try rekey(name, isEnumerated: true, block) }
    let keys = newKeys[name]
    try OldRows(snapshot: before, stored: old).visit { key, values in
      var new: MigrationObject?
      if let newKey = keys == nil ? key : keys?[key] { new = try newObject(name, newKey) }
      block(oldObject(old, values), new)
      if let failure { throw failure }
    }
  }

  func create(_ name: String, _ value: Any) throws -> MigrationObject? {
    guard let info = classInfo(name) else {
      throw RealmError(.classNotManaged, "The program has no class \(name).")
    }
    let fresh = info.objectClass.type.init()
    if info.schema.hasLinks {
      instance.create(fresh, from: value, .error)
      return fresh.row.map { object(info, $0.key) }
    }
    var values = [ColumnValue?](repeating: nil, count: info.schema.columns.count)
    try InitialValues.read(value, into: &values, of: info.schema)
    return object(info, try instance.store(&values, fresh, info, .error, transaction))
  }

  func deleteAll(_ name: String) throws -> Bool {
    let transaction = try transaction
    guard let now = try instance.storedClasses().first(where: { $0.name == name }) else {
      return false
    }
    try instance.mappingErrors { () throws(StorageError) in
      try instance.deleteAll(of: now, transaction)
    }
    if let pending = rekeyed.removeValue(forKey: name) {
      _ = try instance.clear(pending.old, transaction)
    }
    if !classes.contains(where: { $0.schema.name == name }) {
      try OpenRealm.removeDescription(name, transaction)
      try LinkCatalog.recordClassChange(now, transaction)
    }
    instance.stamp += 1
    return true
  }

  // MARK: Objects

  private func oldObject(_ stored: StoredClass, _ values: [ColumnValue]) -> MigrationObject {
    let names = stored.columns.map(\.name)
    return MigrationObject(
      stored.name, names, self,
      .init(read: { name in names.firstIndex(of: name).map { values[$0] } }))
  }

  private func object(_ draft: MigrationDraft) -> MigrationObject {
    MigrationObject(
      draft.schema.name, draft.schema.columnNames, self,
      .init(
        read: { name in draft.schema.column(name).map { draft.values[$0.index] } },
        write: { name, value in
          for (column, value) in try Self.values(name, value, draft.schema) {
            draft.values[column] = value
          }
        }, delete: { draft.isDeleted = true }))
  }

  /// Returns nil if the program has no such class, or the object was deleted.
  private func newObject(_ name: String, _ key: RowKey) throws -> MigrationObject? {
    guard let info = classInfo(name), try instance.get(info.table, key, { _ in }) else {
      return nil
    }
    return object(info, key)
  }

  private func object(_ info: ClassInfo, _ key: RowKey) -> MigrationObject {
    let schema = info.schema
    return MigrationObject(
      schema.name, schema.columnNames, self,
      .init(
        read: { [instance] name in
          guard let column = schema.column(name) else { return nil }
          return try instance.values(info, key)?[column.index]
        },
        write: { [self] name, value in
          if let column = schema.column(name), column.isLinked {
            return try write(info, key, column, value)
          }
          for (column, value) in try Self.values(name, value, schema) {
            try write(info, key, column, value)
          }
        },
        delete: { [self] in
          _ = try instance.delete(info, key, transaction)
          instance.stamp += 1
        }))
  }

  /// Sets a link, or replaces the elements of a collection.
  private func write(_ info: ClassInfo, _ key: RowKey, _ column: Column, _ value: Any?) throws {
    var contents = InitialContents(instance)
    let read = try contents.read([column.name: value as Any], info.objectClass)
    guard let content = read[column.index] else { return }
    ManagedRow(instance, info, key).write(column: column.index, content)
  }

  private func write(_ info: ClassInfo, _ key: RowKey, _ column: Int, _ value: ColumnValue) throws {
    let transaction = try transaction
    if column == info.primary {
      guard try instance.values(info, key)?[column] != value else { return }
      throw RealmError(
        .invalidValue,
        "The primary key of \(info.schema.name) can be set in the first enumeration, if it has changed.",
        file: instance.url)
    }
    guard try instance.update(info, key, column, value, transaction) else {
      throw RealmError(
        .invalidated, "The object of \(info.schema.name) was deleted.", file: instance.url)
    }
    instance.stamp += 1
  }

  /// Returns the value as one of the property's type, with its column.
  private static func values(
    _ name: String, _ value: Any?, _ schema: ObjectSchema
  ) throws -> [(Int, ColumnValue)] {
    var values = [ColumnValue?](repeating: nil, count: schema.columns.count)
    try InitialValues.read([name: value as Any], into: &values, of: schema)
    return values.enumerated().compactMap { column, value in value.map { (column, $0) } }
  }
}

/// A row that is written when the block has changed it.
private final class MigrationDraft {
  let schema: ObjectSchema
  var values: [ColumnValue]
  var isDeleted = false

  init(_ schema: ObjectSchema, _ values: [ColumnValue]) {
    self.schema = schema
    self.values = values
  }
}
