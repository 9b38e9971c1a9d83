// Closing: the file is truncated to what it needs and marked as closed, so that the next opening need not verify it.
import SystemIO

extension Store {
  /// Closes the file for all threads and leaves the session. Errors: `busy`, `snapshotsHeld`; the store stays open then.
  func close() throws(StorageError) {
    guard var access = try tryAcquireThreadLock() else {
      throw StorageError(
        .busy, "A write transaction is open; commit it or roll it back, then close again.")
    }
    // Closed before the clean mark is written: no snapshot can begin in between.
    guard access.closeIfUnpinned() else { throw snapshotsHeld }
    do throws(StorageError) {
      try session.withOpenCloseLock { () throws(StorageError) in
        if try session.otherProcess() == nil { try closeLast(&access) }
        LastWriters.shared.remove(context)
        let account = readers.account
        readers.withLock { state in
          state.releaseIdleSlots()
          session.leave()
          state.setAccount(account)
        }
      }
    } catch {
      access.reopen()
      throw error
    }
  }

  private var snapshotsHeld: StorageError {
    let snapshots = readers.snapshotCount
    let open = snapshots == 1 ? "1 snapshot is" : "\(snapshots) snapshots are"
    let end = snapshots == 1 ? "it" : "them"
    return StorageError(
      .snapshotsHeld, "\(open) open; the database stays open. End \(end), then close again.")
  }

  /// Performs what only the last session may do.
  private func closeLast(_ access: inout WriteAccess) throws(StorageError) {
    try access.acquireSessionLock()
    defer { access.releaseSessionLock() }
    if !access.writer.isPoisoned, !options.readOnly {
      if options.trimsOnClose { try trim(&access.writer) }
      let version = readers.newest
      if access.writer.isTruncationDue { try? file.resize(to: version.fileSize) }
      try markClean(version.number)
    }
    session.removeLockFile()
  }

  /// A shorter free tail is left in the file.
  private static let minTrim = 1 << 14

  /// Truncates the free bytes at the end of the file by a commit without changes: growth proceeds in steps, and the
  /// rest of the last step is of no use to a closed file. A session that committed nothing leaves the file unchanged.
  private func trim(_ writer: inout Writer) throws(StorageError) {
    guard readers.newest.number > firstVersion else { return }
    // Closing truncates and does not reclaim: what snapshots have released since the last commit is left to the next
    // session.
    guard readers.withLock({ $0.newlyFree.isEmpty && $0.delayedFree.isEmpty }) else { return }
    // A record that does not fit below the new end prevents the truncation; then try again with enough space for it.
    guard let record = try trim(&writer, leaving: Layout.pageSize) else { return }
    _ = try trim(
      &writer, leaving: roundedUp(record, to: Layout.pageSize) + Layout.pageSize)
  }

  /// Returns the size of the commit's record if that did not fit below the new end, else nil.
  private func trim(_ writer: inout Writer, leaving spare: Int) throws(StorageError) -> Int? {
    let newEnd = roundedUp(writer.allocator.space.freeTailOffset, to: Layout.pageSize) + spare
    guard writer.allocator.space.limit == Int.max,
      writer.allocator.space.end - newEnd >= Self.minTrim
    else { return nil }
    writer.beginChanges()
    // The commit's record must not lie in the part that is removed.
    writer.allocator.space.setLimit(newEnd)
    defer { writer.allocator.space.setLimit(Int.max) }
    let report = try writer.commit(CommitRequest(truncateTo: newEnd))
    return report.sizeAfter > newEnd ? report.recordBytes : nil
  }

  private func markClean(_ version: UInt64) throws(StorageError) {
    guard !CleanMark.isSet(context.base, for: version) else { return }
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
