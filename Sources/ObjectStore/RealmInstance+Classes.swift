// Which classes the instance knows. A class is bound when it is first used; one that the file does not know yet is made
// in the transaction that first writes an object of it.
import Foundation
import StorageEngine

extension RealmInstance {
  /// The class in this file; nil where there are no objects of it and nobody writes any, and after misuse.
  @inline(__always)
  func bind(_ type: Object.Type) -> BoundClass? {
    if let lastBound, lastBound.type == ObjectIdentifier(type) { return lastBound }
    return bindAgain(type)
  }

  @inline(never)
  private func bindAgain(_ type: Object.Type) -> BoundClass? {
    // Frozen instances are used from many threads.
    if isFrozen { binding.lock() }
    defer { if isFrozen { binding.unlock() } }
    let id = ObjectIdentifier(type)
    if let known = bound[id] {
      if !isFrozen { lastBound = known }
      return known
    }
    guard configuration.objectTypes?.contains(where: { $0 == type }) ?? true else {
      Misuse.report(
        .classNotManaged,
        "\(ClassSchema.name(of: type)) is not among the classes of this realm "
          + "(Realm.Configuration.objectTypes).", file: file.url)
      return nil
    }
    do {
      guard let found = try find(names[id] ?? ClassSchema.of(type)) else { return nil }
      know(found, as: type)
      return found
    } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)", file: file.url))
      return nil
    }
  }

  private func find(_ schema: ClassSchema) throws -> BoundClass? {
    guard let stored = try storedClass(schema.name) else {
      guard let writing else { return nil }
      return try withRealmErrors { () throws(StorageError) in
        try Self.make(schema, StoredClass(schema), writing)
      }
    }
    guard stored.agrees(with: schema) else {
      throw Self.migrationRequired(stored.differences(from: schema), file.url)
    }
    return try withRealmErrors { () throws(StorageError) in
      if let writing {
        return try BoundClass(schema, stored, isUncommitted: false) {
          (name, kind) throws(StorageError) in try writing.table(name, kind)
        }
      }
      let snapshot = try snapshot()
      return try BoundClass(schema, stored, isUncommitted: false) {
        (name, _) throws(StorageError) in snapshot.table(name)
      }
    }
  }

  /// What the file says of a class; nil where it knows none of that name.
  private func storedClass(_ name: String) throws -> StoredClass? {
    let meta: Table?
    if let writing {
      meta = try withRealmErrors { () throws(StorageError) in
        try writing.table(SchemaTable.name, .bytes)
      }
    } else {
      meta = try withRealmErrors { () throws(StorageError) in
        try snapshot().table(SchemaTable.name)
      }
    }
    guard let meta else { return nil }
    var found: Data?
    _ = try withRealmErrors { () throws(StorageError) in
      try get(meta, .bytes(SchemaTable.classKey(name))) { found = Data($0) }
    }
    return try found.map { try JSONDecoder().decode(StoredClass.self, from: $0) }
  }

  /// Makes the tables of a class, and its row among the classes.
  static func make(
    _ schema: ClassSchema, _ stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) -> BoundClass {
    let made = try BoundClass(schema, stored, isUncommitted: true) {
      (name, kind) throws(StorageError) in try transaction.table(name, kind)
    }
    try write(stored, transaction)
    return made
  }

  static func write(_ stored: StoredClass, _ transaction: WriteTransaction) throws(StorageError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let description = try? encoder.encode(stored) else {
      preconditionFailure("A class's description is names and numbers, which JSON holds.")
    }
    let meta = try transaction.table(SchemaTable.name, .bytes)
    try transaction.put(meta, .bytes(SchemaTable.classKey(stored.name)), Array(description))
  }

  static func migrationRequired(_ differences: [String], _ url: URL?) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      "Migration is required due to the following errors:\n"
        + differences.map { "- \($0)" }.joined(separator: "\n"), file: url)
  }

  // MARK: At the end of a transaction

  func keepCreatedClasses() {
    for (_, bound) in bound {
      bound.isUncommitted = false
      bound.nextRow = nil
    }
  }

  func dropUncommittedClasses() {
    forgetClasses { $0.isUncommitted }
    for (_, bound) in bound { bound.nextRow = nil }
  }

  // MARK: Numbers of rows

  /// The number of a new row of a class without primary key.
  func takeRowNumber(
    _ bound: BoundClass, _ transaction: WriteTransaction
  ) throws(StorageError) -> Int64 {
    if bound.nextRow == nil {
      let meta = try transaction.table(SchemaTable.name, .bytes)
      let stored = try transaction.value(
        meta, .bytes(SchemaTable.nextRowKey(bound.schema.name)))
      bound.nextRow =
        stored.map { bytes in
          bytes.withUnsafeBytes { Int64(bitPattern: $0.littleEndian()) }
        } ?? 1
    }
    let number = bound.nextRow ?? 1
    bound.nextRow = number + 1
    return number
  }

  /// Writes what was counted in this transaction.
  func writeRowCounters(_ transaction: WriteTransaction) throws(StorageError) {
    for (_, bound) in bound {
      guard let next = bound.nextRow else { continue }
      let meta = try transaction.table(SchemaTable.name, .bytes)
      var bytes: [UInt8] = []
      bytes.append(littleEndian: UInt64(bitPattern: next))
      try transaction.put(meta, .bytes(SchemaTable.nextRowKey(bound.schema.name)), bytes)
    }
  }
}
