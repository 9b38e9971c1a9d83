// An inspection of a file for display: its header and slots, the size of its tables, and the use of every range. Read
// from the file itself, like the audit, and not from the running account.

/// The contents of a commit slot.
public struct InspectedSlot: Sendable, Equatable {
  public var offset: Int
  /// The version; nil if the slot was never written or fails its checksum.
  public var version: UInt64?
  /// The offset of the record's first piece.
  public var recordOffset = 0
  /// The size of the record's first piece.
  public var recordBytes = 0
  /// The length of the file in that version.
  public var fileBytes = 0
  /// Whether the contents were synced before the slot was written.
  public var isContentSynced = false
}

/// The size of a table.
public struct InspectedTable: Sendable, Equatable {
  public var name: String
  public var keyKind: KeyKind
  public var rows: Int
  /// Levels of its tree; 0 for an empty table.
  public var levels: Int
  /// The number of nodes, and their size in the file.
  public var nodes: Int
  public var nodeBytes: Int
  /// Values in blocks of their own; shorter ones are in the nodes.
  public var values: Int
  /// The size of these values in the file.
  public var valueBytes: Int
}

/// A range of the file with a single use.
public struct InspectedRange: Sendable, Equatable {
  /// The uses of a range.
  public enum Use: String, Sendable, CaseIterable {
    case live, free, pinned, overhead
    /// Not claimed by anything: the file is damaged.
    case unknown
  }

  public var offset: Int
  public var size: Int
  public var use: Use
  /// For a pinned range: how many versions ago it was freed; 0 for others.
  public var age: UInt64
}

/// The result of `Database.inspect()`.
public struct FileInspection: Sendable {
  public var formatVersion: Int
  public var pageBytes: Int
  public var granuleBytes: Int
  public var version: UInt64
  /// The commit slots A and B.
  public var slots: [InspectedSlot]
  /// Whether the newest version was marked as closed.
  public var isMarkedClosed: Bool
  /// Empty if the nodes were not read.
  public var tables: [InspectedTable]
  /// Whether the nodes were read. If not, what the records leave over counts as live.
  public var hasNodes: Bool
  public var account: SpaceAccount
  /// The whole file from its first byte on; adjacent ranges of the same use and age are joined. Offsets are logical: in
  /// an encrypted file, the entries of its units are not included, while `account` counts them as overhead.
  public var ranges: [InspectedRange]
  /// The number of commit records from which the free list is read.
  public var records: Int
  /// Snapshots and savepoints.
  public var pins: [Pin]
}

extension Database {
  /// Reads all nodes and the free list of the newest version, but not the values. Waits for the write lock. Errors:
  /// `corrupt`, `closed`.
  public func inspect() throws(StorageError) -> FileInspection {
    try withStore { (store) throws(StorageError) in
      let access = try store.acquireWriteLock()
      var inspector = Inspector(access, readsNodes: true)
      return try inspector.inspect()
    }
  }

  /// The same from the commit records alone, without nodes: every sum and range, and no tables.
  package func inspectRecords() throws(StorageError) -> FileInspection {
    try withStore { (store) throws(StorageError) in
      let access = try store.acquireWriteLock()
      var inspector = Inspector(access, readsNodes: false)
      return try inspector.inspect()
    }
  }

  /// Reads the commit slots in `front`, the first bytes of a file, at least 12 KiB; for files that cannot be opened.
  /// Errors as for opening if `front` is not that of a database.
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

/// One inspection. Under the write lock.
private struct Inspector {
  private let context: FileContext
  private let readers: Readers
  private let newest: VersionState
  private let registered: [UInt64]
  private let readsNodes: Bool
  private var ranges: [InspectedRange] = []

  init(_ access: borrowing WriteAccess, readsNodes: Bool) {
    self.readsNodes = readsNodes
    readers = access.store.readers
    context = readers.context
    (newest, registered) = readers.withLock { state in
      state.syncReaderTable()
      return (state.newest, state.deferredFree.registered)
    }
  }

  static func slots(_ base: UnsafeRawPointer) -> [InspectedSlot] {
    [Layout.slotOffsets.0, Layout.slotOffsets.1].map { offset in
      guard let slot = CommitSlot(base, at: offset) else { return InspectedSlot(offset: offset) }
      return InspectedSlot(
        offset: offset, version: slot.version, recordOffset: slot.record.offset,
        recordBytes: slot.record.size, fileBytes: slot.fileSize,
        isContentSynced: slot.isContentSynced)
    }
  }

  mutating func inspect() throws(StorageError) -> FileInspection {
    guard let slot = CommitSlot(context.base, at: Layout.slotOffset(of: newest.number)) else {
      throw StorageError(
        .corrupt, "The commit slot of version \(newest.number) fails its checksum.")
    }
    let chain = try RecordChain(slot, base: context.base)
    add(Extent(offset: 0, size: Layout.blocksStart), .overhead)
    for piece in chain.pieces { add(piece, .overhead) }
    for list in chain.newest.savepoints.map(\.list) {
      add(Extent(offset: list.offset, size: list.space), .overhead)
    }
    var tables: [InspectedTable] = []
    for (name, root) in zip(newest.names, 0..<newest.tableCount) where readsNodes {
      tables.append(try inspect(name, newest.roots[root]))
    }
    let rule = ReclamationRule(context.options.reclamation, registered)
    for extent in try TaggedFreeList(chain).extents {
      if rule.isPinned(extent) {
        add(extent.extent, .pinned, age: newest.number - extent.death)
      } else {
        add(extent.extent, .free)
      }
    }
    let (joined, sums) = joinedRanges()
    var account = sums
    account.addEncryptionOverhead(context.file.encryptionOverhead(newest.fileSize))
    return FileInspection(
      formatVersion: Database.formatVersion, pageBytes: Layout.pageSize,
      granuleBytes: Layout.granule, version: newest.number, slots: Self.slots(context.base.start),
      isMarkedClosed: CleanMark.isSet(context.base, for: newest.number), tables: tables,
      hasNodes: readsNodes, account: account, ranges: joined, records: chain.count,
      pins: readers.oldestPins())
  }

  private mutating func add(_ extent: Extent, _ use: InspectedRange.Use, age: UInt64 = 0) {
    ranges.append(
      InspectedRange(offset: extent.offset, size: extent.size, use: use, age: age))
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
    guard node.level == level ?? node.level, node.level < TreeReader.maxLevels else {
      throw Node.malformed(ref)
    }
    add(Extent(offset: ref.offset, size: ref.space), .live)
    table.levels = max(table.levels, node.level + 1)
    table.nodes += 1
    table.nodeBytes += ref.space
    guard table.nodeBytes <= newest.fileSize else {
      throw StorageError(
        .corrupt, "The tree of table \"\(table.name)\" reaches more blocks than the file has.")
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

  /// Returns the ranges by offset, with adjacent ones of the same use joined and gaps filled in; and their sums.
  private mutating func joinedRanges() -> ([InspectedRange], SpaceAccount) {
    ranges.sort { $0.offset < $1.offset }
    var joined: [InspectedRange] = []
    var end = 0
    let gap: InspectedRange.Use = readsNodes ? .unknown : .live
    func join(_ range: InspectedRange) {
      if let last = joined.last, last.use == range.use, last.age == range.age {
        joined[joined.count - 1].size += range.size
      } else {
        joined.append(range)
      }
    }
    var account = SpaceAccount(
      file: newest.fileSize, live: 0, free: 0, pinned: 0, pending: 0, overhead: 0)
    for range in ranges {
      if range.offset > end {
        let size = range.offset - end
        join(InspectedRange(offset: end, size: size, use: gap, age: 0))
        if !readsNodes { account.live += size }
      }
      join(range)
      end = max(end, range.offset + range.size)
      switch range.use {
      case .live: account.live += range.size
      case .free: account.free += range.size
      case .pinned: account.pinned += range.size
      case .overhead: account.overhead += range.size
      case .unknown: break
      }
    }
    if end < newest.fileSize {
      let size = newest.fileSize - end
      join(InspectedRange(offset: end, size: size, use: gap, age: 0))
      if !readsNodes { account.live += size }
    }
    return (joined, account)
  }
}
