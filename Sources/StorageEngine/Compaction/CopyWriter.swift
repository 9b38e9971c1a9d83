// A compacted copy of one version: rows in key order, values before their leaf, leaves before their parents, written
// front to back. Every node is full, so updates do not split nodes, and nothing is free but the last page's rest.
import SystemIO

struct CopyWriter {
  private static let bufferSize = 1 << 20

  private let file: any StorageFile
  private let version: UInt64
  private let buffer: UnsafeMutableRawPointer
  private var buffered = 0
  /// Where the buffer's first byte goes.
  private var place = Layout.blocksStart
  private var liveBytes = 0

  /// Writes `version` into `file`, which is empty; answers the bytes that the copy has. Not synced.
  static func write(_ version: VersionState, to file: any StorageFile) throws(StorageError) -> Int {
    var writer = CopyWriter(file, version.number)
    defer { writer.buffer.deallocate() }
    var tables: [TableEntry] = []
    for index in 0..<version.tableCount {
      let root = try writer.copy(version.roots[index], version.space)
      tables.append(TableEntry(name: version.names[index], root: root))
    }
    return try writer.finish(tables)
  }

  private init(_ file: any StorageFile, _ version: UInt64) {
    self.file = file
    self.version = version
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
  }

  private func report(_ error: SystemError) -> StorageError {
    StorageError(system: error, "The compacted copy cannot be written")
  }

  private mutating func flush() throws(StorageError) {
    do {
      try file.write(UnsafeRawBufferPointer(start: buffer, count: buffered), at: place)
    } catch { throw report(error) }
    place += buffered
    buffered = 0
  }

  /// Writes a block and rounds it up with zeros.
  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> BlockRef {
    let space = roundedUp(bytes.count)
    if buffered + space > Self.bufferSize { try flush() }
    let large = space > Self.bufferSize
    let target = large ? .allocate(byteCount: space, alignment: 16) : buffer + buffered
    defer { if large { target.deallocate() } }
    target.put64(0, space - 8)
    target.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    let ref = BlockRef(
      offset: place + buffered, size: bytes.count, birth: version,
      checksum: Checksum.of(target, count: space, seed: version))
    liveBytes += space
    if large {
      do {
        try file.write(UnsafeRawBufferPointer(start: target, count: space), at: place)
      } catch { throw report(error) }
      place += space
    } else {
      buffered += space
    }
    return ref
  }

  private mutating func copy(
    _ table: TableRoot, _ space: BlockSpace
  ) throws(StorageError) -> TableRoot {
    var copy = TableRoot(kind: table.kind)
    var levels = [LevelBuilder(table.kind, level: 0)]
    var cursor = try TreeCursor(table, from: nil, space)
    while let (leaf, index) = cursor.current {
      let value = try cursor.value()
      let isReference = leaf.slot(index, table.kind) & Node.referenceBit != 0
      if isReference, !space.matches(try leaf.reference(index, table.kind)) {
        throw space.mismatch(try leaf.reference(index, table.kind))
      }
      let cell: Cell = isReference ? .reference(try write(value)) : .inline(value)
      try append(cursor.key(), cell, to: &levels, 0, table.kind)
      copy.rows += 1
      try cursor.advance()
    }
    guard copy.rows == table.rows else {
      throw StorageError(
        .corrupt, "A table says that it has \(table.rows) rows; \(copy.rows) were found.")
    }
    guard copy.rows > 0 else { return copy }
    var index = 0
    while index < levels.count {
      if index == levels.count - 1, index > 0, levels[index].count == 1 {
        copy.root = levels[index].onlyReference
        return copy
      }
      try flushLevel(&levels, index, table.kind)
      index += 1
    }
    preconditionFailure("A tree ends in a single reference.")
  }

  private mutating func append(
    _ key: Key, _ cell: Cell, to levels: inout [LevelBuilder], _ level: Int, _ kind: KeyKind
  ) throws(StorageError) {
    if !levels[level].hasRoom(for: key, cell) { try flushLevel(&levels, level, kind) }
    levels[level].append(key, cell)
  }

  /// Writes the node of a level and enters it one level up.
  private mutating func flushLevel(
    _ levels: inout [LevelBuilder], _ level: Int, _ kind: KeyKind
  ) throws(StorageError) {
    if level + 1 == levels.count { levels.append(LevelBuilder(kind, level: level + 1)) }
    let first = levels[level].firstKey
    let node = levels[level].build()
    let ref = try node.withBytes { (bytes) throws(StorageError) in try write(bytes) }
    try first.withKeyThrowing(kind) { (key) throws(StorageError) in
      try append(key, .reference(ref), to: &levels, level + 1, kind)
    }
  }

  /// Writes record, slot and header; answers the file's size.
  private mutating func finish(_ tables: [TableEntry]) throws(StorageError) -> Int {
    var record = CommitRecord()
    record.version = version
    record.tables = tables
    record.liveBytes = liveBytes
    let start = place + buffered
    var payload = RecordWriter()
    defer { payload.deallocate() }
    // The list of free extents holds the record's own place and the rest behind it: one extent, whose length takes at
    // most eight bytes.
    record.free = [Extent(offset: start, size: Layout.granule)]
    _ = record.encode(into: &payload)
    let space = RecordPiece.sizes(for: payload.count + 16).reduce(0, +)
    let size = max(roundedUp(start + space, to: Layout.pageSize), Layout.firstSize)
    record.free = [Extent(offset: start, size: size - start)]
    record.sizeBefore = size
    record.sizeAfter = size
    payload.removeAll()
    _ = record.encode(into: &payload)
    var pieces: [Extent] = []
    var offset = start
    for size in RecordPiece.sizes(for: payload.count) {
      pieces.append(Extent(offset: offset, size: size))
      offset += size
    }
    try flush()
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(offset - start, Layout.pageSize), alignment: 16)
    defer { memory.deallocate() }
    let ref = RecordPiece.fill(memory, pieces, with: payload.buffer, version: version)
    let slot = CommitSlot(version: version, record: ref, fileSize: size, isSettled: true)
    do {
      try file.write(UnsafeRawBufferPointer(start: memory, count: offset - start), at: start)
      try file.resize(to: size)
      slot.encode(into: memory)
      try file.write(
        UnsafeRawBufferPointer(start: memory, count: CommitSlot.size),
        at: Layout.slotOffset(of: version))
      FileHeader.encode(into: memory)
      try file.write(UnsafeRawBufferPointer(start: memory, count: FileHeader.size), at: 0)
    } catch { throw report(error) }
    return size
  }
}
