// How a realm is opened: plain values, freely shared between threads.
public import Foundation
import SystemIO

/// Device Sync was discontinued: there is nothing to configure.
public typealias SyncConfiguration = Never

/// Logs each write transaction to a file, as one line of JSON.
public struct EventConfiguration: Sendable, Equatable {
  /// Written into each line.
  public var metadata: [String: String]
  /// The log; nil for the realm's path with `.events.jsonl` appended.
  public var logURL: URL?

  public init(metadata: [String: String] = [:], logURL: URL? = nil) {
    self.metadata = metadata
    self.logURL = logURL
  }
}

extension Realm {
  /// The options by which an instance is opened.
  public struct Configuration: Sendable {
    /// The configuration of `Realm()`.
    public static var defaultConfiguration: Configuration {
      get { storedDefault.withLock { $0 } }
      set { storedDefault.withLock { $0 = newValue } }
    }

    private static let storedDefault = LockedValue(Configuration())

    /// The file of the default realm: `default.realm` in a folder named as the program, in the user's folder for
    /// application data. The folder is created when the realm is opened.
    public static let defaultFileURL: URL = {
      let folder =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? FileManager.default.temporaryDirectory
      return folder.appendingPathComponent(ProcessInfo.processInfo.processName)
        .appendingPathComponent("default.realm")
    }()

    /// The disk that the file is on; another one in tests only.
    var volume: any StorageVolume = SystemVolume()
    private var file: URL?
    private var identifier: String?
    private var seed: URL?
    /// Whether the initializer was passed both a file and an identifier, which opening reports as an error.
    private var isContradictory = false

    /// Setting it clears `inMemoryIdentifier`.
    public var fileURL: URL? {
      get { file }
      set {
        file = newValue
        identifier = nil
        isContradictory = false
      }
    }

    /// Setting it clears `fileURL` and `seedFilePath`.
    public var inMemoryIdentifier: String? {
      get { identifier }
      set {
        identifier = newValue
        if newValue != nil {
          file = nil
          seed = nil
        }
        isContradictory = false
      }
    }

    /// The file that is copied to `fileURL` if that does not exist. Setting it clears `inMemoryIdentifier`.
    public var seedFilePath: URL? {
      get { seed }
      set {
        seed = newValue
        if newValue != nil { identifier = nil }
      }
    }

    /// Always nil.
    public var syncConfiguration: SyncConfiguration?
    /// 64 bytes; another length is an error when the realm is opened.
    public var encryptionKey: Data?
    public var readOnly: Bool
    public var schemaVersion: UInt64
    public var migrationBlock: MigrationBlock?
    /// Whether a file that needs a migration is deleted and begun anew. Excludes `readOnly`, which opening reports as an
    /// error.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Called with the file's size and the bytes in use when this process opens a file that it does not have open yet.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The classes of the realm; nil for those that are registered (`Realm.register`), and those that are used.
    public var objectTypes: [ObjectBase.Type]?
    /// A write transaction does not begin if more versions than this would be readable after it: error `tooManyVersions`,
    /// before any work is done. Counted are the versions that are pinned at that moment, by all processes, and the one
    /// that the transaction makes. nil and 0 for no limit.
    public var maximumNumberOfActiveVersions: UInt?
    public var eventConfiguration: EventConfiguration?
    /// When the engine compacts the file by itself. All openings of a file in a process must agree.
    public var automaticCompaction = AutomaticCompaction.eager
    /// Whether automatic compaction goes on in a background thread while nothing is written; nil for the choice of
    /// `automaticCompaction`. All openings of a file in a process must agree.
    public var idleCompaction: IdleCompaction?

    public init(
      fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil,
      syncConfiguration: SyncConfiguration? = nil, encryptionKey: Data? = nil,
      readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
    ) {
      file = inMemoryIdentifier == nil ? fileURL : nil
      identifier = seedFilePath == nil ? inMemoryIdentifier : nil
      if seedFilePath != nil { file = fileURL }
      seed = seedFilePath
      isContradictory =
        inMemoryIdentifier != nil && fileURL != nil && fileURL != Configuration.defaultFileURL
      self.syncConfiguration = syncConfiguration
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
    }
  }
}

extension Realm.Configuration: Equatable {
  /// Compares all properties. Blocks cannot be compared: two configurations count as equal in a block that both have or
  /// neither has.
  public static func == (a: Self, b: Self) -> Bool {
    a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier
      && a.seedFilePath == b.seedFilePath && a.encryptionKey == b.encryptionKey
      && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
      && a.deleteRealmIfMigrationNeeded == b.deleteRealmIfMigrationNeeded
      && a.maximumNumberOfActiveVersions == b.maximumNumberOfActiveVersions
      && a.eventConfiguration == b.eventConfiguration
      && a.automaticCompaction == b.automaticCompaction && a.idleCompaction == b.idleCompaction
      && a.isContradictory == b.isContradictory
      && (a.migrationBlock == nil) == (b.migrationBlock == nil)
      && (a.shouldCompactOnLaunch == nil) == (b.shouldCompactOnLaunch == nil)
      && a.objectTypes?.map { ObjectIdentifier($0) } == b.objectTypes?.map { ObjectIdentifier($0) }
  }
}

extension Realm.Configuration: CustomStringConvertible {
  /// One line for each option, without the encryption key's bytes.
  public var description: String {
    let lines: [(String, String)] = [
      ("fileURL", fileURL?.absoluteString ?? "none"),
      ("inMemoryIdentifier", inMemoryIdentifier ?? "none"),
      ("encryptionKey", encryptionKey.map { "\($0.count) bytes" } ?? "none"),
      ("readOnly", "\(readOnly)"),
      ("schemaVersion", "\(schemaVersion)"),
      ("migrationBlock", migrationBlock == nil ? "none" : "given"),
      ("deleteRealmIfMigrationNeeded", "\(deleteRealmIfMigrationNeeded)"),
      ("shouldCompactOnLaunch", shouldCompactOnLaunch == nil ? "none" : "given"),
      ("maximumNumberOfActiveVersions", maximumNumberOfActiveVersions.map { "\($0)" } ?? "none"),
      ("objectTypes", objectTypes.map { $0.map { "\($0)" }.joined(separator: ", ") } ?? "all"),
      ("seedFilePath", seedFilePath?.absoluteString ?? "none"),
      ("syncConfiguration", "none"),
      ("eventConfiguration", eventConfiguration.map { "\($0)" } ?? "none"),
      ("automaticCompaction", automaticCompaction.rawValue),
      ("idleCompaction", idleCompaction.map { "\($0)" } ?? "none"),
    ]
    let inner = lines.map { "  \($0.0) = \($0.1);" }.joined(separator: "\n")
    return "Realm.Configuration {\n\(inner)\n}"
  }
}

extension Realm.Configuration {
  /// Returns whether opening with one configuration may return an instance that was opened with the other.
  func isInterchangeable(with other: Self) -> Bool {
    schemaVersion == other.schemaVersion
      && objectTypes?.map { ObjectIdentifier($0) }
        == other.objectTypes?.map { ObjectIdentifier($0) }
  }

  /// Checks the options. Errors: `invalidConfiguration`, `encryptionKeyLength`.
  func check() throws(Realm.Error) {
    if isContradictory {
      throw Realm.Error(
        .invalidConfiguration,
        "fileURL and inMemoryIdentifier exclude each other: give one of them, or neither.")
    }
    if let fileURL, !fileURL.isFileURL {
      throw Realm.Error(.invalidConfiguration, "\(fileURL) is no URL of a file.", file: fileURL)
    }
    if fileURL == nil, inMemoryIdentifier == nil {
      throw Realm.Error(
        .invalidConfiguration, "The configuration names neither a file nor a realm in memory.")
    }
    if readOnly, shouldCompactOnLaunch != nil {
      throw Realm.Error(
        .invalidConfiguration,
        "A realm that is opened for reading only cannot be compacted: leave out readOnly or "
          + "shouldCompactOnLaunch.", file: fileURL)
    }
    if readOnly, deleteRealmIfMigrationNeeded {
      throw Realm.Error(
        .invalidConfiguration,
        "A realm that is opened for reading only cannot be deleted: leave out readOnly or "
          + "deleteRealmIfMigrationNeeded.", file: fileURL)
    }
    if inMemoryIdentifier != nil, encryptionKey != nil || readOnly {
      throw Realm.Error(
        .invalidConfiguration,
        "A realm in memory has no file that could be encrypted or opened for reading only.")
    }
    if let encryptionKey, encryptionKey.count != 64 {
      throw Realm.Error(
        .encryptionKeyLength,
        "An encryption key has 64 bytes; this one has \(encryptionKey.count).", file: fileURL)
    }
  }
}
