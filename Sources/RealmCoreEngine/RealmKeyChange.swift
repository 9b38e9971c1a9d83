// Another key for an open database. The C interface has no call for that: a compacted copy under the new key takes the
// file's place while it is not open.
import EngineInterface
import SystemIO

struct RealmKeyChange {
  private let configuration: RealmConfiguration
  private let key: [UInt8]

  init(_ configuration: RealmConfiguration, key: [UInt8]) {
    self.configuration = configuration
    self.key = key
  }

  /// A copy of the database under the new key, and the first pages of the file that it was made of: every commit changes
  /// these.
  struct Copied {
    fileprivate let draft: RealmDraft
    fileprivate let front: [UInt8]
  }

  private static let frontBytes = 8192

  /// Writes the copy beside the file, while it is open.
  func copy() throws(EngineError) -> Copied {
    let draft = RealmDraft(FilePath(configuration.path.string + ".rekeyed"))
    let instance = try RealmInstance(configuration)
    defer { instance.close() }
    let front = try self.front()
    try instance.beginRead()
    try instance.convert(to: draft, key: key)
    return Copied(draft: draft, front: front)
  }

  /// Replaces the file by the copy, once this session has closed the file. Returns the reason if it was not replaced
  /// because another session has it open or has written to it.
  func replace(_ copied: Copied) throws(EngineError) -> String? {
    defer { try? copied.draft.remove() }
    do throws(SystemError) {
      guard let lock = try WholeFileLock(FilePath(configuration.path.string + ".lock")) else {
        return "another process has it open"
      }
      return try withExtendedLifetime(lock) { () throws(SystemError) -> String? in
        guard try readFront() == copied.front else {
          return "another process wrote meanwhile"
        }
        do throws(SystemError) {
          try FileSystem.inheritAccess(
            of: configuration.path, to: copied.draft.path, as: .replacement)
        } catch  where error.isRefusal {
          return "the copy cannot have the file's owner and access rights (\(error))"
        }
        try FileSystem.rename(copied.draft.path, to: configuration.path)
        try FileSystem.syncFolder(configuration.path.removingLastComponent())
        return nil
      }
    } catch { throw failure(error) }
  }

  /// Returns the configuration with which the database is opened from now on.
  func changed() throws(EngineError) -> RealmConfiguration {
    var options = configuration.options
    options.encryptionKey = key
    return try RealmConfiguration(configuration.realm, configuration.path, options)
  }

  private func front() throws(EngineError) -> [UInt8] {
    do throws(SystemError) { return try readFront() } catch { throw failure(error) }
  }

  private func readFront() throws(SystemError) -> [UInt8] {
    try FileReader(configuration.path).bytes(at: 0, count: Self.frontBytes)
  }

  private func failure(_ error: SystemError) -> EngineError {
    EngineError(engine: realmCoreID, error, while: "changing the key")
  }
}
