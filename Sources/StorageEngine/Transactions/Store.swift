// The state of one open file. Two parts: what all threads share, under the mutex; and what belongs to whoever has the
// writer's place. Both lie in raw memory, because stored properties of a class cost a check at each access.
import SystemIO

/// What all threads share; touched under the store's mutex only.
struct SharedState {
  var newest: VersionState
  var retired: RetiredExtents
  /// Extents that snapshots gave up since the writer last looked.
  var released = RawList<Extent>(capacity: 64)
  var releasedBytes = 0
  /// The writer's counts, as of the newest commit.
  var liveBytes: Int
  var freeBytes: Int
  var overheadBytes: Int
  /// Where automatic compaction stands; changed by the writer only.
  var evacuation: EvacuationState
  /// What a compaction cut off and left on disk behind the file's end.
  var tailBytes = 0
  var registry = SnapshotRegistry()
  var writerIsActive = false
  var isClosed = false
  /// The first write or sync that failed: nothing may be written any more.
  var failure: StorageError?
}

/// What belongs to the writer.
struct WriterState {
  var free: FreeSpace
  var tree: TreeWriter
  var tables: RawList<TableRoot>
  var names: [String]
  var savepoints: [SavepointEntry]
  /// Table lists of savepoints that the transaction drops or moves.
  var dropped: [Extent] = []
  var liveBytes: Int
  /// Pieces of the records from the last checkpoint on.
  var chain: RawList<Extent>
  var chainBytes = 0
  var checkpointBytes = 0
  var previous: (version: UInt64, ref: RecordRef)
  var writes = RawList<PendingWrite>(capacity: 256)
  var record = RecordWriter()
  /// An allocation below the limit found no room: the limit is off, and the compaction that set it must give up.
  var gaveUpLimit = false
  /// The disk refused a growth that the commit could do without; not asked for again in this commit.
  var isRefusedGrowth = false
  /// Places of blocks that `SeededFault.reuseOneCommitEarly` wrote over.
  var reusedEarly: Set<Int> = []
  var staging = UnsafeMutableRawPointer.allocate(byteCount: Store.stagingSize, alignment: 16)

  func deallocate() {
    free.deallocate()
    tree.deallocate()
    tables.deallocate()
    chain.deallocate()
    writes.deallocate()
    record.deallocate()
    staging.deallocate()
  }
}

/// A block with its place in the file, and its bytes in memory.
struct PendingWrite {
  var offset: Int
  var size: Int
  var bytes: UnsafeMutableRawPointer
}

final class Store: @unchecked Sendable {
  static let stagingSize = 1 << 18

  let file: any StorageFile
  let base: FileView
  /// nil where the system has no memory for it.
  private let touchedMemory: ReservedMemory?
  /// Which blocks were verified since the file was opened.
  let touched: FirstTouch
  /// The newest version when the file was opened.
  let firstVersion: UInt64
  let options: DatabaseOptions
  let mutex = ThreadMutex()
  private let writerLeft = ThreadCondition()
  let shared: UnsafeMutablePointer<SharedState>
  let writer: UnsafeMutablePointer<WriterState>

  init(_ opened: OpenedFile, _ options: DatabaseOptions) {
    file = opened.file
    base = opened.base
    self.options = options
    touchedMemory = try? FirstTouch.reserve(for: opened.file.capacity)
    touched = FirstTouch(touchedMemory)
    let record = opened.chain.newest
    var tables = RawList<TableRoot>(capacity: 16)
    for table in record.tables { tables.append(table.root) }
    let names = record.tables.map(\.name)
    var chain = RawList<Extent>(capacity: 64)
    for piece in opened.chain.pieces.joined() { chain.append(piece) }
    let bytes = opened.chain.pieces.map { $0.reduce(0) { $0 + $1.size } }
    firstVersion = record.version
    let version = VersionState(
      number: record.version, fileSize: record.sizeAfter, liveBytes: record.liveBytes,
      names: names, roots: tables.start,
      space: BlockSpace(base: base, end: record.sizeAfter, touched: touched),
      savepoints: record.savepoints)
    shared = .allocate(capacity: 1)
    shared.initialize(
      to: SharedState(
        newest: version, retired: opened.retired,
        liveBytes: record.liveBytes, freeBytes: opened.free.bytes,
        overheadBytes: Layout.blocksStart + bytes.reduce(0, +)
          + SavepointEntry.listBytes(record.savepoints),
        evacuation: EvacuationState()))
    writer = .allocate(capacity: 1)
    writer.initialize(
      to: WriterState(
        free: opened.free,
        tree: TreeWriter(
          space: version.space, version: record.version + 1,
          inlineValueLimit: min(max(0, options.inlineValueLimit), 512)),
        tables: tables, names: names, savepoints: record.savepoints, liveBytes: record.liveBytes,
        chain: chain,
        chainBytes: bytes.dropFirst().reduce(0, +), checkpointBytes: bytes[0],
        previous: (record.version, opened.slot.record)))
    adopt(record.evacuation)
    shared.pointee.tailBytes = max(0, ((try? file.size) ?? 0) - record.sizeAfter)
  }

  deinit {
    shared.pointee.retired.deallocate()
    shared.pointee.released.deallocate()
    shared.deinitialize(count: 1)
    shared.deallocate()
    writer.pointee.deallocate()
    writer.deinitialize(count: 1)
    writer.deallocate()
  }

  // MARK: Snapshots

  /// Registers a snapshot of the newest version.
  func pinNewest(label: String) throws(StorageError) -> PinnedVersion {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    let version = shared.pointee.newest
    shared.pointee.retired.register(version.number)
    return shared.pointee.registry.add(SnapshotHolder(version, label: label))
  }

  func unpin(_ pin: PinnedVersion) {
    mutex.lock()
    defer { mutex.unlock() }
    release(pin.version.number)
    shared.pointee.registry.remove(pin)
  }

  /// Ends one registration. Called under the mutex.
  func release(_ version: UInt64) {
    let before = shared.pointee.retired.bytes
    shared.pointee.retired.release(version, freed: &shared.pointee.released)
    let freed = before - shared.pointee.retired.bytes
    shared.pointee.releasedBytes += freed
    shared.pointee.freeBytes += freed
  }

  // MARK: The writer's place

  /// Waits until no one else writes.
  func takeWriterPlace() throws(StorageError) {
    mutex.lock()
    defer { mutex.unlock() }
    while shared.pointee.writerIsActive { writerLeft.wait(mutex) }
    guard !shared.pointee.isClosed else { throw Self.closed }
    shared.pointee.writerIsActive = true
  }

  /// Takes the writer's place, or answers false where someone has it.
  func takeWriterPlaceIfFree() throws(StorageError) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    guard !shared.pointee.writerIsActive else { return false }
    shared.pointee.writerIsActive = true
    return true
  }

  func leaveWriterPlace() {
    mutex.lock()
    shared.pointee.writerIsActive = false
    // Whoever finds the store closed leaves without taking the place, and so wakes no one after itself.
    if shared.pointee.isClosed { writerLeft.broadcast() } else { writerLeft.signal() }
    mutex.unlock()
  }

  /// Takes the writer's place and prepares the trees for a transaction; answers the version that it will make.
  func beginWrite() throws(StorageError) -> UInt64 {
    guard !options.readOnly else { throw Self.readOnly }
    try takeWriterPlace()
    do throws(StorageError) {
      if let failure = mutex.withLock({ shared.pointee.failure }) { throw Self.poisoned(failure) }
    } catch {
      leaveWriterPlace()
      throw error
    }
    return prepareTrees()
  }

  /// Begins a transaction on the newest version; answers the version that it will make.
  func prepareTrees() -> UInt64 {
    let newest = mutex.withLock { shared.pointee.newest }
    writer.pointee.tables.removeAll()
    for index in 0..<newest.tableCount { writer.pointee.tables.append(newest.roots[index]) }
    writer.pointee.names = newest.names
    writer.pointee.savepoints = newest.savepoints
    writer.pointee.dropped = []
    writer.pointee.tree.begin(newest.space, version: newest.number + 1)
    return newest.number + 1
  }

  /// Gives the writer what snapshots released since it last looked. Called with the writer's place.
  func collectReleased() {
    mutex.lock()
    defer { mutex.unlock() }
    for extent in shared.pointee.released.buffer { writer.pointee.free.release(extent) }
    shared.pointee.released.removeAll()
    shared.pointee.releasedBytes = 0
  }

  var account: SpaceAccount {
    mutex.withLock {
      SpaceAccount(
        file: shared.pointee.newest.fileSize, live: shared.pointee.liveBytes,
        free: shared.pointee.freeBytes, pinned: shared.pointee.retired.bytes, pending: 0,
        overhead: shared.pointee.overheadBytes)
    }
  }

  /// The account of the file as it lies on disk.
  var fileAccount: SpaceAccount {
    var account = account
    account.addSealing(file.sealingBytes(account.file))
    return account
  }

  static var closed: StorageError {
    StorageError(.closed, "The database is closed; open it again.")
  }

  static var readOnly: StorageError {
    StorageError(
      .readOnly, "The database was opened to be read only; open it for writing to change it.")
  }

  static func poisoned(_ failure: StorageError) -> StorageError {
    StorageError(
      .poisoned,
      "An earlier write failed, so what is on disk is unknown. Open the database again to go on "
        + "from its last durable commit. The failure: \(failure.message)",
      cause: failure.cause)
  }
}

extension StorageError {
  /// What the operating system said, as one of our codes.
  init(system error: SystemError, _ what: String) {
    let code: Code =
      if error.isOutOfSpace {
        .outOfSpace
      } else if error.isPermissionDenied {
        .permissionDenied
      } else if error.isLocked {
        .busy
      } else if error.isAlreadyThere {
        .alreadyExists
      } else {
        .failed
      }
    let cure =
      error.isOutOfSpace
      ? "; make room on the disk, or raise the limit on the size of files (ulimit -f)" : ""
    self.init(code, "\(what): \(error)\(cure)", cause: error)
  }
}
