// What the parts of a store have in common: the open file, how it is read, the options and the session. Nothing of it
// changes while the store is open, so it is used without a lock.
import SystemIO

final class FileContext: @unchecked Sendable {
  let file: any StorageFile
  let base: FileView
  /// nil if the system has no memory for it.
  private let verifiedBlocksMemory: ReservedMemory?
  /// The blocks verified since the file was opened.
  let verifiedBlocks: VerifiedBlockBitmap
  let options: DatabaseOptions
  /// This opening's session among all that share the file.
  let session: FileSession

  init(
    _ file: any StorageFile, _ base: FileView, _ options: DatabaseOptions, _ session: FileSession
  ) {
    self.file = file
    self.base = base
    self.options = options
    self.session = session
    verifiedBlocksMemory = try? VerifiedBlockBitmap.reserve(for: file.capacity)
    verifiedBlocks = VerifiedBlockBitmap(verifiedBlocksMemory)
    if options.durability == .none, !options.readOnly, options.maximumMappedBytes == nil {
      file.expectFewSyncs()
    }
  }

  // MARK: Versions

  /// The number of the newest version, of whatever session.
  var newestVersion: UInt64 { session.table[.newest] }

  /// Returns the space of a version of this length.
  func space(ofLength length: Int) -> BlockSpace {
    BlockSpace(base: base, end: length, verifiedBlocks: verifiedBlocks, fileEnd: sharedFileEnd)
  }

  /// Returns the space of a version that another session committed. It may have overwritten verified blocks, so all are
  /// verified again.
  func foreignSpace(ofLength length: Int) -> BlockSpace {
    verifiedBlocks.clear(0, to: length)
    return space(ofLength: length)
  }

  /// Reads the commit slot of a version that is, or just was, the newest.
  func slot(of number: UInt64) throws(StorageError) -> CommitSlot {
    let offset = Layout.slotOffset(of: number)
    guard let slot = CommitSlot(base, at: offset), slot.version == number else {
      throw StorageError(
        .corrupt, "The commit slot of version \(number) at offset \(offset) fails its checksum.")
    }
    guard slot.fileSize <= file.capacity else {
      throw StorageError(
        .limitExceeded,
        "Another process extended the file to \(slot.fileSize) bytes; this one has reserved address space for "
          + "\(file.capacity). Close the database and open it again.")
    }
    if let end = sharedFileEnd?.atomicLoad(0), UInt64(slot.fileSize) > end {
      throw StorageError(
        .truncated,
        "The file has \(end) bytes; its commit of version \(number) requires \(slot.fileSize).")
    }
    return slot
  }

  /// Publishes a version as the newest to all sessions of the file.
  func publish(version: UInt64) {
    if options.durability == .none { session.table[.unsynced] = 1 }
    publishFileEnd()
    session.table[.newest] = version
  }

  // MARK: The length on disk

  /// The shared word with the length on disk; nil if no other session can truncate the file.
  var sharedFileEnd: UnsafeMutableRawPointer? {
    session.isShared ? session.table.address(of: .fileEnd) : nil
  }

  /// Publishes the length of the file on disk. Called under the write lock, or before any other session has the file.
  func publishFileEnd() {
    guard let size = try? file.size else { return }
    session.table[.fileEnd] = UInt64(size)
  }

  /// What a file grows by is filled by this many commits at least, for its blocks to be initialized.
  private static let manyCommits = 8

  /// Extends the file to this length at least, for a commit of `bytes` bytes. It may be longer already: by the tail of a
  /// compaction, or by the growth of a writer that died. Called under the write lock.
  func extendFile(to size: Int, forCommitOf bytes: Int) throws(SystemError) {
    let old = try file.size
    if old < size {
      try file.resize(to: size)
      if options.durability == .full, (size - old) / Self.manyCommits >= bytes {
        file.advise(.manySmallWrites, old..<size)
      }
    }
    if session.table[.fileEnd] < UInt64(size) { session.table[.fileEnd] = UInt64(size) }
  }

  /// Truncates the file on disk. The commit is durable and ends the file here, so a failure costs disk space and
  /// nothing else: a later commit or the next opening truncates the rest. Postponed also while a reader is loading its
  /// roots, which may lie behind the end: without pages there, the access would fault. Called under the write lock.
  func truncateFile(to size: Int, _ hasLoadingReaders: Bool) -> Bool {
    guard !hasLoadingReaders else { return false }
    // Published first: no reference behind it is followed from here on, not even a damaged one.
    session.table[.fileEnd] = UInt64(size)
    if (try? file.resize(to: size)) != nil { return true }
    publishFileEnd()
    return false
  }
}
