// The write lock of all sessions of a file: a byte lock, whose two system calls were a twentieth of a commit without syncs.
// A session that no other has joined since the table was made writes without it, and says so in the table; a session that
// has joined waits for the end of such a transaction. Docs/Processes.md argues why two never write at once.
import SystemIO

extension FileSession {
  /// How often a session looks whether the one that was alone has ended its transaction.
  private static let pollNanoseconds: UInt64 = 500_000

  /// Waits until no other session writes, and acquires the write lock.
  func acquireWriteLock() throws(StorageError) {
    guard let lock, !beginAlone() else { return }
    try locked { () throws(SystemError) in try lock.lock(LockOffset.writer) }
    while isWrittenAlone() {
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + Self.pollNanoseconds)
    }
  }

  /// Acquires the write lock if no other session writes. Returns whether none did.
  func tryAcquireWriteLock() throws(StorageError) -> Bool {
    guard let lock, !beginAlone() else { return true }
    guard try locked({ () throws(SystemError) in try lock.lockIfFree(LockOffset.writer) }) else {
      return false
    }
    guard isWrittenAlone() else { return true }
    lock.unlock(LockOffset.writer)
    return false
  }

  func releaseWriteLock() {
    guard writesAlone else {
      lock?.unlock(LockOffset.writer)
      return
    }
    writesAlone = false
    table[.lone] = 0
  }

  /// Begins to write without the byte lock if no other session has joined. Returns whether it did.
  ///
  /// The session stores its number and then reads how many have joined; one that joins is counted first and reads the
  /// number later. So at least one of the two sees the other.
  private func beginAlone() -> Bool {
    guard isFirst, table[.lastSession] == 1 else { return false }
    precondition(table[.lone] == 0, "A session that is alone writes in one transaction at a time.")
    table[.lone] = number
    writesAlone = table[.lastSession] == 1
    if !writesAlone { table[.lone] = 0 }
    return writesAlone
  }

  /// Whether another session, which was alone when it began, still writes. The byte lock must be held.
  private func isWrittenAlone() -> Bool {
    let writer = table[.lone]
    guard writer != 0 else { return false }
    if isAlive(writer) { return true }
    table[.lone] = 0
    return false
  }
}
