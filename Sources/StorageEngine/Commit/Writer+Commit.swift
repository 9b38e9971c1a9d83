// A commit, step by step:
//   1. every changed block is placed in the free space, children before parents, and gets its checksum; leaves that lie
//      apart are written there meanwhile;
//   2. the record is placed;
//   3. the file grows, if it must: a full disk is detected here, with nothing written that a version refers to;
//   4. all other blocks and the record are written, then the slot, then one sync;
//   5. the version is published, and what it freed becomes reusable;
//   6. the file is cut behind its new end, if that is due.
// A failure before step 4 undoes the allocations. A failure from step 4 on also poisons the database, because what
// reached the disk is unknown. Why one sync is enough: Docs/FileFormat.md.
import SystemIO

extension Writer {
  /// Commits the changes of the transaction.
  mutating func commit(_ request: CommitRequest) throws(StorageError) -> CommitReport {
    let sizeBefore = allocator.space.end
    writes.removeAll()
    let session = context.session
    allocator.beginCommit(
      pinnedBytes: readers.withLock { state in
        session.clearStaleReaders()
        state.syncReaderTable()
        return state.deferredFree.bytes
      })
    collectNewlyFree()
    let commit = try place(sizeBefore, request)
    // If this process dies from here on, the session that acquires the write lock next recovers the commit first.
    session.table[.committing] = session.number
    do throws(SystemError) { try write(commit) } catch {
      let failure = StorageError(system: error, "The commit could not be written")
      context.file.discard(newerThan: commit.slot.version - 1)
      allocator.undo(writes, sizeBefore: sizeBefore)
      poison(failure)
      throw failure
    }
    let hasLoadingReaders = publish(commit)
    session.table[.committing] = 0
    let sizeAfter = commit.record.sizeAfter
    let left = truncateAfterCommit(sizeAfter - sizeBefore, request, hasLoadingReaders)
    return CommitReport(
      version: commit.record.version, blockBytes: commit.blockBytes,
      recordBytes: commit.record.pieces.reduce(0) { $0 + $1.size }, sizeBefore: sizeBefore,
      sizeAfter: sizeAfter, left: left, evacuation: commit.record.evacuation)
  }

  /// Allocates blocks and record, and grows the file if they need it. Undone if that fails.
  private mutating func place(
    _ sizeBefore: Int, _ request: CommitRequest
  ) throws(StorageError) -> PlacedCommit {
    do throws(StorageError) {
      guard !allocator.space.hasDoubleFree else { throw CommitRecord.doubleFree }
      let blockBytes = try placeBlocks()
      let commit = try placeRecord(blockBytes, sizeBefore, request)
      if commit.record.liveBytes > liveBytes { try allocator.checkReserve() }
      if commit.record.sizeAfter > sizeBefore { try grow(to: commit.record.sizeAfter) }
      return commit
    } catch {
      let isLonger = allocator.space.end > sizeBefore
      allocator.undo(writes, sizeBefore: sizeBefore)
      // The file may have grown in part.
      if isLonger {
        _ = context.truncateFile(to: sizeBefore, readers.withLock { $0.syncReaderTable() })
      }
      throw error
    }
  }

  private func grow(to size: Int) throws(StorageError) {
    do throws(SystemError) { try context.extendFile(to: size, forCommitOf: writes.bytes) } catch {
      throw StorageError(
        system: error, "The file cannot grow to \(size) bytes; the commit was rolled back")
    }
  }

  /// Writes blocks and record, then the slot, and makes them durable.
  private mutating func write(_ commit: borrowing PlacedCommit) throws(SystemError) {
    let (file, table, slot) = (context.file, context.session.table, commit.slot)
    let isDurable = context.options.durability == .full
    // The previous version must be durable before any of this one is.
    if isDurable { try context.session.makeDurable(file, context.options) }
    file.begin(version: slot.version)
    try seededFaults?.willWrite(commit, to: file)
    if isLong(commit) {
      try writes.writeGathered(to: file)
    } else {
      try writes.writeCoalesced(to: file, startsWriteback: isDurable)
    }
    if slot.isContentSynced, isDurable { try file.sync() }
    try writes.write(slot, to: file)
    if !isDurable {
      table[.unsynced] = 1
    } else if context.options.performs(.commitSync) {
      try file.sync()
    }
  }

  /// Whether the commit is written around the page cache. Without syncs nothing waits for the disk.
  private func isLong(_ commit: borrowing PlacedCommit) -> Bool {
    commit.blockBytes > context.options.longCommitThreshold && context.options.durability == .full
      && !(context.file is EncryptedFile)
  }

  /// Publishes the version. Returns whether a reader is still loading its roots from the file.
  private mutating func publish(_ commit: borrowing PlacedCommit) -> Bool {
    allocator.endCommit(placed: writes.bytes)
    let version = VersionState(
      number: commit.record.version, liveBytes: commit.record.liveBytes, names: changes.names,
      roots: changes.tables, space: context.space(ofLength: commit.record.sizeAfter),
      savepoints: changes.savepoints)
    // Blocks written from memory need no verification.
    writes.forEachExtent { context.verifiedBlocks.markVerified($0.offset, $0.size) }
    if commit.record.sizeAfter < allocator.space.end {
      allocator.space.truncate(to: commit.record.sizeAfter)
    }
    liveBytes = commit.record.liveBytes
    log.append(commit.record, commit.slot.record)
    let overhead =
      Layout.blocksStart + log.bytes + SavepointEntry.listBytes(commit.record.savepoints)
    return readers.withLock { state in
      state.publish(
        version, commit.record, overheadBytes: overhead, in: &allocator.space)
    }
  }

  // MARK: The tail

  /// Adjusts the tail after the logical end of the file has moved by `change`. Returns the bytes behind the end on
  /// disk.
  private mutating func truncateAfterCommit(
    _ change: Int, _ request: CommitRequest, _ hasLoadingReaders: Bool
  ) -> Int {
    if change != 0 { readers.withLock { $0.tailBytes = max(0, $0.tailBytes - change) } }
    if change < 0, request.truncates { isTruncationDue = true }
    return truncateTail(atMost: request.maxTruncationBytes, hasLoadingReaders)
  }

  /// Truncates the tail behind the logical end that is due, at most `bytes` of it. Returns the bytes that are left.
  /// Called after a commit, or between two.
  @discardableResult
  mutating func truncateTail(atMost bytes: Int, _ hasLoadingReaders: Bool) -> Int {
    // Read from the file, since growth that failed may have removed more, and truncation must never extend the file.
    guard isTruncationDue, bytes > 0, let size = try? context.file.size else {
      return readers.tailBytes
    }
    let end = allocator.space.end
    let tail = max(0, size - end)
    let left = max(0, tail - bytes)
    let didTruncate = tail == 0 || context.truncateFile(to: end + left, hasLoadingReaders)
    let rest = didTruncate ? left : tail
    readers.withLock { $0.tailBytes = rest }
    isTruncationDue = rest > 0
    return rest
  }
}
