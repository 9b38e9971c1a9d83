// One opening of a database among all openings of its file, in this process and in others. It holds a lock of its own
// for as long as it lives, so that the kernel says who is gone; the gate lets openings, closings and compactions by one
// at a time; the writer's byte is held by the one who writes. Docs/Processes.md argues why no race is left.
import SystemIO

final class FileSession: @unchecked Sendable {
  /// Where the locks are: far behind what the file may hold, so that they are of no use to anyone else.
  private enum LockOffset {
    static let openClose = 1 << 40
    static let writer = openClose + 1
    /// Held while room is added for readers, and while places of dead sessions are freed.
    static let table = openClose + 2
    static let sessions = openClose + 4096
  }

  let table: ReaderTable
  /// nil where the database is this opening's alone; the table is then private memory.
  private let lock: LockFile?
  private let memory: PrivateMemory?
  /// Which file the lock file is, whatever its name leads to meanwhile.
  let lockIdentity: FileIdentity?
  /// The database; nil where it has no name, and once the session has left. Set by the one who opens, closes or compacts.
  private(set) var database: NamedFile?
  /// When to look at the names again, on the monotonic clock. With the writer's place.
  var nextNameCheck: UInt64 = 0
  /// This session's number: never used again for as long as the table lives.
  private(set) var number: UInt64 = 0
  private var index = 0
  /// Places of the reader table that this session has and does not use. Under the store's mutex.
  private var idleSlots = RawList<Int32>(capacity: 64)
  /// Whether nobody else had the database open when this session began.
  private(set) var isFirst = true
  /// Whether those who have the lock file have another database by it, whose name this one took.
  private(set) var belongsToOtherFile = false
  /// Set and read by the one who opens, closes or compacts.
  private var holdsOpenCloseLock = false

  var isShared: Bool { lock != nil }
  var lockPath: FilePath? { lock?.path }

  /// A session that shares with nobody.
  init() throws(StorageError) {
    lock = nil
    lockIdentity = nil
    do { memory = try PrivateMemory(ReaderTable.maxSize) } catch {
      throw StorageError(system: error, "There is no address space for the table of readers")
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

  /// Where the lock file of a database is.
  static func path(beside database: FilePath) -> FilePath { FilePath(database.string + ".lock") }

  /// Opens the lock file of `database`, a path without links, and waits for the gate, which is then held.
  static func openHoldingLock(of database: FilePath) throws(StorageError) -> FileSession {
    let path = path(beside: database)
    do throws(SystemError) {
      guard try !FileSystem.isOnNetwork(database) else {
        throw SystemError(code: SystemError.notSupported, call: "mmap", path: path.string)
      }
      while true {
        let lock = try LockFile(path, capacity: ReaderTable.maxSize)
        try lock.lock(LockOffset.openClose)
        // The last one out removes the file, perhaps while this one waited.
        if try lock.isNamed {
          lock.adoptAccess(of: database)
          let session = try FileSession(lock)
          session.holdsOpenCloseLock = true
          return session
        }
      }
    } catch {
      if error.isOutOfSpace || error.isPermissionDenied {
        throw StorageError(system: error, "The lock file cannot be made")
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

  /// Runs `body` while nobody else opens, closes or compacts; waits for whoever does.
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

  // MARK: Coming and going (at the gate)

  /// Takes a place among the sessions; the first one makes the table anew, whatever was left there.
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
    } catch { throw StorageError(system: error, "The lock file cannot be made") }
    table[.layoutVersion] = ReaderTable.layoutVersion
    table[.readerCapacity] = UInt64(
      (ReaderTable.initialSize - ReaderTable.readersStart) / ReaderTable.readerSize)
    storeIdentity(file)
    table.setWallClockOffset()
    table[.magic] = ReaderTable.magic
  }

  /// The session is of this file from here on: a compaction put it in the old one's place.
  func setFile(_ file: NamedFile) {
    database = file
    if isShared { storeIdentity(file.identity) }
  }

  /// The table is of this file.
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

  /// Gives up everything but the file's locks, which the gate is the last of.
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

  /// Removes the lock file: the last one out does, at the gate. Who comes next goes by another one, and may at once.
  func removeLockFile() {
    guard let lock else { return }
    database?.file.unbind()
    // Another one may have its name.
    guard (try? lock.isNamed) == true else { return }
    try? FileSystem.removeFile(lock.path)
  }

  // MARK: Who else is there

  /// A process that has the database open beside this session; nil where there is none. It may be this process.
  func otherProcess() throws(StorageError) -> Int32? {
    guard let lock else { return nil }
    let start = LockOffset.sessions
    let found = try locked { () throws(SystemError) in
      try lock.firstLocked(in: start..<start + ReaderTable.maxSessions)
    }
    return found.map { table.sessionProcess($0 - start).id }
  }

  /// Whether the session of this number holds its lock; where that cannot be asked it does.
  private func isAlive(_ owner: UInt64) -> Bool {
    guard owner != number, let lock else { return true }
    let slot = ReaderTable.index(of: owner)
    guard table.sessionNumber(slot) == owner else { return false }
    let start = LockOffset.sessions + slot
    do throws(SystemError) { return try lock.firstLocked(in: start..<start + 1) != nil } catch {
      return true
    }
  }

  /// Frees the places of readers whose sessions are gone: a process that died pins nothing after the next commit. Costs
  /// a call of the system for each other session that reads. Under the store's mutex.
  func clearStaleReaders() {
    var alive: UInt64 = 0
    for slot in 0..<Int(table[.readersUsed]) where table.version(slot) != 0 {
      let owner = table.owner(slot)
      guard owner != number, owner != alive, owner != 0 else { continue }
      if isAlive(owner) { alive = owner } else { try? clearReaders(of: owner) }
    }
  }

  /// Frees the readers' places of a session that is gone. One at a time does: a place that is free may be taken at once.
  private func clearReaders(of gone: UInt64) throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockOffset.table) }
    defer { lock?.unlock(LockOffset.table) }
    for slot in 0..<Int(table[.readersUsed]) where table.owner(slot) == gone {
      table.release(slot)
    }
  }

  /// All readers, each as it says of itself.
  func readers() -> [ReaderEntry] {
    (0..<Int(table[.readersUsed])).compactMap { table.entry($0) }
  }

  /// The process of a session, and whether it is stopped.
  func process(of owner: UInt64) -> (id: Int32, isSuspended: Bool) {
    let stored = table.sessionProcess(ReaderTable.index(of: owner))
    guard owner != number, let details = ProcessFacts(of: stored.id), details.began == stored.began else {
      return (stored.id, false)
    }
    return (stored.id, details.isSuspended)
  }

  // MARK: The one writer

  /// Waits until no other session writes.
  func acquireWriteLock() throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockOffset.writer) }
  }

  func tryAcquireWriteLock() throws(StorageError) -> Bool {
    guard let lock else { return true }
    return try locked { () throws(SystemError) in try lock.lockIfFree(LockOffset.writer) }
  }

  func releaseWriteLock() { lock?.unlock(LockOffset.writer) }

  // MARK: Readers (under the store's mutex)

  /// A place in the reader table for one snapshot. Error `unsupported` where all places are taken.
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
        // Counted before it is used: a scan that does not look there yet sees none that was already valid.
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
        "\(used) snapshots are open, which is the most that \(isShared ? "all processes" : "one database") "
          + "can have; end some.")
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
      throw StorageError(system: error, "The table of readers cannot grow")
    }
  }

  /// Ends the registration; the place serves the next snapshot.
  func releaseReaderSlot(_ slot: Int) {
    table.setVersion(slot, 0)
    idleSlots.append(Int32(truncatingIfNeeded: slot))
  }

  /// The versions that are registered, and whether one of their readers still looks for its roots in the file.
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

/// What the reader table holds at one moment.
struct RegisteredVersions {
  /// Ascending.
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
