// The write lock of all sessions of a file: a byte lock, whose two system calls were a twentieth of a commit without syncs.
// A session that no other has joined since the table was made writes without it, as the sole writer, and records that in the
// table; a session that has joined waits for the end of such a transaction. Docs/Processes.md argues why two never write at
// once.
import SystemIO

extension FileSession {
  /// The time between two checks whether the sole writer has ended its transaction.
  private static let pollNanoseconds: UInt64 = 500_000

  /// Waits until no other session writes, and acquires the write lock.
  func acquireWriteLock() throws(StorageError) {
    guard let lock, !becomeSoleWriter() else { return }
    try locked { () throws(SystemError) in try lock.lock(LockOffset.writer) }
    while hasSoleWriter() {
      Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + Self.pollNanoseconds)
    }
  }

  /// Acquires the write lock if no other session writes. Returns whether none did.
  func tryAcquireWriteLock() throws(StorageError) -> Bool {
    guard let lock, !becomeSoleWriter() else { return true }
    guard try locked({ () throws(SystemError) in try lock.lockIfFree(LockOffset.writer) }) else {
      return false
    }
    guard hasSoleWriter() else { return true }
    lock.unlock(LockOffset.writer)
    return false
  }

  func releaseWriteLock() {
    guard isSoleWriter else {
      lock?.unlock(LockOffset.writer)
      return
    }
    isSoleWriter = false
    table[.soleWriter] = 0
  }

  /// Begins to write without the byte lock if no other session has joined. Returns whether it has begun.
  ///
  /// The session stores its number and then reads how many have joined; one that joins is counted first and reads the
  /// number later. So at least one of the two sees the other.
  private func becomeSoleWriter() -> Bool {
    guard isFirst, table[.lastSession] == 1 else { return false }
    precondition(table[.soleWriter] == 0, "A sole writer has one transaction at a time.")
    table[.soleWriter] = number
    isSoleWriter = table[.lastSession] == 1
    if !isSoleWriter { table[.soleWriter] = 0 }
    return isSoleWriter
  }

  /// Whether another session is still in a transaction that it began as the sole writer. The byte lock must be held.
  private func hasSoleWriter() -> Bool {
    let writer = table[.soleWriter]
    guard writer != 0 else { return false }
    if isAlive(writer) { return true }
    table[.soleWriter] = 0
    return false
  }
}
