// The names of a session's files: the database's and the lock file's. Another process may remove or replace either
// while it is open. Sessions that then open the database by its new lock file are kept out, because each session is
// bound to its lock file by a lock on the database itself. And the session whose files lost their names gets an error
// at its next transaction, because no one would find what it writes.
import SystemIO

/// The database file of a session and its path.
struct NamedFile {
  let file: any SharedStorageFile
  let path: FilePath
  let identity: FileIdentity

  init(_ file: any SharedStorageFile, at path: FilePath) throws(SystemError) {
    self.file = file
    self.path = path
    identity = try file.identity
  }

  /// Returns whether the path refers to no file or to another one; false if that cannot be determined.
  static func isLost(_ path: FilePath, _ identity: FileIdentity) -> Bool {
    do throws(SystemError) { return try FileIdentity(of: path) != identity } catch {
      return error.isNotFound
    }
  }
}

extension FileSession {
  /// Binds the database file to this session's lock file until the session leaves. Error `busy` if another session has
  /// bound it to a different one.
  func bind(_ file: any SharedStorageFile) throws(StorageError) {
    guard let lockIdentity else { return }
    let isAlone: Bool
    do throws(SystemError) { isAlone = try file.bind(toLockFile: lockIdentity) } catch {
      throw StorageError(system: error, "The database cannot be locked")
    }
    guard isAlone else {
      throw StorageError(
        .busy,
        "The database is open with a lock file that was removed or replaced meanwhile. Close it in all "
          + "processes that have it open, then open it again; no commit is lost.")
    }
  }

  /// Checks the names as below; with `isRateLimited` at most once a millisecond, because a commit without a sync takes
  /// little longer than the check. Under the write lock.
  func checkNames(isRateLimited: Bool) throws(StorageError) {
    if isRateLimited {
      let now = Clock.monotonicNanoseconds()
      guard now >= nextNameCheck else { return }
      nextNameCheck = now + 1_000_000
    }
    try checkNames()
  }

  /// Throws `displaced` if the database or its lock file no longer has its name. Makes two system calls.
  func checkNames() throws(StorageError) {
    guard let database else { return }
    guard !NamedFile.isLost(database.path, database.identity) else {
      throw StorageError(
        .displaced,
        "\(database.path) was removed, renamed or replaced while it was open, so nothing more is "
          + "written to it. It can still be read, and writeCopy saves its contents; then close it in all "
          + "processes and open it again.")
    }
    guard let lockIdentity, let lockPath else { return }
    guard !NamedFile.isLost(lockPath, lockIdentity) else {
      throw StorageError(
        .displaced,
        "\(lockPath) was removed or replaced while the database was open, so nothing more is written. "
          + "The database can still be read, and no commit is lost; close it in all "
          + "processes and open it again.")
    }
  }
}
