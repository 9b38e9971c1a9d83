// Which classes the instance knows. A class is bound when it is first used; one that the file does not know yet is made
// in the transaction that first writes an object of it.
import Foundation
import StorageEngine

extension OpenRealm {
  /// The class in this file; nil where there are no objects of it and nobody writes any, and after misuse.
  @inline(__always)
  func bind(_ type: Object.Type) -> ClassInfo? {
    if let lastClassInfo, lastClassInfo.type == ObjectIdentifier(type) { return lastClassInfo }
    return lookUpClassInfo(type)
  }

  @inline(never)
  private func lookUpClassInfo(_ type: Object.Type) -> ClassInfo? {
    // Frozen instances are used from many threads.
    if isFrozen { binding.lock() }
    defer { if isFrozen { binding.unlock() } }
    let id = ObjectIdentifier(type)
    if let known = classInfos[id] {
      if !isFrozen { lastClassInfo = known }
      return known
    }
    guard configuration.objectTypes?.contains(where: { $0 == type }) ?? true else {
      Misuse.report(
        .classNotManaged,
        "\(ObjectSchema.name(of: type)) is not among the classes of this realm "
          + "(Realm.Configuration.objectTypes).", file: file.url)
      return nil
    }
    do {
      guard let found = try find(names[id] ?? ObjectSchema.of(type)) else { return nil }
      know(found, as: type)
      return found
    } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)", file: file.url))
      return nil
    }
  }

  private func find(_ schema: ObjectSchema) throws -> ClassInfo? {
    guard let stored = try storedClass(schema.name) else {
      guard let writing else { return nil }
      return try mappingErrors { () throws(StorageError) in
        try Self.make(schema, StoredClass(schema), writing)
      }
    }
    guard stored.agrees(with: schema) else {
      throw Self.migrationRequiredError(stored.differences(from: schema), file.url)
    }
    return try mappingErrors { () throws(StorageError) in
      if let writing {
        return try ClassInfo(schema, stored, isUncommitted: false) {
          (name, kind) throws(StorageError) in try writing.table(name, kind)
        }
      }
      let snapshot = try snapshot()
      return try ClassInfo(schema, stored, isUncommitted: false) {
        (name, _) throws(StorageError) in snapshot.table(name)
      }
    }
  }

  /// What the file says of a class; nil where it knows none of that name.
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

  /// Makes the tables of a class, and its row among the classes.
  static func make(
    _ schema: ObjectSchema, _ stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) -> ClassInfo {
    let made = try ClassInfo(schema, stored, isUncommitted: true) {
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

  static func migrationRequiredError(_ differences: [String], _ url: URL?) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      "Migration is required due to the following errors:\n"
        + differences.map { "- \($0)" }.joined(separator: "\n"), file: url)
  }

  // MARK: At the end of a transaction

  func confirmCreatedClasses() {
    for (_, info) in classInfos {
      info.isUncommitted = false
      info.nextRow = nil
    }
  }

  func forgetUncommittedClasses() {
    forgetClasses { $0.isUncommitted }
    for (_, info) in classInfos { info.nextRow = nil }
  }

  // MARK: Numbers of rows

  /// The number of a new row of a class without primary key.
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

  /// Writes what was counted in this transaction.
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
