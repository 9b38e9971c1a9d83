// The copy, the compaction by copy, and the decision at launch.
public import SystemIO

extension Database {
  /// Writes a compacted copy of the newest version, synced. Error `alreadyExists` where `path` exists. Writers go on
  /// meanwhile: the copy is of a snapshot.
  public func writeCopy(to path: FilePath) throws(StorageError) {
    let (store, pin) = try withStore { (store) throws(StorageError) in
      (store, try store.pinNewest(label: "compacted copy to \(path)"))
    }
    defer { store.unpin(pin) }
    let file: any StorageFile
    do { file = try volume.open(path, .new) } catch {
      throw error.isAlreadyThere
        ? StorageError(.alreadyExists, "\(path) exists; a copy never replaces a file.")
        : StorageError(system: error, "The copy cannot be made")
    }
    do {
      _ = try CopyWriter.write(pin.version, to: file)
      try file.sync()
      try volume.syncFolder(path.removingLastComponent())
    } catch {
      try? volume.removeFile(path)
      throw Self.located(error, path)
    }
  }

  /// Why automatic compaction would not begin after the newest commit, with the values that decide; nil where it would,
  /// or is switched off.
  public var automaticRefusal: String? { options.automaticCompaction?.refusal(usage()) }

  /// Replaces the file by a compacted copy: copy, sync, rename, sync of the folder. Skips where a snapshot or a write
  /// transaction is open, or the disk has no room for the copy.
  public func compact() throws(StorageError) -> CompactionOutcome {
    if options.readOnly { return .skipped(reason: "the database was opened to be read only") }
    if memoryIdentifier != nil { return .skipped(reason: "the database is in memory") }
    let (old, isMine) = try withStore { (store) throws(StorageError) in
      (store, try store.takeWriterPlaceIfFree())
    }
    guard isMine else { return .skipped(reason: "a write transaction is open") }
    defer { old.leaveWriterPlace() }
    guard let path else { return .skipped(reason: "the file was given without a path") }
    let (version, failure) = old.mutex.withLock {
      (old.shared.pointee.newest, old.shared.pointee.failure)
    }
    if let failure { throw Store.poisoned(failure) }
    let pins = old.oldestPins()
    if let oldest = pins.first {
      return .skipped(
        reason: "\(pins.count) snapshots are open, the oldest of them "
          + "\"\(oldest.label)\" on version \(oldest.version)")
    }
    let before = old.account
    let written: Int
    do {
      written = try replaceFile(old, version, path)
    } catch let error as StorageError where [.outOfSpace, .snapshotsHeld].contains(error.code) {
      return .skipped(reason: error.message)
    } catch {
      throw Self.located(error, path)
    }
    return .compacted(before: before, after: usage(), rewritten: written)
  }

  /// Answers the bytes that were written.
  private func replaceFile(
    _ old: Store, _ version: VersionState, _ path: FilePath
  ) throws -> Int {
    let temporary = Self.temporaryPath(path)
    try volume.removeFile(temporary)
    let file = try volume.open(temporary, .new)
    var isRenamed = false
    do {
      _ = try CopyWriter.write(version, to: file)
      if options.durability == .full { try file.sync() }
      let store = Store(try OpenedFile(file, options), options)
      let written = file.bytesWritten
      // From here on no one new gets into the old file: it has no snapshots, and this holds the writer's place.
      try replaceStore(old, by: store) { () throws(StorageError) in
        do throws(SystemError) {
          try volume.rename(temporary, to: path)
        } catch {
          throw StorageError(system: error, "The copy cannot take the file's place")
        }
        isRenamed = true
        evacuation.reset()
        // Before the first commit into the new file: a power loss could bring the old one back.
        guard options.durability == .full else { return }
        do throws(SystemError) {
          try volume.syncFolder(path.removingLastComponent())
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

  func decideAtLaunch(
    _ isNew: Bool, _ predicate: (LaunchUsage) -> Bool
  ) throws(StorageError) -> LaunchCompaction {
    guard !isNew else { return .notCalled(reason: "the database is new") }
    let before = LaunchUsage(usage())
    guard predicate(before) else { return .declined(before) }
    switch try compact() {
    case .compacted(_, let after, let rewritten):
      return .compacted(before: before, after: LaunchUsage(after), rewritten: rewritten)
    case .skipped(let reason): return .skipped(before, reason: reason)
    }
  }
}

extension LaunchUsage {
  init(_ account: SpaceAccount) {
    totalBytes = account.file
    usedBytes = account.usedAtLaunch
    self.account = account
  }
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

  /// Takes no more commits, because of `failure`.
  func poison(_ failure: StorageError) { mutex.withLock { shared.pointee.failure = failure } }
}
