// The files that this process has open, each opened once.
import Foundation
import StorageEngine
import SystemIO

/// The options in which all openings of a file in this process must agree: they are those of its one opening.
private struct OpenMode {
  private let configuration: Realm.Configuration

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  var readOnly: Bool { configuration.readOnly }
  var compaction: Realm.Configuration.AutomaticCompaction { configuration.automaticCompaction }
  var idleCompaction: Realm.Configuration.IdleCompaction? { configuration.idleCompaction }

  /// Returns the name of an option in which the configurations differ.
  func difference(from other: Realm.Configuration) -> String? {
    if configuration.readOnly != other.readOnly { return "readOnly" }
    if configuration.encryptionKey != other.encryptionKey { return "encryptionKey" }
    if configuration.automaticCompaction != other.automaticCompaction {
      return "automaticCompaction"
    }
    if configuration.idleCompaction != other.idleCompaction { return "idleCompaction" }
    return nil
  }
}

/// The open files of the process.
enum CoordinatorRegistry {
  /// A file that may be open. Its mutex is held while the file is opened, which may take as long as a compaction, and while
  /// it is closed.
  final class Entry: FileReferenceCounter, @unchecked Sendable {
    private let mutex = ThreadMutex()
    private var coordinator: RealmCoordinator?
    private var mode: OpenMode?
    private var count = 0

    fileprivate func reference(_ configuration: Realm.Configuration) throws -> FileReference {
      mutex.lock()
      defer { mutex.unlock() }
      if let coordinator, let mode {
        try Self.check(mode, configuration)
        count += 1
        return FileReference(coordinator, self)
      }
      let opened = try CoordinatorRegistry.open(configuration)
      coordinator = opened
      mode = OpenMode(configuration)
      count = 1
      return FileReference(opened, self)
    }

    /// The same for the file as it is open, whether read-only or not; nil if it is not open.
    fileprivate func existingReference(_ configuration: Realm.Configuration) throws
      -> FileReference?
    {
      mutex.lock()
      defer { mutex.unlock() }
      guard let coordinator, let mode else { return nil }
      var configuration = configuration
      configuration.readOnly = mode.readOnly
      configuration.automaticCompaction = mode.compaction
      configuration.idleCompaction = mode.idleCompaction
      try Self.check(mode, configuration)
      count += 1
      return FileReference(coordinator, self)
    }

    func retain() { mutex.withLock { count += 1 } }

    func release() {
      mutex.withLock {
        count -= 1
        guard count == 0 else { return }
        // The next opening repairs what closing failed to write.
        try? coordinator?.database.close()
        coordinator = nil
      }
    }

    /// Runs `body` while the file cannot be opened; returns false if it is open.
    func ifClosed(_ body: () throws -> Void) rethrows -> Bool {
      mutex.lock()
      defer { mutex.unlock() }
      guard coordinator == nil else { return false }
      try body()
      return true
    }

    private static func check(
      _ mode: OpenMode, _ configuration: Realm.Configuration
    ) throws(RealmError) {
      guard let what = mode.difference(from: configuration) else { return }
      throw RealmError(
        .alreadyOpen, "The realm is open in this process with another \(what).",
        file: configuration.fileURL)
    }
  }

  private static let entries = LockedValue<[String: Entry]>([:])

  static func entry(_ configuration: Realm.Configuration) -> Entry {
    let name: String
    if let url = configuration.fileURL {
      name = resolvedPath(url)
    } else {
      name = "memory:\(configuration.inMemoryIdentifier ?? "")"
    }
    return entries.withLock { entries in
      if let known = entries[name] { return known }
      let entry = Entry()
      entries[name] = entry
      return entry
    }
  }

  /// Returns the same path for all paths that lead to a file through links, also before the file exists.
  private static func resolvedPath(_ url: URL) -> String {
    var existing = FilePath(url.path)
    var missing: [FilePath.Component] = []
    while true {
      if let resolved = try? FileSystem.resolved(existing) {
        return missing.reversed().reduce(resolved) { $0.appending($1) }.string
      }
      guard let last = existing.lastComponent else { return url.path }
      missing.append(last)
      existing.removeLastComponent()
    }
  }

  /// Returns a reference to the file of the configuration, which is opened if this process does not have it open:
  /// `shouldCompactOnLaunch` is asked only then.
  static func reference(_ configuration: Realm.Configuration) throws -> FileReference {
    try configuration.check()
    return try entry(configuration).reference(configuration)
  }

  /// Calls `body` with a snapshot of the file: through its opening if this process has it open, read-only or not;
  /// otherwise through one that changes nothing, and that no other opening of this process can join.
  static func withSnapshot<Result>(
    _ configuration: Realm.Configuration, _ body: (Snapshot) throws -> Result
  ) throws -> Result {
    try configuration.check()
    let entry = entry(configuration)
    var result: Result?
    while true {
      if let reference = try entry.existingReference(configuration) {
        return try withSnapshot(reference.coordinator.database, body)
      }
      let wasClosed = try entry.ifClosed {
        let database = try openUnchanged(configuration)
        defer { try? database.close() }
        result = try withSnapshot(database, body)
      }
      if wasClosed, let result { return result }
    }
  }

  private static func withSnapshot<Result>(
    _ database: Database, _ body: (Snapshot) throws -> Result
  ) throws -> Result {
    let snapshot = try database.beginSnapshot(label: "schema version")
    defer { snapshot.end() }
    return try body(snapshot)
  }

  /// Opens the file so that writers of other processes are not kept out; read-only if it may not be written.
  private static func openUnchanged(_ configuration: Realm.Configuration) throws -> Database {
    guard let url = configuration.fileURL else {
      throw Realm.Error(.invalidConfiguration, "A realm in memory has no file.")
    }
    var options = DatabaseOptions(automaticCompaction: nil, trimsOnClose: false)
    options.encryptionKey = configuration.encryptionKey.map { EncryptionKey(Array($0)) }
    let path = FilePath(url.path)
    do throws(StorageError) {
      do throws(StorageError) { return try Database.open(path: path, options: options) } catch {
        guard error.code == .permissionDenied else { throw error }
        options.readOnly = true
        return try Database.open(path: path, options: options)
      }
    } catch { throw RealmError(error, file: url) }
  }

  private static func open(_ configuration: Realm.Configuration) throws -> RealmCoordinator {
    do { return try openDatabase(configuration) } catch let error as StorageError {
      throw RealmError(error, file: configuration.fileURL)
    }
  }

  private static func openDatabase(
    _ configuration: Realm.Configuration
  ) throws -> RealmCoordinator {
    var options = DatabaseOptions()
    options.readOnly = configuration.readOnly
    options.encryptionKey = configuration.encryptionKey.map { EncryptionKey(Array($0)) }
    options.seedFile = configuration.seedFilePath.map { FilePath($0.path) }
    options.automaticCompaction = configuration.automaticCompaction.engineOption
    if configuration.automaticCompaction == .realmCompatible { options.takeRealmCompatible() }
    options.idleCompaction = configuration.engineIdleCompaction
    guard let url = configuration.fileURL else {
      let database = try Database.open(
        inMemory: configuration.inMemoryIdentifier ?? "", options: options)
      return RealmCoordinator(database, url: nil, nil)
    }
    if !configuration.readOnly { try createFolder(of: url) }
    let shouldCompact = configuration.shouldCompactOnLaunch
    let database = try Database.open(
      path: FilePath(url.path), on: configuration.volume, options: options,
      compactOnLaunch: shouldCompact.map { shouldCompact in
        { shouldCompact($0.totalBytes, $0.usedBytes) }
      })
    let eventLog = configuration.eventConfiguration.map { events in
      EventLog(
        url: events.logURL ?? url.appendingPathExtension("events.jsonl"),
        metadata: events.metadata)
    }
    return RealmCoordinator(database, url: url, eventLog)
  }

  private static func createFolder(of url: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw RealmError(
        .filePermissionDenied, "The realm's folder cannot be made: \(error.localizedDescription)",
        file: url)
    }
  }
}
