// The end of a session: the file is cut to what it needs and marked as closed, so that the next opening trusts it.
import SystemIO

extension Store {
  func close() throws(StorageError) {
    guard try takeOwnPlaceIfFree() else {
      throw StorageError(
        .busy, "A write transaction is open; commit it or roll it back, then close again.")
    }
    defer { leaveOwnPlace() }
    // Closed before it is marked: no snapshot can begin in between.
    guard retire() else {
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
        mutex.withLock { shared.pointee.take(account, of: shared.pointee.stateVersion) }
      }
    } catch {
      reinstate()
      throw error
    }
  }

  /// Nobody else has the file: what waited for that is done.
  private func closeLast() throws(StorageError) {
    try session.acquireWriteLock()
    defer { session.releaseWriteLock() }
    try catchUp()
    let (failed, isLonger) = mutex.withLock {
      (shared.pointee.failure != nil || session.table[.failed] != 0, shared.pointee.cutIsDue)
    }
    if !failed, !options.readOnly {
      if options.trimsOnClose { try trim() }
      let version = mutex.withLock { shared.pointee.newest }
      if isLonger { try? file.resize(to: version.fileSize) }
      try markClean(version.number)
    }
    session.removeLockFile()
  }

  /// Less than this is left at the file's end.
  private static let leastTrim = 1 << 14

  /// Cuts the free bytes at the file's end, by a commit that changes nothing else: growth goes by steps, and what is left
  /// of the last one is of no use to a closed file. A session that committed nothing leaves the file as it was.
  private func trim() throws(StorageError) {
    guard mutex.withLock({ shared.pointee.newest.number }) > firstVersion else { return }
    // Closing cuts and does not reclaim: what snapshots have given up since the last commit waits for the next session.
    guard mutex.withLock({ shared.pointee.newlyFree.count }) == 0 else { return }
    // A record that is longer than what is free below the cut lies behind it, and nothing is cut: then once more, with
    // room for it.
    guard let record = try trim(leaving: Layout.pageSize) else { return }
    _ = try trim(leaving: roundedUp(record, to: Layout.pageSize) + Layout.pageSize)
  }

  /// Answers the bytes of the commit's record where that found no room below the cut.
  private func trim(leaving room: Int) throws(StorageError) -> Int? {
    let cut = roundedUp(writer.pointee.freeSpace.freeTailOffset, to: Layout.pageSize) + room
    guard writer.pointee.freeSpace.limit == Int.max, writer.pointee.freeSpace.end - cut >= Self.leastTrim
    else { return nil }
    _ = prepareTrees()
    // The commit's record must not lie in what is cut.
    writer.pointee.freeSpace.setLimit(cut)
    defer { writer.pointee.freeSpace.setLimit(Int.max) }
    let report = try commit(CommitRequest(cutTo: cut))
    return report.sizeAfter > cut ? report.recordBytes : nil
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
