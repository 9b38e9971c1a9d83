// Opening and recovery: creates the database if the file is empty; else chooses the newest commit that passes every
// check, and makes it durable before anything builds on it: at once, or, if the file is as it was when it was closed, with
// the first durable commit. Most openings of an app only read at first, and two syncs were more than half of their time.
import SystemIO

struct OpenedFile: ~Copyable {
  let file: any StorageFile
  let base: FileView
  /// The state of the newest version, with only its savepoints registered.
  let state: LoadedState
  let isNew: Bool
  /// The length of the file now.
  let size: Int
  /// Whether what was read may not be durable, and must be before anything builds on it.
  let isSyncDue: Bool

  var slot: CommitSlot { state.slot }
  var chain: RecordChain { state.chain }

  /// `truncates` a file that is longer than its newest version requires; allowed only if no other session may be
  /// reading its end. With `defersSync`, a file that was closed and is as it was then is not synced (`isSyncDue`).
  init(
    _ file: any StorageFile, _ options: DatabaseOptions, truncates: Bool = true,
    defersSync: Bool = false
  ) throws(StorageError) {
    let base: FileView
    let isNew: Bool
    var size: Int
    do throws(SystemError) {
      base = try FileView(file)
      size = try file.size
      isNew = FileHeader.isUnfinished(base.start, size: size)
    } catch {
      throw StorageError(system: error, "The file cannot be read")
    }
    if isNew {
      guard !options.readOnly else {
        throw StorageError(
          .notADatabase, "The file contains no database yet, and was opened read-only.")
      }
      try Self.create(file, options)
      size = Layout.initialFileSize
    }
    try FileHeader.check(base.start, size: size)
    guard !FileHeader.isEncrypted(base.start) || base.encryptedFile != nil else {
      throw StorageError(
        .keyMissing, "The file is encrypted; open it with the key (encryptionKey).")
    }
    let state = try Self.chooseCommit(base, size, options)
    let slot = state.slot
    file.discard(newerThan: slot.version)
    let isAsClosed = size == slot.fileSize && CleanMark.isSet(base, for: slot.version)
    let isSyncDue =
      defersSync && isAsClosed && !isNew && !options.readOnly
      && Self.tornSlot(base, newest: slot.version) == nil
    if !isNew, !options.readOnly, !isSyncDue {
      size = try Self.recover(file, base, slot, size, options, truncates: truncates)
    }
    (self.file, self.base, self.isNew, self.isSyncDue) = (file, base, isNew, isSyncDue)
    self.size = size
    self.state = state
  }

  /// Makes the newest commit durable, and removes what a later one has left. Returns the length of the file then.
  private static func recover(
    _ file: any StorageFile, _ base: FileView, _ slot: CommitSlot, _ size: Int,
    _ options: DatabaseOptions, truncates: Bool
  ) throws(StorageError) -> Int {
    do throws(SystemError) {
      if options.performs(.tornSlotClearing) {
        try clearTornSlot(file, base, newest: slot.version)
      }
      // A killed process may have left a commit that is complete in the page cache but not on disk.
      if options.durability == .full, options.performs(.recoverySync) { try file.sync() }
      guard truncates, size > slot.fileSize else { return size }
      try file.resize(to: slot.fileSize)
      return slot.fileSize
    } catch {
      throw StorageError(system: error, "The last commit cannot be made durable")
    }
  }

  /// Returns the offset of a slot that is newer than the version that recovery has chosen; nil if there is none.
  private static func tornSlot(_ base: FileView, newest: UInt64) -> Int? {
    let offset = Layout.slotOffset(of: newest + 1)
    guard let slot = CommitSlot(base, at: offset), slot.version > newest else { return nil }
    return offset
  }

  /// Clears the slot of a torn commit that recovery rejected. As little as one sector of that commit may be missing,
  /// and the next commit may write that very sector with the same bytes (both may change the same node at the same
  /// offset). If the power failed then, the rejected commit would be complete and the newest.
  private static func clearTornSlot(
    _ file: any StorageFile, _ base: FileView, newest: UInt64
  ) throws(SystemError) {
    guard let offset = tornSlot(base, newest: newest) else { return }
    let blank = [UInt8](repeating: 0, count: CommitSlot.size)
    let result: Result<Void, SystemError> = blank.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try file.write(bytes, at: offset) }
    }
    try result.get()
  }

  /// Creates an empty database. The header is written last, so that a header implies that everything else is there.
  static func create(_ file: any StorageFile, _ options: DatabaseOptions) throws(StorageError) {
    var record = CommitRecord()
    record.version = 1
    record.sizeBefore = Layout.initialFileSize
    record.sizeAfter = Layout.initialFileSize
    record.free = [
      Extent(offset: Layout.blocksStart, size: Layout.initialFileSize - Layout.blocksStart)
    ]
    var payload = RecordWriter()
    record.encode(into: &payload)
    let piece = Extent(
      offset: Layout.blocksStart, size: RecordPiece.sizes(for: payload.count)[0])
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Layout.pageSize, alignment: 16)
    defer { memory.deallocate() }
    do throws(SystemError) {
      file.begin(version: 1)
      try file.resize(to: 0)
      FileHeader.encodeCreationMark(into: memory)
      try file.write(UnsafeRawBufferPointer(start: memory, count: FileHeader.size), at: 0)
      if options.durability == .full { try file.sync() }
      try file.resize(to: Layout.initialFileSize)
      let ref = RecordPiece.fill(memory, [piece], with: payload.buffer, version: 1)
      try file.write(UnsafeRawBufferPointer(start: memory, count: piece.size), at: piece.offset)
      CommitSlot(version: 1, record: ref, fileSize: Layout.initialFileSize, isContentSynced: true)
        .encode(into: memory)
      try file.write(
        UnsafeRawBufferPointer(start: memory, count: CommitSlot.size),
        at: Layout.slotOffset(of: 1))
      if options.durability == .full { try file.sync() }
      FileHeader.encode(into: memory)
      try file.write(UnsafeRawBufferPointer(start: memory, count: FileHeader.size), at: 0)
      if options.durability == .full { try file.sync() }
    } catch {
      throw StorageError(system: error, "The database cannot be created")
    }
  }

  private static func chooseCommit(
    _ base: FileView, _ size: Int, _ options: DatabaseOptions
  ) throws(StorageError) -> LoadedState {
    let slots = [Layout.slotOffsets.0, Layout.slotOffsets.1]
      .compactMap { CommitSlot(base, at: $0) }
      .sorted { $0.version > $1.version }
    var failure = StorageError(
      .corrupt,
      "Neither commit slot (offsets \(Layout.slotOffsets.0) and \(Layout.slotOffsets.1)) passes its "
        + "checksum.")
    for (index, slot) in slots.enumerated() {
      do throws(StorageError) {
        let state = try verify(slot, base, size, options)
        try checkNoNewerCleanMark(base, slot)
        return state
      } catch {
        // A commit known to be durable cannot be torn: it is damaged, and falling back to the older one would hide
        // that.
        if slot.isContentSynced || CleanMark.isSet(base, for: slot.version) { throw error }
        if index == 0 { failure = error }
      }
    }
    throw failure
  }

  private static func checkNoNewerCleanMark(
    _ base: FileView, _ slot: CommitSlot
  ) throws(StorageError) {
    guard CleanMark.isSet(base, for: slot.version + 1) else { return }
    throw StorageError(
      .corrupt,
      "The database was closed at version \(slot.version + 1), whose commit slot at offset "
        + "\(Layout.slotOffset(of: slot.version + 1)) now fails its checksum.")
  }

  private static func verify(
    _ slot: CommitSlot, _ base: FileView, _ size: Int, _ options: DatabaseOptions
  ) throws(StorageError) -> LoadedState {
    guard slot.fileSize <= size else {
      throw StorageError(
        .truncated,
        "The file has \(size) bytes; its commit of version \(slot.version) requires \(slot.fileSize)."
      )
    }
    let state = try LoadedState(slot, base: base, options, registered: RegisteredVersions())
    let account = state.account
    guard account.overhead + account.live + account.free + account.pinned == slot.fileSize else {
      throw StorageError(
        .corrupt,
        "The space that version \(slot.version) accounts for is not the file's "
          + "\(slot.fileSize) bytes.")
    }
    try verifyContents(slot, state.chain, base, options)
    return state
  }

  private static func verifyContents(
    _ slot: CommitSlot, _ chain: RecordChain, _ base: FileView,
    _ options: DatabaseOptions
  ) throws(StorageError) {
    let space = BlockSpace(base: base, end: slot.fileSize)
    let everything = options.verification == .everything
    // A commit known to be durable cannot be torn; its blocks are verified at their first access.
    let isDurable = slot.isContentSynced || CleanMark.isSet(base, for: slot.version)
    guard everything || !isDurable else { return }
    var bytes = 0
    for table in chain.newest.tables {
      bytes += try TreeVerifier.verify(
        table.root, bornSince: everything ? 0 : slot.version, space)
    }
    for savepoint in chain.newest.savepoints {
      if everything {
        for table in try savepoint.contents(space).tables {
          try TreeVerifier.verify(table.root, bornSince: 0, space)
        }
      } else if savepoint.list.birth == slot.version {
        _ = try savepoint.contents(space)
      }
    }
    guard !everything || bytes == chain.newest.liveBytes else {
      throw StorageError(
        .corrupt,
        "Version \(slot.version) reaches \(bytes) bytes and accounts for "
          + "\(chain.newest.liveBytes) live ones.")
    }
  }
}
