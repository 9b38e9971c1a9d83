// A realm's files: copying, listing and deleting them.
public import Foundation
import StorageEngine
import SystemIO

extension Realm {
  /// Writes a compacted copy, encrypted if a key is passed, whether or not the realm is. Within a write transaction the
  /// copy has the changes of the transaction so far. Error `fileExists`: the file exists already.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try instance.checkOrThrow()
    if let encryptionKey, encryptionKey.count != 64 {
      throw Realm.Error(
        .encryptionKeyLength,
        "An encryption key has 64 bytes; this one has \(encryptionKey.count).", file: fileURL)
    }
    let key = encryptionKey.map { EncryptionKey(Array($0)) }
    do throws(StorageError) {
      let path = FilePath(fileURL.path)
      if let writing = instance.writing {
        try instance.writeRowCounters(writing)
        try writing.writeCopy(to: path, encryptionKey: key)
      } else {
        try instance.coordinator.database.writeCopy(to: path, encryptionKey: key)
      }
    } catch {
      throw Realm.Error(error, file: fileURL)
    }
  }

  /// Writes a compacted copy to the file of a configuration, with its key. Error `invalidConfiguration`: the configuration
  /// has no file.
  public func writeCopy(configuration: Configuration) throws {
    try configuration.check()
    guard let url = configuration.fileURL else {
      throw Realm.Error(.invalidConfiguration, "A copy is a file: the configuration names none.")
    }
    try writeCopy(toFile: url, encryptionKey: configuration.encryptionKey)
  }

  /// Returns the files beside a realm's file that belong to it: the lock file while it is open, what an interrupted
  /// compaction or copy of a seed leaves, and the event log.
  public static func auxiliaryFiles(of fileURL: URL) -> [URL] {
    ["lock", "compacting", "seeding", "events.jsonl"].map { fileURL.appendingPathExtension($0) }
  }

  /// Returns whether the file exists; false for a realm in memory.
  public static func fileExists(for configuration: Configuration) -> Bool {
    configuration.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  /// Deletes the realm's file and the auxiliary ones; returns whether the file existed. Error `alreadyOpen`: a realm, an
  /// object or results of it exist, in this process or another; nothing is deleted then.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard let url = configuration.fileURL else {
      throw Realm.Error(.invalidConfiguration, "A realm in memory has no files.")
    }
    var existed = false
    let isClosed = try CoordinatorRegistry.entry(configuration).ifClosed {
      existed = try deleteClosed(url)
    }
    guard isClosed else {
      throw Realm.Error(
        .alreadyOpen,
        "The realm is open in this process: deleting its files now could damage what others do with it.",
        file: url)
    }
    return existed
  }

  private static func deleteClosed(_ url: URL) throws -> Bool {
    let files = FileManager.default
    let existed = files.fileExists(atPath: url.path)
    if existed {
      // Locks the file while it is deleted; fails if another process has it open.
      var options = DatabaseOptions(
        automaticCompaction: nil, trimsOnClose: false, sharing: .exclusive)
      options.durability = .none
      do throws(StorageError) {
        let database = try Database.open(path: FilePath(url.path), options: options)
        defer { try? database.close() }
        try remove(url)
      } catch {
        // The file was locked, so that no process has it open, and is no database, a damaged one, or has another key. After
        // any other error it is unknown what is at that path, and whether it is in use.
        let locked: [StorageError.Code] = [
          .notADatabase, .corrupt, .truncated, .newerFormat, .keyMissing, .limitExceeded,
        ]
        guard locked.contains(error.code), !isFolder(url) else {
          throw Realm.Error(error, file: url)
        }
        try remove(url)
      }
    }
    try removeAuxiliary(url)
    return existed
  }

  private static func remove(_ url: URL) throws(StorageError) {
    do { try FileManager.default.removeItem(at: url) } catch {
      throw StorageError(
        .permissionDenied, "\(url.path) cannot be deleted: \(error.localizedDescription)")
    }
  }

  private static func removeAuxiliary(_ url: URL) throws {
    let files = FileManager.default
    for file in auxiliaryFiles(of: url)
    where files.fileExists(atPath: file.path) && !isFolder(file) {
      try files.removeItem(at: file)
    }
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
