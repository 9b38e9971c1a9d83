// What a session does with the reader table: it claims slots for its snapshots, reads which versions are registered, and
// clears what sessions that are gone have left.
import SystemIO

extension FileSession {
  // MARK: Readers

  /// Returns whether the slot is this session's.
  func owns(readerSlot slot: Int) -> Bool { number != 0 && table.owner(slot) == number }

  /// Claims a reader slot for this session. Error `unsupported` if the table is full.
  func claimReaderSlot() throws(StorageError) -> Int {
    precondition(number != 0, "A session that was left has no readers.")
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

  /// Replaces `found` with the registered versions. A commit asks for them several times while something is pinned, so the
  /// list's memory is used again.
  func read(into found: inout RegisteredVersions) {
    found.removeAll()
    enumerateRegistrations { version, isLoading in
      found.add(version)
      if isLoading { found.isLoading = true }
    }
  }

  /// Returns the registered versions, and whether one of their readers is still loading its roots from the file.
  func registeredVersions() -> RegisteredVersions {
    var found = RegisteredVersions()
    read(into: &found)
    return found
  }

  /// Returns how many readers there are, and the oldest version that one of them has registered.
  func activeReaders() -> ActiveReaders {
    var found = ActiveReaders(count: 0)
    enumerateRegistrations { version, _ in
      found.count += 1
      found.oldestVersion = min(found.oldestVersion ?? version, version)
    }
    return found
  }

  /// Calls `body` with the version of each reader, and whether it is still loading its roots.
  @inline(__always)
  private func enumerateRegistrations(_ body: (UInt64, _ isLoading: Bool) -> Void) {
    for slot in 0..<Int(table[.readersUsed]) {
      let word = table.version(slot)
      guard word != 0 else { continue }
      body(word & ~ReaderTable.isLoading, word & ReaderTable.isLoading != 0)
    }
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
  func isAlive(_ owner: UInt64) -> Bool {
    guard owner != number, let lock else { return true }
    let slot = ReaderTable.index(of: owner)
    guard table.sessionNumber(slot) == owner else { return false }
    let start = LockOffset.sessions + slot
    do throws(SystemError) { return try lock.firstLocked(in: start..<start + 1) != nil } catch {
      return true
    }
  }

  /// Clears the reader slots of sessions that are gone, so that a process that died pins nothing after the next commit;
  /// with `DeadReaders.held` does nothing. Makes one system call for each other session that has readers. (LMDB:
  /// `mdb_reader_check`.)
  func clearStaleReaders() {
    guard !keepsDeadReaders else { return }
    var alive: UInt64 = 0
    for slot in 0..<Int(table[.readersUsed]) where table.version(slot) != 0 {
      let owner = table.owner(slot)
      guard owner != number, owner != alive, owner != 0 else { continue }
      if isAlive(owner) { alive = owner } else { try? clearReaders(of: owner) }
    }
  }

  /// Clears the reader slots of a session that is gone. Serialized, because a slot may be claimed as soon as it is
  /// free.
  func clearReaders(of deadOwner: UInt64) throws(StorageError) {
    try locked { () throws(SystemError) in try lock?.lock(LockOffset.table) }
    defer { lock?.unlock(LockOffset.table) }
    precondition(deadOwner != number, "A session does not clear its own readers.")
    for slot in 0..<Int(table[.readersUsed]) where table.owner(slot) == deadOwner {
      table.release(slot)
    }
  }

  /// Returns all readers with what they have recorded about themselves.
  func readers() -> [ReaderEntry] {
    (0..<Int(table[.readersUsed])).compactMap { table.entry($0) }
  }

  /// Returns the greatest label among the readers of a version; nil if it has no reader. A commit needs it while a version
  /// is pinned, so no label of another version is read.
  func label(ofReadersOf version: UInt64) -> String? {
    var greatest: String?
    for index in 0..<Int(table[.readersUsed]) {
      guard let label = table.entry(index, of: version)?.label else { continue }
      greatest = max(greatest ?? label, label)
    }
    return greatest
  }
}
