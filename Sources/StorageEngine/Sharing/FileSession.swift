// One opening of a database among all openings of its file, in this process and in others. It holds a lock of its own
// for as long as it lives, so that the kernel says who is gone; the gate lets openings, closings and compactions by one
// at a time; the writer's byte is held by the one who writes. Docs/Processes.md argues why no race is left.
import SystemIO

final class FileSession: @unchecked Sendable {
  /// Where the locks are: far behind what the file may hold, so that they are of no use to anyone else.
  private enum LockPlace {
    static let gate = 1 << 40
    static let writer = gate + 1
    /// Held while room is added for readers, and while places of dead sessions are freed.
    static let table = gate + 2
    static let sessions = gate + 4096
  }

  let table: ShareTable
  /// nil where the database is this opening's alone; the table is then private memory.
  private let lock: LockFile?
  private let memory: PrivateMemory?
  /// Which file the lock file is, whatever its name leads to meanwhile.
  let lockIdentity: FileIdentity?
  /// The database; nil where it has no name, and once the session has left. Set by the one who opens, closes or compacts.
  private(set) var database: NamedFile?
  /// When to look at the names again, on the monotonic clock. With the writer's place.
  var nextLook: UInt64 = 0
  /// This session's number: never used again for as long as the table lives.
  private(set) var number: UInt64 = 0
  private var index = 0
  /// Places of the reader table that this session has and does not use. Under the store's mutex.
  private var vacant = RawList<Int32>(capacity: 64)
  /// Whether nobody else had the database open when this session began.
  private(set) var isFirst = true
  /// Whether those who have the lock file have another database by it, whose name this one took.
  private(set) var isOfAnotherFile = false
  /// Set and read by the one who opens, closes or compacts.
  private var holdsGate = false

  var isShared: Bool { lock != nil }
  var lockPath: FilePath? { lock?.path }

  /// A session that shares with nobody.
  init() throws(StorageError) {
    lock = nil
    lockIdentity = nil
    do { memory = try PrivateMemory(ShareTable.longest) } catch {
      throw StorageError(system: error, "There is no address space for the table of readers")
    }
    table = ShareTable(base: memory!.base)
    table[.readersRoom] = UInt64(ShareTable.mostReaders)
    table.setCalendar()
    number = ShareTable.number(1, at: 0)
    table.setSession(0, number: number, ProcessFacts(of: ProcessFacts.currentID))
  }

  private init(_ lock: LockFile) throws(SystemError) {
    self.lock = lock
    lockIdentity = try lock.identity
    memory = nil
    table = ShareTable(base: lock.base)
  }

  deinit {
    leave()
    vacant.deallocate()
  }

  /// Where the lock file of a database is.
  static func path(beside database: FilePath) -> FilePath { FilePath(database.string + ".lock") }

  /// Opens the lock file of `database`, a path without links, and waits for the gate, which is then held.
  static func atGate(of database: FilePath) throws(StorageError) -> FileSession {
    let path = path(beside: database)
    do throws(SystemError) {
      guard try !FileSystem.isOnNetwork(database) else {
        throw SystemError(code: SystemError.notSupported, call: "mmap", path: path.string)
      }
      while true {
        let lock = try LockFile(path, capacity: ShareTable.longest)
        try lock.lock(LockPlace.gate)
        // The last one out removes the file, perhaps while this one waited.
        if try lock.isNamed {
          lock.adoptAccess(of: database)
          let session = try FileSession(lock)
          session.holdsGate = true
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

  func leaveGate() {
    holdsGate = false
    lock?.unlock(LockPlace.gate)
  }

  /// Runs `body` while nobody else opens, closes or compacts; waits for whoever does.
  func atGate<R>(_ body: () throws(StorageError) -> R) throws(StorageError) -> R {
    if holdsGate { return try body() }
    try locked { () throws(SystemError) in try lock?.lock(LockPlace.gate) }
    holdsGate = true
    defer { leaveGate() }
    return try body()
  }

  private func locked<R>(_ body: () throws(SystemError) -> R) throws(StorageError) -> R {
    do throws(SystemError) { return try body() } catch {
      throw StorageError(system: error, "The lock file cannot be locked")
    }
  }

  // MARK: Coming and going (at the gate)

  /// Takes a place among the sessions; the first one makes the table anew, whatever was left there.
  func enter(_ file: NamedFile) throws(StorageError) {
    database = file
    guard let lock else { return }
    let others = LockPlace.sessions..<LockPlace.sessions + ShareTable.mostSessions
    isFirst = try locked { () throws(SystemError) in try lock.firstLocked(in: others) } == nil
    do throws(StorageError) {
      try bind(file.file)
      if isFirst { try makeTable(lock, file.identity) }
    } catch {
      if isFirst { removeFile() }
      throw error
    }
    if !isFirst { try checkTable(file.identity) }
    for place in 0..<ShareTable.mostSessions {
      guard
        try locked({ () throws(SystemError) in
          try lock.lockIfFree(LockPlace.sessions + place)
        })
      else { continue }
      let before = table.sessionNumber(place)
      if before != 0 { try freePlaces(of: before) }
      index = place
      table[.lastSession] += 1
      number = ShareTable.number(table[.lastSession], at: place)
      table.setSession(place, number: number, ProcessFacts(of: ProcessFacts.currentID))
      return
    }
    throw StorageError(
      .unsupported,
      "\(ShareTable.mostSessions) openings share the database, which is the limit; close one.")
  }

  private func makeTable(_ lock: LockFile, _ file: FileIdentity) throws(StorageError) {
    do throws(SystemError) {
      try lock.clear()
      try lock.grow(to: ShareTable.firstSize)
    } catch { throw StorageError(system: error, "The lock file cannot be made") }
    table[.layoutVersion] = ShareTable.layoutVersion
    table[.readersRoom] = UInt64(
      (ShareTable.firstSize - ShareTable.readersStart) / ShareTable.readerSize)
    note(file)
    table.setCalendar()
    table[.magic] = ShareTable.magic
  }

  /// The session is of this file from here on: a compaction put it in the old one's place.
  func setFile(_ file: NamedFile) {
    database = file
    if isShared { note(file.identity) }
  }

  /// The table is of this file.
  private func note(_ file: FileIdentity) {
    table[.device] = file.device
    table[.node] = file.node
  }

  private func checkTable(_ file: FileIdentity) throws(StorageError) {
    guard table[.magic] == ShareTable.magic, table[.layoutVersion] == ShareTable.layoutVersion
    else {
      throw StorageError(
        .unsupported,
        "The database is open in a process whose lock file has another layout; close it there.")
    }
    guard table[.device] == file.device, table[.node] == file.node else {
      isOfAnotherFile = true
      throw StorageError(
        .busy,
        "The lock file belongs to another file of this name, removed or replaced while it was open, that "
          + "is still open; close that first.")
    }
  }

  /// Gives up everything but the file's locks, which the gate is the last of.
  func leave() {
    guard number != 0 else { return }
    while let place = vacant.last {
      vacant.removeLast()
      table.give(back: Int(place))
    }
    database?.file.unbind()
    database = nil
    if let lock {
      table.setSession(index, number: 0, nil)
      lock.unlock(LockPlace.sessions + index)
    }
    number = 0
  }

  /// Removes the lock file: the last one out does, at the gate. Who comes next goes by another one, and may at once.
  func removeFile() {
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
    let start = LockPlace.sessions
    let found = try locked { () throws(SystemError) in
      try lock.firstLocked(in: start..<start + ShareTable.mostSessions)
    }
    return found.map { table.sessionProcess($0 - start).id }
  }

  /// Whether the session of this number holds its lock; where that cannot be asked it does.
  private func isAlive(_ owner: UInt64) -> Bool {
    guard owner != number, let lock else { return true }
    let place = ShareTable.index(of: owner)
    guard table.sessionNumber(place) == owner else { return false }
    let start = LockPlace.sessions + place
    do throws(SystemError) { return try lock.firstLocked(in: start..<start + 1) != nil } catch {
      return true
    }
  }

  /// Frees the places of readers whose sessions are gone: a process that died pins nothing after the next commit. Costs
  /// a call of the system for each other session that reads. Under the store's mutex.
  func freeDead() {
    var alive: UInt64 = 0
    for place in 0..<Int(table[.readersUsed]) where table.version(place) != 0 {
      let owner = table.owner(place)
      guard owner != number, owner != alive, owner != 0 else { continue }
      if isAlive(owner) { alive = owner } else { try? freePlaces(of: owner) }
    }
  }

  /// Frees the readers' places of a session that is gone. One at a time does: a place that is free may be taken at once.
  private func freePlaces(of gone: UInt64) throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockPlace.table) }
    defer { lock?.unlock(LockPlace.table) }
    for place in 0..<Int(table[.readersUsed]) where table.owner(place) == gone {
      table.give(back: place)
    }
  }

  /// All readers, each as it says of itself.
  func readers() -> [ReaderEntry] {
    (0..<Int(table[.readersUsed])).compactMap { table.entry($0) }
  }

  /// The process of a session, and whether it is stopped.
  func process(of owner: UInt64) -> (id: Int32, isSuspended: Bool) {
    let known = table.sessionProcess(ShareTable.index(of: owner))
    guard owner != number, let facts = ProcessFacts(of: known.id), facts.began == known.began else {
      return (known.id, false)
    }
    return (known.id, facts.isSuspended)
  }

  // MARK: The one writer

  /// Waits until no other session writes.
  func takeWriter() throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockPlace.writer) }
  }

  func takeWriterIfFree() throws(StorageError) -> Bool {
    guard let lock else { return true }
    return try locked { () throws(SystemError) in try lock.lockIfFree(LockPlace.writer) }
  }

  func leaveWriter() { lock?.unlock(LockPlace.writer) }

  // MARK: Readers (under the store's mutex)

  /// A place in the reader table for one snapshot. Error `unsupported` where all places are taken.
  func takePlace() throws(StorageError) -> Int {
    if let place = vacant.last {
      vacant.removeLast()
      return Int(place)
    }
    while true {
      let used = Int(table[.readersUsed])
      for place in 0..<used where table.owner(place) == 0 && table.take(place, for: number) {
        return place
      }
      if used < Int(table[.readersRoom]) {
        // Counted before it is used: a scan that does not look there yet sees none that was already valid.
        if table.base.atomicExchange(
          UInt64(used), UInt64(used + 1), ShareTable.Field.readersUsed.rawValue),
          table.take(used, for: number)
        {
          return used
        }
      } else {
        try addRoom(beyond: used)
      }
    }
  }

  private func addRoom(beyond used: Int) throws(StorageError) {
    guard used < ShareTable.mostReaders, let lock else {
      throw StorageError(
        .unsupported,
        "\(used) snapshots are open, which is the most that \(isShared ? "all processes" : "one database") "
          + "can have; end some.")
    }
    do throws(SystemError) {
      try lock.lock(LockPlace.table)
      defer { lock.unlock(LockPlace.table) }
      guard Int(table[.readersRoom]) <= used else { return }
      let size = ShareTable.readersStart + used * ShareTable.readerSize
      let next = min(roundedUp(2 * size, to: 4096), ShareTable.longest)
      try lock.grow(to: next)
      table[.readersRoom] = UInt64((next - ShareTable.readersStart) / ShareTable.readerSize)
    } catch {
      throw StorageError(system: error, "The table of readers cannot grow")
    }
  }

  /// Ends the registration; the place serves the next snapshot.
  func leavePlace(_ place: Int) {
    table.setVersion(place, 0)
    vacant.append(Int32(truncatingIfNeeded: place))
  }

  /// The versions that are registered, and whether one of their readers still looks for its roots in the file.
  func registered() -> RegisteredVersions {
    var found = RegisteredVersions()
    for place in 0..<Int(table[.readersUsed]) {
      let word = table.version(place)
      guard word != 0 else { continue }
      found.add(word & ~ShareTable.isLoading)
      if word & ShareTable.isLoading != 0 { found.isLoading = true }
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
    var place = versions.count
    while place > 0, versions[place - 1].number > version { place -= 1 }
    if place > 0, versions[place - 1].number == version {
      versions[place - 1].readers += 1
    } else {
      versions.insert((version, 1), at: place)
    }
  }
}
