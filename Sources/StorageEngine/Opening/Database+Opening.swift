// Opening a file by its path: joining the sessions of the file, recovery, and what an interrupted compaction has left.
public import SystemIO

extension Database {
  /// Opens the file at `path`, and creates it if there is none. `volume` is the operating system's, except in tests.
  ///
  /// `compactOnLaunch` is called once, before anything else can access the file, unless the file is new.
  /// `launchOutcome` has the result, and `compactionObserver` receives the progress. Errors: `busy`, `notADatabase`,
  /// `corrupt`, `truncated`, `permissionDenied`, `outOfSpace`, those of keys (`keyMissing`, `keyWrong`, `keyLength`,
  /// `notEncrypted`), `limitExceeded`, `newerFormat`; the file is then unchanged.
  public static func open(
    path: FilePath, on volume: any StorageVolume = SystemVolume(),
    options: DatabaseOptions = .init(), compactOnLaunch: ((LaunchUsage) -> Bool)? = nil,
    compactionObserver: CompactionObserver? = nil
  ) throws(StorageError) -> Database {
    if options.readOnly { return try openReadOnly(path, volume, options, compactOnLaunch != nil) }
    while true {
      try copySeedFile(path, volume, options)
      do {
        let database = try openOnce(path, volume, options, compactOnLaunch, compactionObserver)
        if let database { return database }
      } catch { throw addingPath(error, path) }
    }
  }

  /// Returns nil if the file was replaced while this waited for the open/close lock.
  private static func openOnce(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions,
    _ compactOnLaunch: ((LaunchUsage) -> Bool)?, _ observer: CompactionObserver?
  ) throws -> Database? {
    let existed = volume.exists(path)
    let file = try openFile(
      path, .existingOrNew, volume, isShared: isShared(volume, options))
    // Retained to the end: as long as it is locked, no other process initializes a file that is removed here.
    defer { withExtendedLifetime(file) {} }
    // A compaction renames its copy to the file's own path: not to a link, nor relative to a working directory that has
    // changed.
    guard let resolvedPath = try resolved(path, volume) else { return nil }
    guard let session = try session(file, at: resolvedPath, existed, volume, options) else {
      return nil
    }
    defer { session.releaseOpenCloseLock() }
    // Another process may have created a database between the check and the lock.
    let didCreateFile = !existed && session.isFirst && (try? file.size) == 0
    do {
      var inner = options
      let unlocked = try unlocked(file, &inner)
      let store: Store
      var isNew = false
      if session.isFirst {
        let opened = try OpenedFile(unlocked, inner, defersSync: true)
        isNew = opened.isNew
        if opened.isSyncDue {
          session.deferSync { () throws(SystemError) in
            try syncFolder(of: resolvedPath, on: volume, options)
          }
        }
        store = Store(opened, inner, session)
        store.context.publish(version: store.firstVersion)
      } else {
        store = try Store(joining: unlocked, inner, session)
      }
      // A process that was killed, or does not sync, may have created or renamed the file without syncing the folder.
      if (options.durability == .full && !session.isSyncDue) || isNew {
        try syncFolder(of: resolvedPath, on: volume, options)
      }
      // Leftovers of an interrupted compaction; only now is it certain that no process is writing one.
      try volume.removeFile(temporaryPath(resolvedPath))
      try volume.removeFile(seedTemporaryPath(resolvedPath))
      let database = Database(store, volume, path: resolvedPath, options)
      if let compactOnLaunch {
        database.launchOutcome = try database.decideAtLaunch(isNew, compactOnLaunch, observer)
      }
      database.startIdleThread()
      return database
    } catch {
      if didCreateFile { try? volume.removeFile(path) }
      if session.isFirst { session.removeLockFile() }
      session.leave()
      throw error
    }
  }

  /// Returns whether the file is opened shared. An encrypted file never is, since each session has its own decrypted
  /// units, which commits of another would not update.
  private static func isShared(_ volume: any StorageVolume, _ options: DatabaseOptions) -> Bool {
    options.sharing == .processes && options.encryptionKey == nil && volume is any SharingVolume
  }

  /// Opens a file of the database, shared or exclusively.
  static func openFile(
    _ path: FilePath, _ opening: FileOpening, _ volume: any StorageVolume, isShared: Bool
  ) throws(StorageError) -> any StorageFile {
    do throws(SystemError) {
      guard isShared, let volume = volume as? any SharingVolume else {
        return try volume.open(path, opening)
      }
      return try volume.openShared(path, opening)
    } catch {
      throw openingError(error, path)
    }
  }

  /// Returns the path without links; nil if the file lost its name meanwhile.
  private static func resolved(
    _ path: FilePath, _ volume: any StorageVolume
  ) throws(SystemError) -> FilePath? {
    do throws(SystemError) { return try volume.resolved(path) } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// Joins the sessions of the file, and leaves the open/close lock held; nil if the file lost its name meanwhile.
  private static func session(
    _ file: any StorageFile, at resolvedPath: FilePath, _ existed: Bool,
    _ volume: any StorageVolume,
    _ options: DatabaseOptions
  ) throws -> FileSession? {
    let named = try (file as? any SharedStorageFile).map { try NamedFile($0, at: resolvedPath) }
    guard isShared(volume, options), let named else {
      let session = try FileSession()
      if let named { try session.join(named) }
      return session
    }
    let session = try FileSession.openHoldingLock(of: resolvedPath)
    guard (try? FileIdentity(of: resolvedPath)) == named.identity else { return nil }
    session.keepsDeadReaders = options.deadReaders == .held
    do { try session.join(named) } catch {
      // An empty file that was created where another had been removed while open is of no use.
      if !existed, session.belongsToOtherFile, try file.size == 0 {
        try volume.removeFile(resolvedPath)
      }
      throw error
    }
    return session
  }

  /// Opens a database in a file that the caller provides, and creates one if it is empty. The file cannot be renamed,
  /// so `compact()` skips.
  public static func open(
    file: any StorageFile, options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    var inner = options
    let store = try Store(exclusive: try unlocked(file, &inner), inner)
    let database = Database(store, SystemVolume(), path: nil, options)
    database.startIdleThread()
    return database
  }

  static func addingPath(_ error: any Error, _ path: FilePath) -> StorageError {
    switch error {
    case let error as StorageError:
      StorageError(error.code, "\(path): \(error.message)", cause: error.cause)
    case let error as SystemError: StorageError(system: error, "The database cannot be opened")
    default: StorageError(.failed, "\(path): \(error)")
    }
  }

  /// Syncs the folder of the file, which makes names in it durable.
  static func syncFolder(
    of path: FilePath, on volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(SystemError) {
    guard options.performs(.folderSync) else { return }
    try volume.syncFolder(path.removingLastComponent())
  }

  static func temporaryPath(_ path: FilePath) -> FilePath {
    FilePath(path.string + ".compacting")
  }
}
