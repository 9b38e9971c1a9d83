// The names that a session goes by: the database's and the lock file's. Someone may remove or replace either while it is
// open. Others cannot get in beside it then, for the session is bound to its lock file on the database itself; and the
// session, which would write what nobody finds, is told before its next transaction.
import SystemIO

/// The database file of a session, and where it is to be found.
struct NamedFile {
  let file: any SharedStorageFile
  let path: FilePath
  let identity: FileIdentity

  init(_ file: any SharedStorageFile, at path: FilePath) throws(SystemError) {
    self.file = file
    self.path = path
    identity = try file.identity
  }

  /// Whether the name leads to no file, or to another one. Where that cannot be asked it does not.
  static func isLost(_ path: FilePath, _ identity: FileIdentity) -> Bool {
    do throws(SystemError) { return try FileIdentity(of: path) != identity } catch {
      return error.isNotFound
    }
  }
}

extension FileSession {
  /// Says on `file` which lock file this session goes by, until it leaves. Error `busy` where another opening of the
  /// file goes by another one.
  func bind(_ file: any SharedStorageFile) throws(StorageError) {
    guard let lockIdentity else { return }
    let isAlone: Bool
    do throws(SystemError) { isAlone = try file.bind(toLockFile: lockIdentity) } catch {
      throw StorageError(system: error, "The database cannot be locked")
    }
    guard isAlone else {
      throw StorageError(
        .busy,
        "The database is open by a lock file that was removed or replaced meanwhile. Close it in all "
          + "processes that have it, then open it again; nothing that was committed is lost.")
    }
  }

  /// Looks again, unless it did a moment ago and `isRateLimited`: a commit without a sync takes little more than the look
  /// does. With the writer's place.
  func checkNames(isRateLimited: Bool) throws(StorageError) {
    if isRateLimited {
      let now = Clock.monotonicNanoseconds()
      guard now >= nextNameCheck else { return }
      nextNameCheck = now + 1_000_000
    }
    try checkNames()
  }

  /// Error `displaced` where the database or its lock file no longer has its name: two calls of the system.
  func checkNames() throws(StorageError) {
    guard let database else { return }
    guard !NamedFile.isLost(database.path, database.identity) else {
      throw StorageError(
        .displaced,
        "\(database.path) was removed, renamed or replaced while it was open, so nothing more is "
          + "written to it. Reading goes on, and writeCopy saves what it holds; then close it in all "
          + "processes and open it again.")
    }
    guard let lockIdentity, let lockPath else { return }
    guard !NamedFile.isLost(lockPath, lockIdentity) else {
      throw StorageError(
        .displaced,
        "\(lockPath) was removed or replaced while the database was open, so nothing more is written. "
          + "Reading goes on, and nothing that was committed is lost; close the database in all "
          + "processes and open it again.")
    }
  }
}
