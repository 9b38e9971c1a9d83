// The copy, the compaction by copy, and the decision at launch.
public import SystemIO

extension Database {
  /// Writes a compacted copy of the newest version, synced. Error `alreadyExists` where `path` exists. Writers go on
  /// meanwhile: the copy is of a snapshot.
  public func writeCopy(to path: FilePath) throws(StorageError) {
    let store = try store
    let version = try store.pinNewest()
    defer { store.unpin(version.number) }
    let file: SystemStorageFile
    do { file = try SystemStorageFile(path: path, .new) } catch {
      throw error.isAlreadyThere
        ? StorageError(.alreadyExists, "\(path) exists; a copy never replaces a file.")
        : StorageError(system: error, "The copy cannot be made")
    }
    do {
      _ = try CopyWriter.write(version, to: file)
      try file.sync()
      try FileSystem.syncFolder(path.removingLastComponent())
    } catch {
      try? FileSystem.removeFile(path)
      throw Self.located(error, path)
    }
  }

  /// Why automatic compaction would not begin after the newest commit, with the values that decide; nil where it would,
  /// or is switched off.
  public var automaticRefusal: String? { options.automaticCompaction?.refusal(usage()) }

  /// Replaces the file by a compacted copy: copy, sync, rename, sync of the folder. Skips where a snapshot or a write
  /// transaction is open, or the disk has no room for the copy.
  public func compact() throws(StorageError) -> CompactionOutcome {
    let old = try store
    guard try old.takeWriterPlaceIfFree() else {
      return .skipped(reason: "a write transaction is open")
    }
    defer { old.leaveWriterPlace() }
    guard let path else { return .skipped(reason: "the file was given without a path") }
    let (version, snapshots, failure) = old.mutex.withLock {
      (old.shared.pointee.newest, old.shared.pointee.snapshots, old.shared.pointee.failure)
    }
    if let failure { throw Store.poisoned(failure) }
    guard snapshots == 0 else {
      return .skipped(
        reason: "\(snapshots) snapshots are open, the oldest of them "
          + "\"\(holders().first?.label ?? "")\" on version \(holders().first?.version ?? 0)")
    }
    let before = old.account
    let written: Int
    do {
      (_, written) = try replaceFile(old, version, path)
    } catch let error as StorageError where error.code == .outOfSpace {
      return .skipped(reason: error.message)
    } catch {
      throw Self.located(error, path)
    }
    return .compacted(before: before, after: usage(), rewritten: written)
  }

  private func replaceFile(
    _ old: Store, _ version: VersionState, _ path: FilePath
  ) throws -> (Store, Int) {
    let temporary = Self.temporaryPath(path)
    try FileSystem.removeFile(temporary)
    let file = try SystemStorageFile(path: temporary, .new)
    let store: Store
    do {
      _ = try CopyWriter.write(version, to: file)
      if options.durability == .full { try file.sync() }
      store = Store(try OpenedFile(file, options), options)
      // From here on no one new gets into the old file: it has no snapshots, and this holds the writer's place.
      guard old.retire() else {
        throw StorageError(.snapshotsHeld, "A snapshot began while the copy was written.")
      }
    } catch {
      try? FileSystem.removeFile(temporary)
      throw error
    }
    do {
      try FileSystem.rename(temporary, to: path)
    } catch {
      old.reinstate()
      try? FileSystem.removeFile(temporary)
      throw error
    }
    let written = file.bytesWritten
    replaceStore(by: store)
    evacuation.reset()
    if options.durability == .full {
      try FileSystem.syncFolder(path.removingLastComponent())
    }
    return (store, written)
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
      guard shared.pointee.snapshots == 0 else { return false }
      shared.pointee.isClosed = true
      return true
    }
  }

  func reinstate() { mutex.withLock { shared.pointee.isClosed = false } }
}
