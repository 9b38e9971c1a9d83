// Writes a compacted copy of one version: rows in key order, values before their leaf, leaves before their parents,
// front to back. Every node is full, and nothing is free but the rest of the last page.
import SystemIO

/// The contents to copy: the tables of a version, or of an open transaction.
struct CopyContents {
  var version: UInt64
  var names: [String]
  var roots: UnsafeMutableBufferPointer<TableRoot>
  /// The bytes of all blocks reachable from the roots.
  var liveBytes: Int
  var source: CopySource
  /// A copy of more live bytes than this is a long one (`CopyOutput`).
  var longCopyThreshold: Int

  /// The contents of a version. The kernel is advised about reads of the store's file.
  init(_ version: VersionState, _ store: Store) {
    self.version = version.number
    names = version.names
    roots = UnsafeMutableBufferPointer(start: version.roots, count: version.tableCount)
    liveBytes = version.liveBytes
    source = CopySource(space: version.space, file: store.file)
    longCopyThreshold = store.options.longCopyThreshold
  }
}

/// The size of a copy.
struct CopySize: Equatable {
  var fileBytes: Int
  /// Bytes passed to the operating system.
  var bytesWritten: Int
}

struct CopyWriter: ~Copyable {
  private let contents: CopyContents
  private var output: CopyOutput
  private var meter: CopyMeter
  private var windows = ReadWindows()
  /// The levels of the tree that is being built, leaves first.
  private var levels = UniqueList<LevelBuilder>(capacity: 8)
  private var rows = 0
  private var expectedRows = 0
  /// The epoch in the decrypted units of an encrypted source; renewed after each leaf.
  private var epoch: Int

  /// Writes `contents` into `file`, which is empty, except the header, which implies that everything else is there and
  /// is written by `writeHeader`. Does not sync.
  static func write(
    _ contents: CopyContents, to file: any StorageFile, _ observer: CompactionObserver? = nil
  ) throws(StorageError) -> CopySize {
    try run(contents, file, observer)
  }

  /// Measures what `write` and `writeHeader` would write.
  static func measure(_ contents: CopyContents) throws(StorageError) -> CopySize {
    var size = try run(contents, nil, nil)
    size.bytesWritten += FileHeader.size
    return size
  }

  static func writeHeader(to file: any StorageFile) throws(StorageError) {
    let header = RawBuffer(count: FileHeader.size)
    FileHeader.encode(into: header.start)
    do throws(SystemError) { try file.write(header.prefix(FileHeader.size), at: 0) } catch {
      throw CopyOutput.report(error)
    }
  }

  private static func run(
    _ contents: CopyContents, _ file: (any StorageFile)?, _ observer: CompactionObserver?
  ) throws(StorageError) -> CopySize {
    file?.begin(version: contents.version, keepingDecrypted: false)
    var writer = CopyWriter(contents, file, observer)
    try writer.meter.report()
    var tables: [TableEntry] = []
    for (name, root) in zip(contents.names, contents.roots) {
      tables.append(TableEntry(name: name, root: try writer.copy(root)))
    }
    let size = try writer.finish(tables, file)
    try writer.meter.finish()
    return size
  }

  private init(
    _ contents: CopyContents, _ file: (any StorageFile)?, _ observer: CompactionObserver?
  ) {
    self.contents = contents
    output = CopyOutput(
      file, contents.source, version: contents.version,
      isLong: contents.liveBytes > contents.longCopyThreshold)
    meter = CopyMeter(observer, total: contents.liveBytes)
    epoch = contents.source.space.view.enterEpoch()
  }

  deinit { contents.source.space.view.leaveEpoch(epoch) }

  private mutating func copy(_ table: TableRoot) throws(StorageError) -> TableRoot {
    precondition(levels.isEmpty, "A table's copy begins without nodes of another.")
    var copy = TableRoot(kind: table.kind)
    rows = 0
    expectedRows = table.rows
    defer { levels.removeAll() }
    if !table.root.isNull { try walk(table.root, table.kind, level: nil) }
    windows.release(contents.source)
    guard rows == table.rows else { throw rowCountMismatch }
    copy.rows = rows
    guard rows > 0 else { return copy }
    var index = 0
    while true {
      if index == levels.count - 1, index > 0, levels[index].count == 1 {
        copy.root = levels[index].onlyReference
        return copy
      }
      try flushLevel(index, table.kind)
      index += 1
    }
  }

  private mutating func walk(
    _ ref: BlockRef, _ kind: KeyKind, level: Int?
  ) throws(StorageError) {
    let space = contents.source.space
    try space.verify(ref)
    let node = try Node(ref, space, kind)
    guard node.level == level ?? node.level, node.level < TreeReader.maxLevels else {
      throw Node.malformed(ref)
    }
    try meter.add(ref.space)
    if node.level == 0 {
      try copyLeaf(node, kind)
      // The leaf is copied, so its decrypted units may be evicted; the nodes above are resolved again.
      space.view.leaveEpoch(epoch)
      epoch = space.view.enterEpoch()
    } else {
      if node.level == 1 { try contents.source.willReadChildren(of: node, kind) }
      let (level, count) = (node.level, node.count)
      for index in 0..<count {
        let node = try Node(ref, space, kind)
        try walk(try node.reference(index, kind), kind, level: level - 1)
      }
    }
    windows.add(ref, contents.source)
  }

  private mutating func copyLeaf(_ leaf: Node, _ kind: KeyKind) throws(StorageError) {
    if levels.count == 0 { addLevel(kind) }
    rows += leaf.count
    // A damaged tree may reach one block many times: it must not fill the disk.
    guard rows <= expectedRows else { throw rowCountMismatch }
    for index in 0..<leaf.count {
      let key = leaf.key(index, kind)
      if leaf.slot(index, kind) & Node.referenceBit != 0 {
        let ref = try leaf.reference(index, kind)
        let moved = try output.add(value: ref)
        if !levels[0].hasRoom(for: key, BlockRef.size) { try flushLevel(0, kind) }
        levels[0].append(key, moved)
        try meter.add(ref.space)
      } else {
        let value = try leaf.value(index, kind, contents.source.space)
        if !levels[0].hasRoom(for: key, value.count) { try flushLevel(0, kind) }
        levels[0].append(key, value)
      }
    }
  }

  private var rowCountMismatch: StorageError {
    StorageError(
      .corrupt, "A table should have \(expectedRows) rows; \(rows) were found so far.")
  }

  private mutating func addLevel(_ kind: KeyKind) {
    levels.append(LevelBuilder(kind, level: levels.count))
  }

  /// Writes the node of a level and adds a reference to it one level up.
  private mutating func flushLevel(_ level: Int, _ kind: KeyKind) throws(StorageError) {
    precondition(levels[level].count > 0, "A node that is written has an entry (TREE-4).")
    if level + 1 == levels.count { addLevel(kind) }
    let ref = try output.add(node: levels[level])
    let key = levels[level].firstKey
    if !levels[level + 1].hasRoom(for: key, BlockRef.size) { try flushLevel(level + 1, kind) }
    levels[level + 1].append(key, ref)
    levels[level].clear()
  }

  /// Writes the record and the slot.
  private mutating func finish(
    _ tables: [TableEntry], _ file: (any StorageFile)?
  ) throws(StorageError) -> CopySize {
    try output.finish()
    var record = CommitRecord()
    record.version = contents.version
    record.tables = tables
    record.liveBytes = output.liveBytes
    let start = output.end
    var payload = RecordWriter()
    // The list of free extents contains the record itself and the rest behind it: one extent, whose length takes at
    // most eight bytes.
    record.free = [Extent(offset: start, size: Layout.granule)]
    record.encode(into: &payload)
    let space = RecordPiece.sizes(for: payload.count + 16).reduce(0, +)
    let size = max(roundedUp(start + space, to: Layout.pageSize), Layout.initialFileSize)
    record.free = [Extent(offset: start, size: size - start)]
    record.sizeBefore = size
    record.sizeAfter = size
    payload.removeAll()
    record.encode(into: &payload)
    var pieces: [Extent] = []
    var offset = start
    for size in RecordPiece.sizes(for: payload.count) {
      pieces.append(Extent(offset: offset, size: size))
      offset += size
    }
    precondition(offset <= size, "The record of a copy lies within its file (SPACE-1).")
    let buffer = RawBuffer(count: max(offset - start, Layout.pageSize))
    let memory = buffer.start
    let ref = RecordPiece.fill(memory, pieces, with: payload.buffer, version: record.version)
    try output.write(memory, offset - start, at: start)
    do { try file?.resize(to: size) } catch { throw CopyOutput.report(error) }
    CommitSlot(version: record.version, record: ref, fileSize: size, isContentSynced: true)
      .encode(into: memory)
    try output.write(memory, CommitSlot.size, at: Layout.slotOffset(of: record.version))
    return CopySize(fileBytes: size, bytesWritten: output.bytesWritten)
  }
}
