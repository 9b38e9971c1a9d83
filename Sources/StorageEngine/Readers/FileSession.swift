// One opening of a database among all openings of its file, in this process and in others. A session holds a byte lock
// of its own while it lives, so that the kernel reports which sessions are gone. The open/close lock serializes
// opening, closing and compaction; the write lock is held by the one writer. Docs/Processes.md argues why no race is
// left.
import SystemIO

final class FileSession: @unchecked Sendable {
  /// The offsets of the byte locks, far behind any offset that the file can have, so that they conflict with no other
  /// use.
  private enum LockOffset {
    static let openClose = 1 << 40
    static let writer = openClose + 1
    /// Held while the reader table grows, and while the slots of dead sessions are cleared.
    static let table = openClose + 2
    static let sessions = openClose + 4096
  }

  let table: ReaderTable
  /// nil if the database is not shared; the table is then in private memory.
  private let lock: LockFile?
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
  /// Reader slots that this session owns and does not use. Under the store's mutex.
  private var idleSlots = RawList<Int32>(capacity: 64)
  /// Whether no other session had the database open when this one began.
  private(set) var isFirst = true
  /// Whether the lock file is used by sessions of another file, whose name this one has taken.
  private(set) var belongsToOtherFile = false
  /// Accessed under the open/close lock.
  private var holdsOpenCloseLock = false

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
    table.setSession(0, number: number, ProcessFacts(of: ProcessFacts.currentID))
  }

  private init(_ lock: LockFile) throws(SystemError) {
    self.lock = lock
    lockIdentity = try lock.identity
    memory = nil
    table = ReaderTable(base: lock.base)
  }

  deinit {
    leave()
    idleSlots.deallocate()
  }

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
        if try lock.isNamed {
          lock.adoptAccess(of: database)
          let session = try FileSession(lock)
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

  private func locked<R>(_ body: () throws(SystemError) -> R) throws(StorageError) -> R {
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
      table.setSession(slot, number: number, ProcessFacts(of: ProcessFacts.currentID))
      return
    }
    throw StorageError(
      .unsupported,
      "\(ReaderTable.maxSessions) openings share the database, which is the limit; close one.")
  }

  private func makeTable(_ lock: LockFile, _ file: FileIdentity) throws(StorageError) {
    do throws(SystemError) {
      try lock.clear()
      try lock.grow(to: ReaderTable.initialSize)
    } catch { throw StorageError(system: error, "The lock file cannot be created") }
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

  /// Releases everything but the open/close lock, which is released last.
  func leave() {
    guard number != 0 else { return }
    while let slot = idleSlots.last {
      idleSlots.removeLast()
      table.release(Int(slot))
    }
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
    guard (try? lock.isNamed) == true else { return }
    try? FileSystem.removeFile(lock.path)
  }

  // MARK: Other sessions

  /// Returns a process that has the database open besides this session, perhaps this process; nil if there is none.
  func otherProcess() throws(StorageError) -> Int32? {
    guard let lock else { return nil }
    let start = LockOffset.sessions
    let found = try locked { () throws(SystemError) in
      try lock.firstLocked(in: start..<start + ReaderTable.maxSessions)
    }
    return found.map { table.sessionProcess($0 - start).id }
  }

  /// Returns whether the session of this number still holds its lock; true if the lock cannot be queried.
  private func isAlive(_ owner: UInt64) -> Bool {
    guard owner != number, let lock else { return true }
    let slot = ReaderTable.index(of: owner)
    guard table.sessionNumber(slot) == owner else { return false }
    let start = LockOffset.sessions + slot
    do throws(SystemError) { return try lock.firstLocked(in: start..<start + 1) != nil } catch {
      return true
    }
  }

  /// Clears the reader slots of sessions that are gone, so that a process that died pins nothing after the next commit.
  /// Makes one system call for each other session that has readers. Under the store's mutex. (LMDB:
  /// `mdb_reader_check`.)
  func clearStaleReaders() {
    var alive: UInt64 = 0
    for slot in 0..<Int(table[.readersUsed]) where table.version(slot) != 0 {
      let owner = table.owner(slot)
      guard owner != number, owner != alive, owner != 0 else { continue }
      if isAlive(owner) { alive = owner } else { try? clearReaders(of: owner) }
    }
  }

  /// Clears the reader slots of a session that is gone. Serialized, because a slot may be claimed as soon as it is
  /// free.
  private func clearReaders(of deadOwner: UInt64) throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockOffset.table) }
    defer { lock?.unlock(LockOffset.table) }
    for slot in 0..<Int(table[.readersUsed]) where table.owner(slot) == deadOwner {
      table.release(slot)
    }
  }

  /// Returns all readers with what they have recorded about themselves.
  func readers() -> [ReaderEntry] {
    (0..<Int(table[.readersUsed])).compactMap { table.entry($0) }
  }

  /// Returns the process of a session, and whether it is stopped.
  func process(of owner: UInt64) -> (id: Int32, isSuspended: Bool) {
    let stored = table.sessionProcess(ReaderTable.index(of: owner))
    guard owner != number, let details = ProcessFacts(of: stored.id), details.began == stored.began
    else {
      return (stored.id, false)
    }
    return (stored.id, details.isSuspended)
  }

  // MARK: The write lock

  /// Waits until no other session writes, and acquires the write lock.
  func acquireWriteLock() throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockOffset.writer) }
  }

  func tryAcquireWriteLock() throws(StorageError) -> Bool {
    guard let lock else { return true }
    return try locked { () throws(SystemError) in try lock.lockIfFree(LockOffset.writer) }
  }

  func releaseWriteLock() { lock?.unlock(LockOffset.writer) }

  // MARK: Readers (under the store's mutex)

  /// Returns a reader slot for one snapshot. Error `unsupported` if the table is full.
  func acquireReaderSlot() throws(StorageError) -> Int {
    if let slot = idleSlots.last {
      idleSlots.removeLast()
      return Int(slot)
    }
    while true {
      let used = Int(table[.readersUsed])
      for slot in 0..<used where table.owner(slot) == 0 && table.claim(slot, for: number) {
        return slot
      }
      if used < Int(table[.readerCapacity]) {
        // Counted before it is used: a scan that does not reach the slot yet misses no registration that was valid
        // before.
        if table.base.atomicExchange(
          UInt64(used), UInt64(used + 1), ReaderTable.Field.readersUsed.rawValue),
          table.claim(used, for: number)
        {
          return used
        }
      } else {
        try growReaderTable(beyond: used)
      }
    }
  }

  private func growReaderTable(beyond used: Int) throws(StorageError) {
    guard used < ReaderTable.maxReaders, let lock else {
      throw StorageError(
        .unsupported,
        "\(used) snapshots are open, the maximum for \(isShared ? "all processes together" : "one database")"
          + "; end some.")
    }
    do throws(SystemError) {
      try lock.lock(LockOffset.table)
      defer { lock.unlock(LockOffset.table) }
      guard Int(table[.readerCapacity]) <= used else { return }
      let size = ReaderTable.readersStart + used * ReaderTable.readerSize
      let next = min(roundedUp(2 * size, to: 4096), ReaderTable.maxSize)
      try lock.grow(to: next)
      table[.readerCapacity] = UInt64((next - ReaderTable.readersStart) / ReaderTable.readerSize)
    } catch {
      throw StorageError(system: error, "The reader table cannot grow")
    }
  }

  /// Unregisters the snapshot; the slot is reused by the next one of this session.
  func releaseReaderSlot(_ slot: Int) {
    table.setVersion(slot, 0)
    idleSlots.append(Int32(truncatingIfNeeded: slot))
  }

  /// Returns the registered versions, and whether one of their readers is still loading its roots from the file.
  func registeredVersions() -> RegisteredVersions {
    var found = RegisteredVersions()
    for slot in 0..<Int(table[.readersUsed]) {
      let word = table.version(slot)
      guard word != 0 else { continue }
      found.add(word & ~ReaderTable.isLoading)
      if word & ReaderTable.isLoading != 0 { found.isLoading = true }
    }
    return found
  }
}

/// The contents of the reader table at one moment.
struct RegisteredVersions {
  /// In ascending order.
  private(set) var versions: [(number: UInt64, readers: Int)] = []
  var isLoading = false

  mutating func add(_ version: UInt64) {
    var slot = versions.count
    while slot > 0, versions[slot - 1].number > version { slot -= 1 }
    if slot > 0, versions[slot - 1].number == version {
      versions[slot - 1].readers += 1
    } else {
      versions.insert((version, 1), at: slot)
    }
  }
}
