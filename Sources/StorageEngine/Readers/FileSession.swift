// One opening of a database among all openings of its file, in this process and in others. A session holds a byte lock
// of its own while it lives, so that the kernel reports which sessions are gone. The open/close lock serializes
// opening, closing and compaction; the write lock is held by the one writer. Docs/Processes.md argues why no race is
// left.
import SystemIO

final class FileSession: @unchecked Sendable {
  /// The offsets of the byte locks, far behind any offset that the file can have, so that they conflict with no other
  /// use.
  enum LockOffset {
    static let openClose = 1 << 40
    static let writer = openClose + 1
    /// Held while the reader table grows, and while the slots of dead sessions are cleared.
    static let table = openClose + 2
    static let sessions = openClose + 4096
  }

  let table: ReaderTable
  /// nil if the database is not shared; the table is then in private memory.
  let lock: LockFile?
  private let memory: PrivateMemory?
  /// The identity of the lock file, whatever its name refers to meanwhile.
  let lockIdentity: FileIdentity?
  /// The database file; nil if it has no name, and once the session has left. Accessed under the open/close lock.
  private(set) var database: NamedFile?
  /// When to check the names again, on the monotonic clock. Accessed under the write lock.
  var nextNameCheck: UInt64 = 0
  /// This session's number, which is not reused as long as the table exists.
  private(set) var number: UInt64 = 0
  private var index = 0
  /// Whether no other session had the database open when this one began.
  private(set) var isFirst = true
  /// Whether the lock file is used by sessions of another file, whose name this one has taken.
  private(set) var belongsToOtherFile = false
  /// Accessed under the open/close lock.
  private var holdsOpenCloseLock = false
  /// Whether it writes without the byte lock, since no other session had joined. Accessed under the write lock.
  var isSoleWriter = false
  /// Whether this session leaves the reader slots of sessions that are gone as they are. Set before it joins.
  var keepsDeadReaders = false

  /// Makes the file's name durable; nil once that is done. Accessed under the write lock.
  private var syncName: (() throws(SystemError) -> Void)?

  var isShared: Bool { lock != nil }
  var lockPath: FilePath? { lock?.path }

  /// Creates the session of a database that is not shared.
  init() throws(StorageError) {
    lock = nil
    lockIdentity = nil
    do { memory = try PrivateMemory(ReaderTable.maxSize) } catch {
      throw StorageError(system: error, "There is no address space for the reader table")
    }
    table = ReaderTable(base: memory!.base)
    table[.readerCapacity] = UInt64(ReaderTable.maxReaders)
    table.setWallClockOffset()
    number = ReaderTable.number(1, at: 0)
    table.setSession(0, number: number, ProcessFacts.current)
  }

  /// Creates the session of a database that is not shared, with a copy of the table of one that is: it shows which
  /// versions were read when it was copied.
  convenience init(copying copy: ReaderTableCopy, newest: UInt64) throws(StorageError) {
    try self.init()
    copy.store(into: table, upTo: newest)
    number = ReaderTable.number(table[.lastSession] &+ 1, at: 0)
    table[.newest] = newest
  }

  private init(_ lock: LockFile) {
    self.lock = lock
    lockIdentity = lock.identity
    memory = nil
    table = ReaderTable(base: lock.base)
  }

  deinit { leave() }

  /// Returns the path of a database's lock file.
  static func path(beside database: FilePath) -> FilePath { FilePath(database.string + ".lock") }

  /// Opens the lock file of `database`, a path without symbolic links, and acquires the open/close lock.
  static func openHoldingLock(of database: FilePath) throws(StorageError) -> FileSession {
    let path = path(beside: database)
    do throws(SystemError) {
      guard try !FileSystem.isOnNetwork(database) else {
        throw SystemError(code: SystemError.notSupported, call: "mmap", path: path.string)
      }
      while true {
        let lock = try LockFile(path, capacity: ReaderTable.maxSize)
        try lock.lock(LockOffset.openClose)
        // The last session to leave removes the file, perhaps while this one waited.
        if lock.isNamed {
          lock.adoptAccess(of: database)
          let session = FileSession(lock)
          session.holdsOpenCloseLock = true
          return session
        }
      }
    } catch {
      if error.isOutOfSpace || error.isPermissionDenied {
        throw StorageError(system: error, "The lock file cannot be created")
      }
      throw StorageError(
        .unsupported,
        "The database cannot be shared between processes here (\(error)). Open it with the option "
          + "sharing: .exclusive, which needs no lock file.", cause: error)
    }
  }

  func releaseOpenCloseLock() {
    holdsOpenCloseLock = false
    lock?.unlock(LockOffset.openClose)
  }

  /// Runs `body` under the open/close lock, so that no other session opens, closes or compacts meanwhile.
  func withOpenCloseLock<R>(_ body: () throws(StorageError) -> R) throws(StorageError) -> R {
    if holdsOpenCloseLock { return try body() }
    try locked { () throws(SystemError) in try lock?.lock(LockOffset.openClose) }
    holdsOpenCloseLock = true
    defer { releaseOpenCloseLock() }
    return try body()
  }

  func locked<R>(_ body: () throws(SystemError) -> R) throws(StorageError) -> R {
    do throws(SystemError) { return try body() } catch {
      throw StorageError(system: error, "The lock file cannot be locked")
    }
  }

  // MARK: Joining and leaving (under the open/close lock)

  /// Joins the sessions of the file. The first session initializes the table, whatever is left in it.
  func join(_ file: NamedFile) throws(StorageError) {
    database = file
    guard let lock else { return }
    let others = LockOffset.sessions..<LockOffset.sessions + ReaderTable.maxSessions
    isFirst = try locked { () throws(SystemError) in try lock.firstLocked(in: others) } == nil
    do throws(StorageError) {
      try bind(file.file)
      if isFirst { try makeTable(lock, file.identity) }
    } catch {
      if isFirst { removeLockFile() }
      throw error
    }
    if !isFirst { try checkTable(file.identity) }
    for slot in 0..<ReaderTable.maxSessions {
      guard
        try locked({ () throws(SystemError) in
          try lock.lockIfFree(LockOffset.sessions + slot)
        })
      else { continue }
      let previous = table.sessionNumber(slot)
      if previous != 0 { try clearReaders(of: previous) }
      index = slot
      table[.lastSession] += 1
      number = ReaderTable.number(table[.lastSession], at: slot)
      table.setSession(slot, number: number, ProcessFacts.current)
      return
    }
    throw StorageError(
      .unsupported,
      "\(ReaderTable.maxSessions) openings share the database, which is the limit; close one.")
  }

  private func makeTable(_ lock: LockFile, _ file: FileIdentity) throws(StorageError) {
    do throws(SystemError) { try lock.reset(to: ReaderTable.initialSize) } catch {
      throw StorageError(system: error, "The lock file cannot be created")
    }
    table[.layoutVersion] = ReaderTable.layoutVersion
    table[.readerCapacity] = UInt64(
      (ReaderTable.initialSize - ReaderTable.readersStart) / ReaderTable.readerSize)
    storeIdentity(file)
    table.setWallClockOffset()
    table[.magic] = ReaderTable.magic
  }

  /// Records that a compaction has put this file in the place of the old one.
  func setFile(_ file: NamedFile) {
    database = file
    if isShared { storeIdentity(file.identity) }
  }

  /// Stores the identity of the database file in the table.
  private func storeIdentity(_ file: FileIdentity) {
    table[.device] = file.device
    table[.node] = file.node
  }

  private func checkTable(_ file: FileIdentity) throws(StorageError) {
    guard table[.magic] == ReaderTable.magic, table[.layoutVersion] == ReaderTable.layoutVersion
    else {
      throw StorageError(
        .unsupported,
        "The database is open in a process whose lock file has another layout; close it there.")
    }
    guard table[.device] == file.device, table[.node] == file.node else {
      belongsToOtherFile = true
      throw StorageError(
        .busy,
        "The lock file belongs to another file of this name, removed or replaced while it was open, that "
          + "is still open; close that first.")
    }
  }

  /// Releases everything but the open/close lock, which is released last. No reader slot of the session is in use, and
  /// the idle ones are released.
  func leave() {
    guard number != 0 else { return }
    database?.file.unbind()
    database = nil
    if let lock {
      table.setSession(index, number: 0, nil)
      lock.unlock(LockOffset.sessions + index)
    }
    number = 0
  }

  /// Removes the lock file. Called by the last session to leave, under the open/close lock. The next session creates
  /// another lock file, perhaps at once.
  func removeLockFile() {
    guard let lock else { return }
    database?.file.unbind()
    // Another lock file may have its name by now.
    guard lock.isNamed else { return }
    try? FileSystem.removeFile(lock.path)
  }

  // MARK: Durability

  /// Whether the file's name may not be durable.
  var isSyncDue: Bool { syncName != nil }

  /// Records that the newest version and the file's name may not be durable. The first durable commit syncs both.
  func deferSync(_ syncName: @escaping () throws(SystemError) -> Void) {
    table[.unsynced] = 1
    self.syncName = syncName
  }

  /// Whether all that the file has is durable, so that `makeDurable` has nothing to sync.
  var isDurable: Bool { table[.unsynced] == 0 && !isSyncDue }

  /// Makes durable what is not, before a durable commit writes anything: another session may have committed without a
  /// sync, and what an opening has found need not be durable either.
  func makeDurable(_ file: any StorageFile, _ options: DatabaseOptions) throws(SystemError) {
    if table[.unsynced] != 0 {
      if options.performs(.deferredSync) { try file.sync() }
      table[.unsynced] = 0
    }
    try syncName?()
    syncName = nil
  }
}
