// The readers of a file in this session: the front of `ReaderState`, which only this type reaches, under its mutex.
import SystemIO

/// The readers that are active at one moment.
struct ActiveReaders {
  /// The number of open snapshots.
  var count: Int
  /// The oldest registered version.
  var oldestVersion: UInt64?
}

/// The newest version's account and savepoints.
struct StateView {
  let account: SpaceAccount
  let savepoints: [SavepointEntry]
}

final class Readers: @unchecked Sendable {
  let context: FileContext
  private let state: Locked<ReaderState>

  init(_ context: FileContext, newest: VersionState) {
    self.context = context
    state = Locked(ReaderState(context, newest: newest))
  }

  // The session, whose slots these are, is left afterwards at the earliest.
  deinit { withLock { $0.releaseIdleSlots() } }

  /// Calls `body` with the state while no other thread uses it.
  @inline(__always)
  func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout ReaderState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock(body)
  }

  /// Takes over the idle reader slots of the readers of a store that this one replaces.
  func adoptIdleSlots(of other: Readers) {
    precondition(other !== self, "A store that replaces another has readers of its own.")
    other.withLock { old in withLock { $0.takeIdleSlots(of: &old) } }
  }

  // MARK: Snapshots

  func pinNewest(label: String) throws(StorageError) -> PinnedVersion {
    try withLock { (state) throws(StorageError) in try state.pinNewest(label: label) }
  }

  func pinAgain(_ pin: PinnedVersion, label: String) throws(StorageError) -> PinnedVersion {
    try withLock { (state) throws(StorageError) in try state.pinAgain(pin, label: label) }
  }

  func pinSavepoint(_ name: String, label: String) throws(StorageError) -> PinnedVersion {
    try withLock { (state) throws(StorageError) in try state.pinSavepoint(name, label: label) }
  }

  func unpin(_ pin: PinnedVersion) { withLock { $0.unpin(pin) } }

  /// The newest version that this session has read or committed.
  var newest: VersionState { withLock { $0.newest } }

  /// The number of open snapshots of this session.
  var snapshotCount: Int { withLock { $0.registry.count } }

  // MARK: Compaction

  /// The state of automatic compaction after the newest commit.
  var evacuation: EvacuationState { withLock { $0.evacuation } }
  var scatteredBytes: Int { withLock { $0.scatteredBytes } }
  /// The number of bytes behind the logical end of the file that are still on disk.
  var tailBytes: Int { withLock { $0.tailBytes } }

  /// The active readers at this moment, of all processes.
  var activeReaders: ActiveReaders {
    withLock { state in
      if state.isCurrent { state.syncReaderTable() }
      var found = context.session.activeReaders()
      for savepoint in state.newest.savepoints {
        found.oldestVersion = min(found.oldestVersion ?? savepoint.version, savepoint.version)
      }
      return found
    }
  }

  /// Returns the label of a snapshot or savepoint of this version; empty if none has one.
  func label(of version: UInt64) -> String {
    withLock { state in
      context.session.label(ofReadersOf: version)
        ?? state.newest.savepoints.first { $0.version == version }?.name ?? ""
    }
  }

  /// Returns the oldest version that pins space at or above `limit`, and the bytes pinned there; nil if there are none.
  func pinnedBytes(above limit: Int) -> (version: UInt64, bytes: Int)? {
    let found: (UInt64, Int)?? = try? withState { _, deferredFree in
      var oldest: UInt64?
      var bytes = 0
      deferredFree.enumerateByVersion { version, address in
        let extent = address.pointee.extent
        guard extent.end > limit else { return }
        oldest = min(oldest ?? version, version)
        bytes += extent.end - max(extent.offset, limit)
      }
      return oldest.map { ($0, bytes) }
    }
    return found ?? nil
  }

  // MARK: The newest state

  /// The account of the newest version, of whatever session.
  var account: SpaceAccount {
    let account = try? withState { view, _ in view.account }
    return account ?? withLock { $0.account }
  }

  /// Calls `body` with the account of the newest version and its pinned extents. Uses this session's state if that is
  /// current; else replays the records. A registered reader slot keeps the file's length meanwhile, and the replay is
  /// repeated if another commit overwrote the records.
  func withState<Result>(
    _ body: (StateView, borrowing DeferredFreeExtents) -> Result
  ) throws(StorageError) -> Result {
    try withLock { (state) throws(StorageError) in
      guard !state.isClosed, !state.isCurrent else {
        if !state.isClosed { state.syncReaderTable() }
        let view = StateView(account: state.account, savepoints: state.newest.savepoints)
        return body(view, state.deferredFree)
      }
      let readerSlot = try state.acquireReaderSlot()
      defer { state.releaseReaderSlot(readerSlot) }
      return try replayed(body, registeredIn: readerSlot)
    }
  }

  private func replayed<Result>(
    _ body: (StateView, borrowing DeferredFreeExtents) -> Result, registeredIn readerSlot: Int
  ) throws(StorageError) -> Result {
    let table = context.session.table
    while true {
      let number = table[.newest]
      table.setVersion(readerSlot, number | ReaderTable.isLoading)
      guard table[.newest] == number else { continue }
      do throws(StorageError) {
        var found = context.session.registeredVersions()
        found.removeHolder(of: number)
        let state = try LoadedState(
          try context.slot(of: number), base: context.base, context.options, registered: found)
        let view = StateView(
          account: state.account, savepoints: state.chain.newest.savepoints)
        return body(view, state.deferredFree)
      } catch {
        guard table[.newest] != number else { throw error }
      }
    }
  }
}
