// A look into a file for people: what its front says, what the tables take, and what every stretch of the file is for.
// Read from the file's own bytes, as the audit is; the running account is not asked.

/// What a commit slot says.
public struct InspectedSlot: Sendable, Equatable {
  public var offset: Int
  /// nil where the slot was never written, or fails its checksum.
  public var version: UInt64?
  public var recordOffset = 0
  public var recordBytes = 0
  /// The file's length in that version.
  public var fileBytes = 0
  /// The contents were synced before the slot was written.
  public var isContentSynced = false
}

/// What a table takes.
public struct InspectedTable: Sendable, Equatable {
  public var name: String
  public var keyKind: KeyKind
  public var rows: Int
  /// Levels of its tree; 0 for an empty table.
  public var levels: Int
  public var nodes: Int
  public var nodeBytes: Int
  /// Values in blocks of their own; shorter ones lie in the nodes.
  public var values: Int
  public var valueBytes: Int
}

/// A stretch of the file that is all for one thing.
public struct InspectedStretch: Sendable, Equatable {
  public enum Use: String, Sendable, CaseIterable {
    case live, free, pinned, overhead
    /// Claimed by nothing: the file is damaged.
    case unknown
  }

  public var offset: Int
  public var size: Int
  public var use: Use
  /// Of a pinned stretch: how many versions ago it was freed; 0 of others.
  public var age: UInt64
}

/// What `Database.inspect()` finds.
public struct FileInspection: Sendable {
  public var formatVersion: Int
  public var pageBytes: Int
  public var granuleBytes: Int
  public var version: UInt64
  public var slots: [InspectedSlot]
  /// The newest version was marked when the database was closed.
  public var isMarkedClosed: Bool
  public var tables: [InspectedTable]
  public var account: SpaceAccount
  /// All of the file from its first byte on, neighbours of one use and age joined. Offsets are those that blocks know: of
  /// an encrypted file, without the entries of its units, which `account` counts as overhead.
  public var stretches: [InspectedStretch]
  /// Commit records that the free list is added up from.
  public var records: Int
  /// Snapshots and savepoints.
  public var pins: [Pin]
}

extension Database {
  /// Reads all nodes and the free list of the newest version; values are not read. Waits for the writer's place.
  public func inspect() throws(StorageError) -> FileInspection {
    try withStore { (store) throws(StorageError) in
      try store.takeWriterPlace()
      defer { store.leaveWriterPlace() }
      var inspector = Inspector(store)
      return try inspector.inspect()
    }
  }

  /// What the commit slots of a file say whose first bytes are `front`, at least 12 KiB; for files that cannot be
  /// opened. Error as for opening where the front is not that of a database.
  public static func inspect(
    front: [UInt8]
  ) throws(StorageError) -> (formatVersion: Int, slots: [InspectedSlot]) {
    try front.withBytes { (bytes) throws(StorageError) in
      guard let base = bytes.baseAddress else {
        throw StorageError(.notADatabase, "The file is empty.")
      }
      try FileHeader.check(base, size: bytes.count)
      return (formatVersion, Inspector.slots(base))
    }
  }
}

/// One inspection; its owner has the writer's place.
private struct Inspector {
  private let store: Store
  private let newest: VersionState
  private let registered: [UInt64]
  private var stretches: [InspectedStretch] = []

  init(_ store: Store) {
    self.store = store
    (newest, registered) = store.mutex.withLock {
      store.noteReaders()
      return (store.shared.pointee.newest, store.shared.pointee.deferredFree.registered)
    }
  }

  static func slots(_ base: UnsafeRawPointer) -> [InspectedSlot] {
    [Layout.slotOffsets.0, Layout.slotOffsets.1].map { offset in
      guard let slot = CommitSlot(base, at: offset) else { return InspectedSlot(offset: offset) }
      return InspectedSlot(
        offset: offset, version: slot.version, recordOffset: slot.record.offset,
        recordBytes: slot.record.size, fileBytes: slot.fileSize, isContentSynced: slot.isContentSynced)
    }
  }

  mutating func inspect() throws(StorageError) -> FileInspection {
    guard let slot = CommitSlot(store.base, at: Layout.slotOffset(of: newest.number)) else {
      throw StorageError(
        .corrupt, "The commit slot of version \(newest.number) fails its checksum.")
    }
    let chain = try RecordChain(slot, base: store.base)
    add(Extent(offset: 0, size: Layout.blocksStart), .overhead)
    for piece in chain.pieces.joined() { add(piece, .overhead) }
    for list in chain.newest.savepoints.map(\.list) {
      add(Extent(offset: list.offset, size: list.space), .overhead)
    }
    var tables: [InspectedTable] = []
    for (name, root) in zip(newest.names, 0..<newest.tableCount) {
      tables.append(try inspect(name, newest.roots[root]))
    }
    let rule = ReclamationRule(store.options.reclamation, registered)
    for extent in try TaggedFreeList(chain).extents {
      if rule.isPinned(extent) {
        add(extent.extent, .pinned, age: newest.number - extent.death)
      } else {
        add(extent.extent, .free)
      }
    }
    let (joined, sums) = joinedStretches()
    var account = sums
    account.addEncryptionOverhead(store.file.encryptionOverhead(newest.fileSize))
    return FileInspection(
      formatVersion: Database.formatVersion, pageBytes: Layout.pageSize,
      granuleBytes: Layout.granule, version: newest.number, slots: Self.slots(store.base.start),
      isMarkedClosed: CleanMark.isSet(store.base, for: newest.number), tables: tables,
      account: account, stretches: joined, records: chain.records.count,
      pins: store.oldestPins())
  }

  private mutating func add(_ extent: Extent, _ use: InspectedStretch.Use, age: UInt64 = 0) {
    stretches.append(
      InspectedStretch(offset: extent.offset, size: extent.size, use: use, age: age))
  }

  private mutating func inspect(
    _ name: String, _ root: TableRoot
  ) throws(StorageError) -> InspectedTable {
    var table = InspectedTable(
      name: name, keyKind: root.kind, rows: root.rows, levels: 0, nodes: 0, nodeBytes: 0,
      values: 0, valueBytes: 0)
    if !root.root.isNull { try walk(root.root, root.kind, level: nil, &table) }
    return table
  }

  private mutating func walk(
    _ ref: BlockRef, _ kind: KeyKind, level: Int?, _ table: inout InspectedTable
  ) throws(StorageError) {
    guard newest.space.matches(ref) else { throw newest.space.mismatch(ref) }
    let node = try Node(ref, newest.space, kind)
    guard node.level == level ?? node.level, node.level < TreeReader.mostLevels else {
      throw Node.malformed(ref)
    }
    add(Extent(offset: ref.offset, size: ref.space), .live)
    table.levels = max(table.levels, node.level + 1)
    table.nodes += 1
    table.nodeBytes += ref.space
    guard table.nodeBytes <= newest.fileSize else {
      throw StorageError(
        .corrupt, "The tree of table \"\(table.name)\" leads to more blocks than the file has.")
    }
    for index in 0..<node.count where node.slot(index, kind) & Node.referenceBit != 0 {
      let child = try node.reference(index, kind)
      if node.level > 0 {
        try walk(child, kind, level: node.level - 1, &table)
      } else {
        add(Extent(offset: child.offset, size: child.space), .live)
        table.values += 1
        table.valueBytes += child.space
      }
    }
  }

  /// By offset, neighbours of one use joined and gaps named; and their sums.
  private mutating func joinedStretches() -> ([InspectedStretch], SpaceAccount) {
    stretches.sort { $0.offset < $1.offset }
    var joined: [InspectedStretch] = []
    var end = 0
    func join(_ stretch: InspectedStretch) {
      if let last = joined.last, last.use == stretch.use, last.age == stretch.age {
        joined[joined.count - 1].size += stretch.size
      } else {
        joined.append(stretch)
      }
    }
    var account = SpaceAccount(
      file: newest.fileSize, live: 0, free: 0, pinned: 0, pending: 0, overhead: 0)
    for stretch in stretches {
      if stretch.offset > end {
        join(InspectedStretch(offset: end, size: stretch.offset - end, use: .unknown, age: 0))
      }
      join(stretch)
      end = max(end, stretch.offset + stretch.size)
      switch stretch.use {
      case .live: account.live += stretch.size
      case .free: account.free += stretch.size
      case .pinned: account.pinned += stretch.size
      case .overhead: account.overhead += stretch.size
      case .unknown: break
      }
    }
    if end < newest.fileSize {
      join(
        InspectedStretch(offset: end, size: newest.fileSize - end, use: .unknown, age: 0))
    }
    return (joined, account)
  }
}
