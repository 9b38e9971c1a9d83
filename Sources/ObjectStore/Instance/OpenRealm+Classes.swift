// The classes that an instance uses. A class is looked up at its first use; the first transaction that writes an object
// of a new class creates it.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Returns the class in this file; nil if the file does not have it and no transaction is open, and after misuse.
  @inline(__always)
  func classInfo(for type: ObjectBase.Type) -> ClassInfo? {
    if let lastClassInfo, lastClassInfo.type == ObjectIdentifier(type) { return lastClassInfo }
    return lookUpClassInfo(for: type)
  }

  @inline(never)
  private func lookUpClassInfo(for type: ObjectBase.Type) -> ClassInfo? {
    // Frozen instances are used by many threads.
    if isFrozen { classMutex.lock() }
    defer { if isFrozen { classMutex.unlock() } }
    let id = ObjectIdentifier(type)
    if let known = classInfos[id] {
      if !isFrozen { lastClassInfo = known }
      return known
    }
    guard configuration.objectTypes?.contains(where: { $0 == type }) ?? true else {
      Misuse.report(
        .classNotManaged,
        "\(ObjectClass.name(of: type)) is not among the classes of this realm "
          + "(Realm.Configuration.objectTypes).", file: url)
      return nil
    }
    do {
      let objectClass = coordinator.renamedClasses[id] ?? ObjectClass.of(type)
      guard let found = try find(objectClass) else { return nil }
      add(found)
      return found
    } catch {
      Misuse.report((error as? RealmError) ?? RealmError(.fail, "\(error)", file: url))
      return nil
    }
  }

  private func find(_ objectClass: ObjectClass) throws -> ClassInfo? {
    let schema = objectClass.schema
    guard let stored = try storedClass(schema.name) else {
      guard let writing else { return nil }
      return try mappingErrors { () throws(StorageError) in
        try Self.createClass(objectClass, writing)
      }
    }
    guard stored.matches(schema) else {
      throw Self.migrationRequiredError(stored.differences(from: schema), url)
    }
    return try mappingErrors { () throws(StorageError) in
      if let writing {
        return try ClassInfo(objectClass, stored, isUncommitted: false) {
          (name, kind) throws(StorageError) in try writing.table(name, kind)
        }
      }
      let snapshot = try snapshot()
      return try ClassInfo(objectClass, stored, isUncommitted: false) {
        (name, _) throws(StorageError) in snapshot.table(name)
      }
    }
  }

  /// Returns the file's description of a class; nil if it has no class of that name.
  private func storedClass(_ name: String) throws -> StoredClass? {
    let meta: Table?
    if let writing {
      meta = try mappingErrors { () throws(StorageError) in
        try writing.table(SchemaTable.name, .bytes)
      }
    } else {
      meta = try mappingErrors { () throws(StorageError) in
        try snapshot().table(SchemaTable.name)
      }
    }
    guard let meta else { return nil }
    var found: Data?
    _ = try mappingErrors { () throws(StorageError) in
      try get(meta, .bytes(SchemaTable.classKey(name))) { found = Data($0) }
    }
    return try found.map { try JSONDecoder().decode(StoredClass.self, from: $0) }
  }

  /// Creates a class that the file does not have. Tables of an earlier class of its name, which are empty, may have keys of
  /// another kind: then it has others.
  static func createClass(
    _ objectClass: ObjectClass, generation: Int = 1, _ transaction: WriteTransaction
  ) throws(StorageError) -> ClassInfo {
    var stored = StoredClass(objectClass.schema, generation: generation)
    while true {
      do throws(StorageError) {
        _ = try transaction.table(stored.tableName, stored.keyKind)
        return try createClass(objectClass, stored, transaction)
      } catch {
        guard error.code == .unsupported, stored.generation < generation + 100 else { throw error }
        stored.generation += 1
      }
    }
  }

  /// Creates the tables of a class, and its row in the table of schemas.
  static func createClass(
    _ objectClass: ObjectClass, _ stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) -> ClassInfo {
    let created = try ClassInfo(objectClass, stored, isUncommitted: true) {
      (name, kind) throws(StorageError) in try transaction.table(name, kind)
    }
    try write(stored, transaction)
    return created
  }

  static func write(_ stored: StoredClass, _ transaction: WriteTransaction) throws(StorageError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let description = try? encoder.encode(stored) else {
      preconditionFailure("A class's description is names and numbers, which JSON can encode.")
    }
    let meta = try transaction.table(SchemaTable.name, .bytes)
    try transaction.put(meta, .bytes(SchemaTable.classKey(stored.name)), Array(description))
    try LinkCatalog.recordClassChange(stored, transaction)
  }

  /// Deletes what the file has stored of a class besides its rows. Its tables stay, empty.
  static func removeDescription(_ name: String, _ transaction: WriteTransaction)
    throws(StorageError)
  {
    let meta = try transaction.table(SchemaTable.name, .bytes)
    try transaction.delete(meta, .bytes(SchemaTable.classKey(name)))
    try transaction.delete(meta, .bytes(SchemaTable.nextRowKey(name)))
  }

  static func migrationRequiredError(_ differences: [String], _ url: URL?) -> RealmError {
    RealmError(
      .schemaMismatch,
      "Migration is required due to the following errors:\n"
        + differences.map { "- \($0)" }.joined(separator: "\n"), file: url)
  }

  // MARK: Schema version

  /// Returns the schema version that the file has stored; nil for a file without one.
  func storedSchemaVersion() throws(StorageError) -> UInt64? {
    let meta: Table?
    if let writing {
      meta = try writing.table(SchemaTable.name, .bytes)
    } else {
      meta = try snapshot().table(SchemaTable.name)
    }
    guard let meta else { return nil }
    var version: UInt64?
    _ = try get(meta, .bytes(SchemaTable.version)) { version = SchemaTable.version($0) }
    return version
  }

  // MARK: At the end of a transaction

  func confirmCreatedClasses() {
    for (_, info) in classInfos {
      info.isUncommitted = false
      info.nextRow = nil
    }
  }

  func removeUncommittedClasses() {
    forgetLinkCatalog()
    removeClasses { $0.isUncommitted }
    for (_, info) in classInfos { info.nextRow = nil }
  }

  // MARK: Row numbers

  /// Returns the number of a new row of a class without primary key.
  func nextRowNumber(
    _ info: ClassInfo, _ transaction: WriteTransaction
  ) throws(StorageError) -> Int64 {
    if info.nextRow == nil {
      let meta = try transaction.table(SchemaTable.name, .bytes)
      let stored = try transaction.value(
        meta, .bytes(SchemaTable.nextRowKey(info.schema.name)))
      info.nextRow =
        stored.map { bytes in
          bytes.withUnsafeBytes { Int64(bitPattern: $0.littleEndian()) }
        } ?? 1
    }
    let number = info.nextRow ?? 1
    info.nextRow = number + 1
    return number
  }

  /// Writes the row numbers that this transaction has used.
  func writeRowCounters(_ transaction: WriteTransaction) throws(StorageError) {
    for (_, info) in classInfos {
      guard let next = info.nextRow else { continue }
      let meta = try transaction.table(SchemaTable.name, .bytes)
      var bytes: [UInt8] = []
      bytes.append(littleEndian: UInt64(bitPattern: next))
      try transaction.put(meta, .bytes(SchemaTable.nextRowKey(info.schema.name)), bytes)
    }
  }
}
