// Compaction by copy, on demand and at launch. After a crash at any point either the old file or the new one is there,
// complete: the copy has a temporary name until it is durable, and one rename replaces the old file.
import SystemIO

extension Database {
  /// The state of automatic compaction after the newest commit, and the reason for it. Error `closed`.
  public var automaticState: AutomaticState {
    get throws(StorageError) {
      try withStore { (store) throws(StorageError) in evacuation.state(store.readers) }
    }
  }

  /// Replaces the file by a compacted copy: copy, sync, rename, sync of the folder. The copy needs at most as much
  /// additional disk space as there are live bytes. Skips, without changing the file, if something prevents it
  /// (`CompactionSkip`). `encryption` determines whether and with which key the new file is encrypted; from then on the
  /// database uses it. Errors: `keyLength`, and those of reading and writing.
  public func compact(
    encryption: CopyEncryption = .same, _ observer: CompactionObserver? = nil
  ) throws(StorageError) -> CompactionOutcome {
    if let skip = unsupportedModeSkip { return .skipped(skip) }
    idleGate.close()
    defer { idleGate.open() }
    let locked = try withStore { (store) throws(StorageError) in try store.tryAcquireWriteLock() }
    guard var access = locked else { return .skipped(.writeTransactionOpen) }
    // The right to write to the new file. Held, as the old one is, until the open/close lock is released.
    var next: WriteAccess?
    // Under the open/close lock: no other session opens the old file before the new one has its name.
    let session = access.store.session
    return try session.withOpenCloseLock { () throws(StorageError) in
      // The copy enters epochs of its own.
      access.writer.epoch.leave()
      defer { access.writer.epoch.enter() }
      return try compact(&access, &next, encryption, observer)
    }
  }

  /// The caller holds the open/close lock.
  private func compact(
    _ access: inout WriteAccess, _ next: inout WriteAccess?, _ encryption: CopyEncryption,
    _ observer: CompactionObserver?
  ) throws(StorageError) -> CompactionOutcome {
    if let failure = access.writer.failure { throw StorageError.poisoned(by: failure) }
    let old = access.store
    let version = old.readers.newest
    // The path may refer to another file by now, which the copy would replace.
    try old.session.checkNames()
    let contents = CopyContents(version, old)
    let maxSize = Self.maxCopySize(for: contents)
    let isEncrypted = encryption.key(old.options.encryptionKey) != nil
    let needed = isEncrypted ? EncryptedLayout.adjacentEntries.physical(maxSize) : maxSize
    if let skip = try skipReason(old, contents, maxSize: needed) { return .skipped(skip) }
    guard let path else { return .skipped(.noPath) }
    let before = old.fileAccount
    do {
      let written = try replaceFile(&access, &next, contents, path, encryption, observer)
      return .compacted(before: before, after: usage(), rewritten: written)
    } catch let error as StorageError {
      switch error.code {
      case .outOfSpace: return .skipped(.diskTooSmall(needed: needed, available: nil))
      // A snapshot began while the copy was written.
      case .snapshotsHeld: return .skipped(skipReason(old, needed: 0) ?? .cancelled)
      case .cancelled: return .skipped(.cancelled)
      default: throw Self.addingPath(error, path)
      }
    } catch let error as CompactionRefusal {
      return .skipped(error.skip)
    } catch {
      throw Self.addingPath(error, path)
    }
  }

  /// Why the database cannot be compacted in the mode in which it was opened.
  private var unsupportedModeSkip: CompactionSkip? {
    if options.readOnly { return .readOnly }
    if memoryIdentifier != nil { return .inMemory }
    return path == nil ? .noPath : nil
  }

  /// Returns what prevents a compaction, apart from the write lock.
  func skipReason(_ store: Store, needed: Int) -> CompactionSkip? {
    guard let path else { return unsupportedModeSkip }
    // If the locks cannot be queried another session may exist.
    do {
      if let process = try store.session.otherProcess() { return .openElsewhere(pid: process) }
    } catch { return .openElsewhere(pid: nil) }
    let pins = store.readers.oldestPins()
    if let oldest = pins.first(where: { $0.kind == .snapshot }) {
      return .snapshotHeld(
        by: oldest.label, version: oldest.version, since: oldest.beganWall,
        bytesRetained: oldest.retained)
    }
    if let oldest = pins.first {
      return .savepointHeld(
        name: oldest.label, version: oldest.version, since: oldest.beganWall,
        bytesRetained: oldest.retained)
    }
    if let available = try? volume.freeBytes(at: path), available < needed {
      return .diskTooSmall(needed: needed, available: available)
    }
    return nil
  }

  /// Returns what prevents a compaction whose copy takes at most `maxSize` bytes. If less disk space is available, the
  /// exact size decides, which takes a walk.
  private func skipReason(
    _ store: Store, _ contents: CopyContents, maxSize: Int
  ) throws(StorageError) -> CompactionSkip? {
    let skip = skipReason(store, needed: maxSize)
    guard case .diskTooSmall = skip else { return skip }
    let exact = try CopyWriter.measure(contents).fileBytes
    return skipReason(store, needed: exact + store.file.encryptionOverhead(ofCopy: exact))
  }

  /// Returns an upper bound of the copy's size: its nodes are full, so it has no more live bytes than its source.
  static func maxCopySize(for contents: CopyContents) -> Int {
    let record = contents.names.reduce(256) { $0 + $1.utf8.count + 64 }
    let size = Layout.blocksStart + contents.liveBytes + record
    return roundedUp(size, to: Layout.pageSize) + Layout.pageSize
  }

  /// Returns the number of bytes written.
  private func replaceFile(
    _ access: inout WriteAccess, _ next: inout WriteAccess?, _ contents: CopyContents,
    _ path: FilePath, _ encryption: CopyEncryption, _ observer: CompactionObserver?
  ) throws -> Int {
    let old = access.store
    // The options of the opening, except the key, which an earlier compaction may have changed.
    var options = options
    options.encryptionKey = encryption.key(old.options.encryptionKey)
    let temporary = Self.temporaryPath(path)
    try volume.removeFile(temporary)
    let sealed: any StorageFile
    do throws(StorageError) {
      sealed = try Self.openFile(temporary, .new, volume, isShared: old.session.isShared)
    } catch {
      guard let cause = error.cause, cause.isPermissionDenied else { throw error }
      throw CompactionRefusal(skip: .folderNotWritable(cause))
    }
    var isRenamed = false
    do {
      // Before the work: a copy that cannot have the file's owner never gets its name.
      try Self.inheritAccess(sealed, of: path, as: .draft)
      let named = try (sealed as? any SharedStorageFile).map { try NamedFile($0, at: path) }
      if let named { try old.session.bind(named.file) }
      let file = try Self.unlocked(sealed, &options)
      _ = try CopyWriter.write(contents, to: file, observer)
      try CopyWriter.writeHeader(to: file)
      try Self.inheritAccess(file, of: path, as: .replacement)
      if options.durability == .full { try file.sync() }
      let store = Store(try OpenedFile(file, options), options, old.session)
      let written = file.bytesWritten
      guard var replacement = try store.tryAcquireThreadLock() else {
        preconditionFailure("No other thread has a store that is new.")
      }
      var syncFailure: StorageError?
      // From here on no session joins the old file: it has no snapshots, and this thread holds its write lock.
      try replaceStore(&access, by: &replacement) { () throws(StorageError) in
        do throws(SystemError) {
          try volume.rename(temporary, to: path)
        } catch {
          throw StorageError(system: error, "The copy cannot replace the file")
        }
        isRenamed = true
        if let named { old.session.setFile(named) }
        evacuation.reset()
        // Before the first commit into the new file, since a power loss could bring the old one back.
        guard options.durability == .full else { return }
        do throws(SystemError) {
          try Self.syncFolder(of: path, on: volume, options)
        } catch {
          // It is unknown which of the two a power loss would leave, so neither may take a commit.
          syncFailure = StorageError(system: error, "The folder cannot be synced")
        }
      }
      if let syncFailure {
        replacement.writer.poison(syncFailure)
        next = consume replacement
        throw StorageError.poisoned(by: syncFailure)
      }
      next = consume replacement
      return written
    } catch {
      if !isRenamed { try? volume.removeFile(temporary) }
      throw error
    }
  }

  /// Gives the copy the access rights of the file. Error `CompactionRefusal` if the process may not.
  static func inheritAccess(
    _ copy: any StorageFile, of path: FilePath, as role: AccessRole
  ) throws {
    do throws(SystemError) { try copy.inheritAccess(of: path, as: role) } catch {
      guard !error.isRefusal else { throw CompactionRefusal(skip: .accessNotKept(error)) }
      throw StorageError(system: error, "The copy cannot get the file's access rights")
    }
  }

  func decideAtLaunch(
    _ isNew: Bool, _ predicate: (LaunchUsage) -> Bool, _ observer: CompactionObserver?
  ) throws(StorageError) -> LaunchCompaction {
    guard !isNew else { return .notCalled(.newDatabase) }
    let before = LaunchUsage(usage())
    guard predicate(before) else { return .declined(before) }
    switch try compact(observer) {
    case .compacted(_, let after, let rewritten):
      return .compacted(before: before, after: LaunchUsage(after), rewritten: rewritten)
    case .skipped(let skip): return .skipped(before, skip)
    }
  }
}

/// The system refused to create the copy, or to give it the access rights of the file that it replaces.
struct CompactionRefusal: Error {
  let skip: CompactionSkip
}
