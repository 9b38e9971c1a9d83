// Closing: the file is truncated to what it needs and marked as closed, so that the next opening need not verify it.
import SystemIO

extension Store {
  func close() throws(StorageError) {
    guard try tryAcquireLocalWriteLock() else {
      throw StorageError(
        .busy, "A write transaction is open; commit it or roll it back, then close again.")
    }
    defer { releaseLocalWriteLock() }
    // Closed before the clean mark is written: no snapshot can begin in between.
    guard markClosedIfUnpinned() else {
      let snapshots = mutex.withLock { shared.pointee.registry.count }
      let open = snapshots == 1 ? "1 snapshot is" : "\(snapshots) snapshots are"
      let end = snapshots == 1 ? "it" : "them"
      throw StorageError(
        .snapshotsHeld, "\(open) open; the database stays open. End \(end), then close again.")
    }
    do throws(StorageError) {
      try session.withOpenCloseLock { () throws(StorageError) in
        if try session.otherProcess() == nil { try closeLast() }
        let account = self.account
        session.leave()
        mutex.withLock { shared.pointee.setAccount(account, of: shared.pointee.stateVersion) }
      }
    } catch {
      unmarkClosed()
      throw error
    }
  }

  /// Performs what only the last session may do.
  private func closeLast() throws(StorageError) {
    try session.acquireWriteLock()
    defer { session.releaseWriteLock() }
    try catchUp()
    let (failed, isLonger) = mutex.withLock {
      (shared.pointee.failure != nil || session.table[.failed] != 0, shared.pointee.isTruncationDue)
    }
    if !failed, !options.readOnly {
      if options.trimsOnClose { try trim() }
      let version = mutex.withLock { shared.pointee.newest }
      if isLonger { try? file.resize(to: version.fileSize) }
      try markClean(version.number)
    }
    session.removeLockFile()
  }

  /// A shorter free tail is left in the file.
  private static let minTrim = 1 << 14

  /// Truncates the free bytes at the end of the file by a commit without changes: growth proceeds in steps, and the
  /// rest of the last step is of no use to a closed file. A session that committed nothing leaves the file unchanged.
  private func trim() throws(StorageError) {
    guard mutex.withLock({ shared.pointee.newest.number }) > firstVersion else { return }
    // Closing truncates and does not reclaim: what snapshots have released since the last commit is left to the next
    // session.
    guard mutex.withLock({ shared.pointee.newlyFree.count }) == 0 else { return }
    // A record that does not fit below the new end prevents the truncation; then try again with enough space for it.
    guard let record = try trim(leaving: Layout.pageSize) else { return }
    _ = try trim(leaving: roundedUp(record, to: Layout.pageSize) + Layout.pageSize)
  }

  /// Returns the size of the commit's record if that did not fit below the new end, else nil.
  private func trim(leaving spare: Int) throws(StorageError) -> Int? {
    let newEnd = roundedUp(writer.pointee.freeSpace.freeTailOffset, to: Layout.pageSize) + spare
    guard writer.pointee.freeSpace.limit == Int.max,
      writer.pointee.freeSpace.end - newEnd >= Self.minTrim
    else { return nil }
    _ = prepareTrees()
    // The commit's record must not lie in the part that is removed.
    writer.pointee.freeSpace.setLimit(newEnd)
    defer { writer.pointee.freeSpace.setLimit(Int.max) }
    let report = try commit(CommitRequest(truncateTo: newEnd))
    return report.sizeAfter > newEnd ? report.recordBytes : nil
  }

  private func markClean(_ version: UInt64) throws(StorageError) {
    guard !CleanMark.isSet(base, for: version) else { return }
    try withUnsafeTemporaryAllocation(byteCount: CleanMark.size, alignment: 8) {
      (bytes) throws(StorageError) in
      CleanMark.encode(version, into: bytes.baseAddress!)
      do throws(SystemError) {
        try file.write(
          UnsafeRawBufferPointer(bytes), at: Layout.cleanMarkOffset(of: version))
        if options.durability == .full { try file.sync() }
      } catch {
        throw StorageError(system: error, "The database could not be marked as closed")
      }
    }
  }
}
