// Opening compares the classes of the program with those of the file, and creates or migrates classes.
public import Foundation
import StorageEngine

/// The comparison of an opening.
struct SchemaUpdate {
  private let configuration: Realm.Configuration
  private let instance: OpenRealm
  private let classes: [ObjectClass]
  /// Where the realm is opened for.
  private let confinement: Confinement

  /// Updates the file's classes to those of the configuration. Error `schemaMismatch`: that takes a migration, and the
  /// configuration has no newer schema version, or `deleteRealmIfMigrationNeeded`.
  static func run(
    _ configuration: Realm.Configuration, _ reference: FileReference, for confinement: Confinement
  ) throws {
    let types = configuration.objectTypes ?? RegisteredClasses.all
    let renamed = reference.coordinator.renamedClasses
    let classes = types.map { renamed[ObjectIdentifier($0)] ?? ObjectClass.of($0) }
    let names = Dictionary(grouping: classes, by: \.schema.name).filter { $0.value.count > 1 }.keys
    if let twice = names.sorted().first {
      // Not `schemaMismatch`, for which `deleteRealmIfMigrationNeeded` deletes the file: no migration could help.
      throw Realm.Error(
        .invalidConfiguration,
        "Two classes are called \(twice): a file identifies classes by their names.",
        file: configuration.fileURL)
    }
    let instance = OpenRealm(configuration, .unconfined, reference)
    try SchemaUpdate(
      configuration: configuration, instance: instance, classes: classes, confinement: confinement
    ).run()
  }

  private func run() throws {
    let need = try need()
    guard need != .nothing, !configuration.readOnly else { return }
    if case .migration(let old) = need { try checkNoLiveInstance(old) }
    try instance.coordinator.checkNoNestedWrite()
    try instance.begin(
      try instance.mappingErrors { () throws(StorageError) in
        try instance.coordinator.acquireTransaction(for: confinement)
      })
    do {
      switch try self.need() {
      case .nothing: return instance.cancelWrite()
      case .additions: try createClasses()
      case .migration(let old):
        try checkNoLiveInstance(old)
        try migrate(from: old)
      }
      try writeVersion()
      try instance.commitWrite()
    } catch {
      instance.cancelWrite()
      throw error
    }
  }

  private func migrate(from old: UInt64) throws {
    // Has the old objects for the block. It begins under the write lock, so that no other commit comes between.
    let before = try instance.mappingErrors { () throws(StorageError) in
      try instance.coordinator.database.beginSnapshot(label: "migration")
    }
    defer { before.end() }
    let runner = try MigrationRunner(
      instance, before, classes, hasAllClasses: configuration.objectTypes != nil)
    try runner.run(configuration.migrationBlock, from: old)
  }

  private enum Need: Equatable {
    case nothing
    /// Classes that the file does not have, or the version of a new file.
    case additions
    case migration(from: UInt64)
  }

  /// Error `alreadyOpen`: an instance of this process reads rows of the old shape, and would misread the new ones.
  private func checkNoLiveInstance(_ old: UInt64) throws(Realm.Error) {
    guard instance.coordinator.hasLiveInstances else { return }
    throw Realm.Error(
      .alreadyOpen,
      "The realm is open in this process with schema version \(old): release all its instances before "
        + "it is opened with version \(configuration.schemaVersion).", file: configuration.fileURL)
  }

  /// Returns what the file needs as the instance sees it: in the transaction, if there is one.
  private func need() throws -> Need {
    let stored = try instance.storedClasses()
    let byName = Dictionary(uniqueKeysWithValues: stored.map { ($0.name, $0) })
    let isNew = classes.contains { byName[$0.schema.name] == nil }
    // The first transaction of a class writes no version: a file with classes has version 0 until an opening stores one.
    guard let version = try instance.storedSchemaVersion() ?? (stored.isEmpty ? nil : 0) else {
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
        _ = try OpenRealm.createClass(objectClass, transaction)
      }
    }
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

/// Returns the schema version that a file was written with; 0 if it has none yet. Changes nothing in a file that was closed;
/// one that was not is repaired, as by every opening that may write.
///
/// Errors: `fileNotFound`, and those of opening.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  var configuration = Realm.Configuration(fileURL: fileURL, encryptionKey: encryptionKey)
  configuration.objectTypes = []
  guard FileManager.default.fileExists(atPath: fileURL.path) else {
    throw Realm.Error(.fileNotFound, "There is no realm at \(fileURL.path).", file: fileURL)
  }
  return try CoordinatorRegistry.withSnapshot(configuration) { try SchemaTable.schemaVersion($0) }
}
