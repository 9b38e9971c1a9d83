// What opening does about classes: those of the program against those of the file.
public import Foundation
import StorageEngine

/// The comparison, and what follows from it.
struct SchemaUpdate {
  private let configuration: Realm.Configuration
  private let instance: OpenRealm
  private let schemas: [ObjectSchema]

  /// Brings the file's classes up to those of the configuration. Error `schemaMismatch` where that takes a migration
  /// and the configuration has none, or wants the file deleted for it.
  static func run(_ configuration: Realm.Configuration, _ use: FileReference) throws {
    let types = configuration.objectTypes ?? RegisteredClasses.all
    let schemas = types.map { use.file.names[ObjectIdentifier($0)] ?? ObjectSchema.of($0) }
    let names = Dictionary(grouping: schemas, by: \.name).filter { $0.value.count > 1 }.keys
    if let twice = names.sorted().first {
      throw Realm.Error(
        .schemaMismatch, "Two classes are called \(twice): a file knows classes by their names.",
        file: configuration.fileURL)
    }
    let instance = OpenRealm(configuration, .anywhere, use)
    try SchemaUpdate(configuration: configuration, instance: instance, schemas: schemas).run()
  }

  private func run() throws {
    guard try needed() != .nothing, !configuration.readOnly else { return }
    try instance.file.checkNoNestedWrite()
    let before = try instance.mappingErrors { () throws(StorageError) in
      // What the block is shown as old objects; taken with the writer's place, so that nothing comes between.
      let transaction = try instance.file.database.beginWrite()
      do {
        let before = try instance.file.database.beginSnapshot(label: "migration")
        return (before, transaction)
      }
    }
    defer { before.0.end() }
    try instance.begin(before.1)
    do {
      switch try needed() {
      case .nothing: return instance.cancelWrite()
      case .additions: try add()
      case .migration(let old):
        try MigrationRunner(instance, before.0, schemas).run(configuration, from: old)
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
    /// Classes that the file does not know, or the version of a new file.
    case additions
    case migration(from: UInt64)
  }

  /// As seen now: in the transaction, where there is one.
  private func needed() throws -> Need {
    let stored = try instance.storedClasses()
    let byName = Dictionary(uniqueKeysWithValues: stored.map { ($0.name, $0) })
    let isNew = schemas.contains { byName[$0.name] == nil }
    guard let version = try storedVersion() else {
      return isNew || configuration.schemaVersion > 0 ? .additions : .nothing
    }
    guard configuration.schemaVersion >= version else {
      throw Realm.Error(
        .schemaMismatch,
        "Provided schema version \(configuration.schemaVersion) is less than last set version \(version).",
        file: configuration.fileURL)
    }
    let differences = schemas.flatMap { byName[$0.name]?.differences(from: $0) ?? [] }
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

  private func add() throws {
    let known = Set(try instance.storedClasses().map(\.name))
    guard let transaction = instance.writing else { return }
    for schema in schemas where !known.contains(schema.name) {
      try instance.mappingErrors { () throws(StorageError) in
        _ = try OpenRealm.make(schema, StoredClass(schema), transaction)
      }
    }
  }

  /// nil for a file that no version was written into.
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

/// The schema version that a file was written with; nil where it has none yet.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  var configuration = Realm.Configuration(fileURL: fileURL, encryptionKey: encryptionKey)
  configuration.objectTypes = []
  guard FileManager.default.fileExists(atPath: fileURL.path) else {
    throw Realm.Error(.fileNotFound, "There is no realm at \(fileURL.path).", file: fileURL)
  }
  let use = try RealmCoordinator.use(configuration)
  let instance = OpenRealm(configuration, .anywhere, use)
  return try SchemaUpdate.storedVersion(instance) ?? 0
}
