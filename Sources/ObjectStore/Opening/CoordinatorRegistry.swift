// From a configuration to the engine's options, and the opening itself.
import Foundation
import StorageEngine
import SystemIO

extension RealmCoordinator {
  /// The file of the configuration, opened, or used with those who have it open. What is asked at launch is asked where
  /// this process has the file not open.
  static func use(_ configuration: Realm.Configuration) throws -> FileReference {
    try configuration.check()
    return try CoordinatorRegistry.entry(configuration).use(configuration) {
      do { return try open(configuration) } catch let error as StorageError {
        throw Realm.Error(error, file: configuration.fileURL)
      }
    }
  }

  private static func open(_ configuration: Realm.Configuration) throws -> RealmCoordinator {
    var options = DatabaseOptions()
    options.readOnly = configuration.readOnly
    options.encryptionKey = configuration.encryptionKey.map { EncryptionKey(Array($0)) }
    options.seedFile = configuration.seedFilePath.map { FilePath($0.path) }
    options.maximumNumberOfActiveVersions = configuration.maximumNumberOfActiveVersions.flatMap {
      $0 == 0 ? nil : Int($0)
    }
    guard let url = configuration.fileURL else {
      let database = try Database.open(
        inMemory: configuration.inMemoryIdentifier ?? "", options: options)
      return RealmCoordinator(database, url: nil, OpenMode(configuration), nil)
    }
    if !configuration.readOnly { try makeFolder(of: url) }
    let asked = configuration.shouldCompactOnLaunch
    let database = try Database.open(
      path: FilePath(url.path), options: options,
      compactOnLaunch: asked.map { asked in { asked($0.totalBytes, $0.usedBytes) } })
    let events = configuration.eventConfiguration.map { EventLog($0, realm: url) }
    return RealmCoordinator(database, url: url, OpenMode(configuration), events)
  }

  private static func makeFolder(of url: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw Realm.Error(
        .filePermissionDenied, "The realm's folder cannot be made: \(error.localizedDescription)",
        file: url)
    }
  }
}
