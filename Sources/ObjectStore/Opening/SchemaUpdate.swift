// Opening compares the classes of the program with those of the file, and creates or migrates classes.
public import Foundation
import StorageEngine

/// The comparison of an opening.
struct SchemaUpdate {
  private let configuration: Realm.Configuration
  private let instance: OpenRealm
  private let classes: [ObjectClass]

  /// Updates the file's classes to those of the configuration. Error `schemaMismatch`: that takes a migration, and the
  /// configuration has no newer schema version, or `deleteRealmIfMigrationNeeded`.
  static func run(_ configuration: Realm.Configuration, _ reference: FileReference) throws {
    let types = configuration.objectTypes ?? RegisteredClasses.all
    let renamed = reference.coordinator.renamedClasses
    let classes = types.map { renamed[ObjectIdentifier($0)] ?? ObjectClass.of($0) }
    let names = Dictionary(grouping: classes, by: \.schema.name).filter { $0.value.count > 1 }.keys
    if let twice = names.sorted().first {
      throw Realm.Error(
        .schemaMismatch,
        "Two classes are called \(twice): a file identifies classes by their names.",
        file: configuration.fileURL)
    }
    let instance = OpenRealm(configuration, .unconfined, reference)
    try SchemaUpdate(configuration: configuration, instance: instance, classes: classes).run()
  }

  private func run() throws {
    guard try need() != .nothing, !configuration.readOnly else { return }
    try instance.coordinator.checkNoNestedWrite()
    let (before, transaction) = try instance.mappingErrors { () throws(StorageError) in
      // The snapshot has the old objects for the block. It begins under the write lock, so that no other commit comes
      // between.
      let transaction = try instance.coordinator.database.beginWrite()
      return (try instance.coordinator.database.beginSnapshot(label: "migration"), transaction)
    }
    defer { before.end() }
    try instance.begin(transaction)
    do {
      switch try need() {
      case .nothing: return instance.cancelWrite()
      case .additions: try createClasses()
      case .migration(let old):
        try MigrationRunner(instance, before, classes).run(configuration.migrationBlock, from: old)
      }
      try writeVersion()
      try instance.commitWrite()
    } catch {
      instance.cancelWrite()
      throw error
    }
  }

  private enum Need: Equatable {
    case nothing
    /// Classes that the file does not have, or the version of a new file.
    case additions
    case migration(from: UInt64)
  }

  /// Returns what the file needs as the instance sees it: in the transaction, if there is one.
  private func need() throws -> Need {
    let stored = try instance.storedClasses()
    let byName = Dictionary(uniqueKeysWithValues: stored.map { ($0.name, $0) })
    let isNew = classes.contains { byName[$0.schema.name] == nil }
    guard let version = try storedVersion() else {
      return isNew || configuration.schemaVersion > 0 ? .additions : .nothing
    }
    guard configuration.schemaVersion >= version else {
      throw Realm.Error(
        .schemaMismatch,
        "Provided schema version \(configuration.schemaVersion) is less than last set version \(version).",
        file: configuration.fileURL)
    }
    let differences = classes.flatMap {
      byName[$0.schema.name]?.differences(from: $0.schema) ?? []
    }
    let isOlder = version < configuration.schemaVersion
    if !differences.isEmpty, !isOlder || configuration.readOnly {
      throw OpenRealm.migrationRequiredError(differences, configuration.fileURL)
    }
    if isOlder {
      if configuration.deleteRealmIfMigrationNeeded {
        throw OpenRealm.migrationRequiredError(
          ["The schema version is \(version)."], configuration.fileURL)
      }
      return .migration(from: version)
    }
    return isNew ? .additions : .nothing
  }

  private func createClasses() throws {
    let known = Set(try instance.storedClasses().map(\.name))
    guard let transaction = instance.writing else { return }
    for objectClass in classes where !known.contains(objectClass.schema.name) {
      try instance.mappingErrors { () throws(StorageError) in
        _ = try OpenRealm.createClass(
          objectClass, StoredClass(objectClass.schema), transaction)
      }
    }
  }

  /// Returns the schema version of the file; nil for a file without one.
  private func storedVersion() throws -> UInt64? { try Self.storedVersion(instance) }

  static func storedVersion(_ instance: OpenRealm) throws -> UInt64? {
    let meta: Table?
    if let writing = instance.writing {
      meta = try writing.table(SchemaTable.name, .bytes)
    } else {
      meta = try instance.snapshot().table(SchemaTable.name)
    }
    guard let meta else { return nil }
    var version: UInt64?
    _ = try instance.get(meta, .bytes(SchemaTable.version)) { bytes in
      if bytes.count == 8 { version = bytes.littleEndian() }
    }
    return version
  }

  private func writeVersion() throws {
    guard let transaction = instance.writing else { return }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: configuration.schemaVersion)
    try instance.mappingErrors { () throws(StorageError) in
      let meta = try transaction.table(SchemaTable.name, .bytes)
      try transaction.put(meta, .bytes(SchemaTable.version), bytes)
    }
  }
}

/// Returns the schema version that a file was written with; 0 if it has none yet.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  var configuration = Realm.Configuration(fileURL: fileURL, encryptionKey: encryptionKey)
  configuration.objectTypes = []
  guard FileManager.default.fileExists(atPath: fileURL.path) else {
    throw Realm.Error(.fileNotFound, "There is no realm at \(fileURL.path).", file: fileURL)
  }
  let reference = try CoordinatorRegistry.reference(configuration)
  let instance = OpenRealm(configuration, .unconfined, reference)
  return try SchemaUpdate.storedVersion(instance) ?? 0
}
