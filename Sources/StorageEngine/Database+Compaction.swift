// The compaction by copy, and the decision at launch. Interrupted anywhere, the old file or the new one is there, whole:
// the copy has another name until all of it is durable, and one rename puts it in the old one's place.
import SystemIO

extension Database {
  /// Where automatic compaction stands after the newest commit, and what decides that. Error `closed`.
  public var automaticState: AutomaticState {
    get throws(StorageError) {
      try withStore { (store) throws(StorageError) in evacuation.state(store) }
    }
  }

  /// Replaces the file by a compacted copy: copy, sync, rename, sync of the folder. The copy takes at most the live
  /// bytes of disk besides. Skips, with the file as it was, where something stands in the way (`CompactionSkip`).
  /// `encryption` says whether the file that takes the old one's place is encrypted, and how; from then on it is the
  /// database's. Errors: `keyLength`, and those of reading and writing.
  public func compact(
    encryption: CopyEncryption = .same, _ observer: CompactionObserver? = nil
  ) throws(StorageError) -> CompactionOutcome {
    if let skip = modeObstacle { return .skipped(skip) }
    idleTurns.hold()
    defer { idleTurns.letGo() }
    let (old, isMine) = try withStore { (store) throws(StorageError) in
      (store, try store.takeWriterPlaceIfFree())
    }
    guard isMine else { return .skipped(.writeTransactionOpen) }
    defer { old.leaveWriterPlace() }
    // At the gate: until the new file has its name, nobody else opens the old one.
    return try old.session.withOpenCloseLock { () throws(StorageError) in
      try old.withoutWritersVisit { () throws(StorageError) in
        try compact(old, encryption, observer)
      }
    }
  }

  /// The caller has the writer's place, and is at the gate.
  private func compact(
    _ old: Store, _ encryption: CopyEncryption, _ observer: CompactionObserver?
  ) throws(StorageError) -> CompactionOutcome {
    let (version, failure) = old.mutex.withLock {
      (old.shared.pointee.newest, old.shared.pointee.failure)
    }
    if let failure { throw Store.poisoned(failure) }
    // What has the name now may be another file, which the copy would replace.
    try old.session.checkNames()
    let contents = CopyContents(version, old)
    let most = Self.mostRoom(for: contents)
    let isEncrypted = encryption.key(old.options.encryptionKey) != nil
    let needed = isEncrypted ? EncryptedLayout.physical(most) : most
    if let skip = try obstacle(old, contents, roomAtMost: needed) { return .skipped(skip) }
    guard let path else { return .skipped(.noPath) }
    let before = old.fileAccount
    do {
      let written = try replaceFile(old, contents, path, encryption, observer)
      return .compacted(before: before, after: usage(), rewritten: written)
    } catch let error as StorageError {
      switch error.code {
      case .outOfSpace: return .skipped(.diskTooSmall(needed: needed, available: nil))
      // One began while the copy was written.
      case .snapshotsHeld: return .skipped(obstacle(old, needed: 0) ?? .cancelled)
      case .cancelled: return .skipped(.cancelled)
      default: throw Self.located(error, path)
      }
    } catch let error as CompactionRefusal {
      return .skipped(error.skip)
    } catch {
      throw Self.located(error, path)
    }
  }

  /// Why the database cannot be compacted as it was opened.
  private var modeObstacle: CompactionSkip? {
    if options.readOnly { return .readOnly }
    if memoryIdentifier != nil { return .inMemory }
    return path == nil ? .noPath : nil
  }

  /// What stands in the way of a compaction, looking at all but the writer's place.
  func obstacle(_ store: Store, needed: Int) -> CompactionSkip? {
    guard let path else { return modeObstacle }
    // Where the locks cannot be asked someone may be there.
    do {
      if let process = try store.session.otherProcess() { return .openElsewhere(pid: process) }
    } catch { return .openElsewhere(pid: nil) }
    let pins = store.oldestPins()
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

  /// What stands in the way of a compaction that takes no more than `most`. Where the disk has less, the exact size, which
  /// takes a walk, decides.
  private func obstacle(
    _ store: Store, _ contents: CopyContents, roomAtMost most: Int
  ) throws(StorageError) -> CompactionSkip? {
    let skip = obstacle(store, needed: most)
    guard case .diskTooSmall = skip else { return skip }
    let exact = try CopyWriter.measure(contents).fileBytes
    return obstacle(store, needed: exact + store.file.encryptionOverhead(exact))
  }

  /// What the copy takes at most: a copy's nodes are full, so it has no more live bytes than its source.
  static func mostRoom(for contents: CopyContents) -> Int {
    let record = contents.names.reduce(256) { $0 + $1.utf8.count + 64 }
    let most = Layout.blocksStart + contents.liveBytes + record
    return roundedUp(most, to: Layout.pageSize) + Layout.pageSize
  }

  /// Answers the bytes that were written.
  private func replaceFile(
    _ old: Store, _ contents: CopyContents, _ path: FilePath, _ encryption: CopyEncryption,
    _ observer: CompactionObserver?
  ) throws -> Int {
    // What the database was opened with, but for the key, which an earlier compaction may have changed.
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
      // Before the work: a copy that may not have the file's owner never takes its name.
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
      // From here on no one new gets into the old file: it has no snapshots, and this holds the writer's place.
      try replaceStore(old, by: store) { () throws(StorageError) in
        do throws(SystemError) {
          try volume.rename(temporary, to: path)
        } catch {
          throw StorageError(system: error, "The copy cannot take the file's place")
        }
        isRenamed = true
        if let named { old.session.setFile(named) }
        evacuation.reset()
        // Before the first commit into the new file: a power loss could bring the old one back.
        guard options.durability == .full else { return }
        do throws(SystemError) {
          try Self.syncFolder(of: path, on: volume, options)
        } catch {
          // Which of the two a power loss would leave is unknown, so neither may take a commit.
          store.poison(StorageError(system: error, "The folder cannot be synced"))
        }
      }
      if let failure = store.mutex.withLock({ store.shared.pointee.failure }) {
        throw Store.poisoned(failure)
      }
      return written
    } catch {
      if !isRenamed { try? volume.removeFile(temporary) }
      throw error
    }
  }

  /// Error `CompactionRefusal` where the process may not give the copy these access rights.
  static func inheritAccess(
    _ copy: any StorageFile, of path: FilePath, as role: AccessRole
  ) throws {
    do throws(SystemError) { try copy.inheritAccess(of: path, as: role) } catch {
      guard !error.isRefusal else { throw CompactionRefusal(skip: .accessNotKept(error)) }
      throw StorageError(system: error, "The copy cannot be given the file's access rights")
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

/// The system refused to make the copy, or to give it the access rights of the file that it was to replace.
struct CompactionRefusal: Error {
  let skip: CompactionSkip
}

extension Store {
  /// Ends this store for all; false where a snapshot is open.
  func retire() -> Bool {
    mutex.withLock {
      guard shared.pointee.registry.count == 0 else { return false }
      shared.pointee.isClosed = true
      return true
    }
  }

  func reinstate() { mutex.withLock { shared.pointee.isClosed = false } }

  /// Takes no more commits, because of `failure`; nor does any other opening of the file.
  func poison(_ failure: StorageError) {
    session.table[.failed] = session.number
    mutex.withLock { shared.pointee.failure = failure }
  }
}
