// How a database is opened. Each instance is opened from the same configuration; only the first asks about compaction.
import CRealm
import EngineInterface
import FileFormats
import MetricModel
import SystemIO

/// A configuration of Realm Core's. The schema has one class for each table: the key, the row's
/// bytes, and what the table's shape has besides.
final class RealmConfiguration: @unchecked Sendable {
  let realm: RealmCoreLibrary
  let path: FilePath
  let options: SessionOptions
  private let isInMemory: Bool
  private let handle: OpaquePointer

  /// Whether the file's header leads to its books: not where they are encrypted, nor in memory, where it is not kept up.
  var tellsBooks: Bool { options.encryptionKey == nil && !isInMemory }

  /// The longest name that a class can have (realm/table.hpp: 63 bytes with the prefix `class_`).
  private static let longestName = 57

  init(
    _ realm: RealmCoreLibrary, _ path: FilePath, _ options: SessionOptions,
    asking question: LaunchQuestion? = nil, isInMemory: Bool = false,
    migration: RealmMigration? = nil
  ) throws(EngineError) {
    self.realm = realm
    self.path = path
    self.options = options
    self.isInMemory = isInMemory
    handle = try realm.check(realm.call.configNew(), "opening \(path)")
    realm.call.configSetPath(handle, path.string)
    realm.call.configSetScheduler(handle, realm.scheduler)
    // Otherwise a thread of its own watches for commits, and its transactions hold versions.
    realm.call.configSetAutomaticChangeNotifications(handle, false)
    if isInMemory { realm.call.configSetInMemory(handle, true) }
    if let most = options.maximumVersions {
      realm.call.configSetMaxNumberOfActiveVersions(handle, UInt64(most))
    }
    if let key = options.encryptionKey {
      let accepted = realm.call.configSetEncryptionKey(handle, key, key.count)
      try realm.check(accepted, "opening \(path)")
    }
    try setSchema()
    question?.set(in: handle, realm)
    migration?.set(in: handle)
  }

  deinit { realm.call.release(handle) }

  /// Opens one more instance. It reads nothing yet, and so holds no version.
  func open() throws(EngineError) -> OpaquePointer {
    try realm.check(realm.call.open(handle), "opening \(path)")
  }

  private func setSchema() throws(EngineError) {
    let schema = RealmSchema(options)
    if let name = schema.names.first(where: { !(1...Self.longestName).contains($0.utf8.count) }) {
      throw EngineError(
        engine: realmCoreID, code: .unsupported,
        message: "the table \"\(name)\": names have 1 to \(Self.longestName) bytes here")
    }
    let made = try realm.check(schema.make(realm), "opening \(path)")
    realm.call.configSetSchema(handle, made)
    realm.call.release(made)
    realm.call.configSetSchemaVersion(handle, UInt64(options.migrations.count))
  }
}

/// The callback of the configuration that opens the database: Realm Core asks it once, after an empty commit, before
/// anyone else can see the database (realm_coordinator.cpp).
final class LaunchQuestion: @unchecked Sendable {
  private let wanted: @Sendable (SpaceUsage) -> Bool
  private let file: FilePath
  /// The argument that Realm Core passed to the launch callback and the result; nil if it has not called it.
  private(set) var asked: (space: SpaceUsage, compacts: Bool)?

  init(_ file: FilePath, _ wanted: @escaping @Sendable (SpaceUsage) -> Bool) {
    self.file = file
    self.wanted = wanted
  }

  func set(in config: OpaquePointer, _ realm: RealmCoreLibrary) {
    realm.call.configSetShouldCompactOnLaunch(
      config,
      { context, total, used in
        guard let context else { return false }
        return Unmanaged<LaunchQuestion>.fromOpaque(context).takeUnretainedValue()
          .ask(total: Int(total), used: Int(used))
      }, Unmanaged.passRetained(self).toOpaque(),
      { context in
        if let context { Unmanaged<LaunchQuestion>.fromOpaque(context).release() }
      })
  }

  private func ask(total: Int, used: Int) -> Bool {
    // Realm Core counts what old versions hold as free here. It does not report overhead; the file has it, where it
    // is not encrypted.
    var space = SpaceUsage(
      file: ByteCount(total), free: ByteCount(total - used), pinned: .zero, pending: .zero)
    if let books = try? RealmFile(file).books() {
      let overhead = min(used, RealmFile.headerBytes + books.bookkeeping)
      space.live = ByteCount(used - overhead)
      space.overhead = ByteCount(overhead)
    }
    let compacts = wanted(space)
    asked = (space, compacts)
    return compacts
  }
}
