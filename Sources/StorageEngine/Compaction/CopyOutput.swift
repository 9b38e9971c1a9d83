// The output file of a copy, filled front to back in large writes. Values are placed at once but read only when the
// buffer is full, in the order of their offsets in the old file: a file whose rows were written at random is then read
// front to back once for each buffer, instead of once for each row. Without a file the output is only measured and
// nothing is read or written; estimates use the same code. A long copy has two buffers: one is written by a background
// thread, bypassing the page cache, while the other is filled.
import SystemIO

struct CopyOutput: ~Copyable {
  private static let bufferSize = 16 << 20
  /// A buffer without pending values is written in pieces that are still in the processor's cache when the kernel
  /// copies them.
  private static let pieceSize = 1 << 18
  /// The same for a long copy, whose writes the kernel does not copy.
  private static let longPieceSize = 4 << 20
  /// Writeback is started for this many bytes at a time.
  private static let writebackStep = 8 << 20
  /// Larger values pass through the buffer in parts.
  private static let largeValue = 1 << 20

  /// A value that is placed in the buffer but not read yet.
  private struct PendingValue {
    var ref: BlockRef
    var target: Int
  }

  private let file: (any StorageFile)?
  /// Units of an encrypted file hold blocks of one version only, so values get the copy's version as their birth.
  private let isEncrypted: Bool
  private let source: CopySource
  private let version: UInt64
  private var memory: RawBuffer
  private var buffered = 0
  /// The background thread and the second buffer of a long copy.
  private let backgroundWriter: BackgroundWriter?
  private var otherMemory: RawBuffer
  /// The file offset of the buffer's first byte.
  private var fileOffset = Layout.blocksStart
  private var pendingValues = UniqueList<PendingValue>(capacity: 4096)
  /// The offset up to which writeback was started.
  private var writebackOffset = Layout.blocksStart
  private(set) var liveBytes = 0
  /// Bytes passed to the file; without a file, those that would be.
  private(set) var bytesWritten = 0

  init(
    _ file: (any StorageFile)?, _ source: CopySource, version: UInt64, isLong: Bool = false
  ) {
    self.file = file
    isEncrypted = file is EncryptedFile
    self.source = source
    self.version = version
    memory = RawBuffer(count: Self.bufferSize, alignment: Layout.pageSize)
    backgroundWriter = isLong ? file.flatMap { BackgroundWriter($0) } : nil
    otherMemory = RawBuffer(
      count: backgroundWriter == nil ? 1 : Self.bufferSize, alignment: Layout.pageSize)
  }

  // The thread reads one of the buffers, which are freed afterwards.
  deinit { backgroundWriter?.stop() }

  @inline(__always)
  private var buffer: UnsafeMutableRawPointer { memory.start }

  /// The file offset of the next block.
  var end: Int { fileOffset + buffered }

  /// Copies the value and returns the reference to its copy. A value of the old file keeps its birth, and with it its
  /// checksum, which is verified when the bytes are copied.
  mutating func add(value ref: BlockRef) throws(StorageError) -> BlockRef {
    let space = ref.space
    liveBytes += space
    if space > Self.largeValue { return try addLarge(ref) }
    if buffered + space > Self.bufferSize { try flush() }
    defer { buffered += space }
    guard ref.isDirty || isEncrypted else {
      if file != nil { pendingValues.append(PendingValue(ref: ref, target: buffered)) }
      return BlockRef(offset: end, size: ref.size, birth: ref.birth, checksum: ref.checksum)
    }
    let bytes = try source.space.resolve(ref)
    guard source.space.matches(ref) else { throw source.space.mismatch(ref) }
    if file != nil { (buffer + buffered).copyMemory(from: bytes, byteCount: space) }
    return BlockRef(
      offset: end, size: ref.size, birth: version,
      checksum: Checksum.of(bytes, count: space, seed: version))
  }

  private mutating func addLarge(_ ref: BlockRef) throws(StorageError) -> BlockRef {
    try flush()
    let getsNewBirth = ref.isDirty || isEncrypted
    guard file != nil || getsNewBirth else { return try measureLarge(ref) }
    let bytes = try source.space.resolve(ref)
    if isEncrypted, !source.space.matches(ref) { throw source.space.mismatch(ref) }
    let birth = getsNewBirth ? version : ref.birth
    let checksum = file == nil ? 0 : Checksum.of(bytes, count: ref.space, seed: birth)
    guard getsNewBirth || file == nil || checksum == ref.checksum else {
      throw source.space.mismatch(ref)
    }
    let moved = BlockRef(offset: end, size: ref.size, birth: birth, checksum: checksum)
    var done = 0
    while done < ref.space {
      if buffered == Self.bufferSize { try flush() }
      let count = min(Self.bufferSize - buffered, ref.space - done)
      if file != nil { (buffer + buffered).copyMemory(from: bytes + done, byteCount: count) }
      buffered += count
      done += count
    }
    if !ref.isDirty { source.doneReading(ref.offset..<ref.end) }
    return moved
  }

  /// Counts a large value without reading it.
  private mutating func measureLarge(_ ref: BlockRef) throws(StorageError) -> BlockRef {
    precondition(file == nil, "A value that is written is read.")
    let moved = BlockRef(offset: end, size: ref.size, birth: ref.birth, checksum: ref.checksum)
    var left = ref.space
    while left > 0 {
      if buffered == Self.bufferSize { try flush() }
      let count = min(Self.bufferSize - buffered, left)
      buffered += count
      left -= count
    }
    return moved
  }

  /// Writes the node of the builder and returns the reference to it.
  mutating func add(node builder: borrowing LevelBuilder) throws(StorageError) -> BlockRef {
    let size = builder.size
    let space = roundedUp(size)
    if buffered + space > Self.bufferSize { try flush() }
    defer { buffered += space }
    liveBytes += space
    guard file != nil else {
      return BlockRef(offset: end, size: size, birth: version, checksum: 0)
    }
    let piece = backgroundWriter == nil ? Self.pieceSize : Self.longPieceSize
    if pendingValues.count == 0, buffered >= piece { try flush() }
    precondition(buffered + space <= Self.bufferSize, "A node lies within the buffer.")
    let target = buffer + buffered
    builder.build(into: target)
    return BlockRef(
      offset: end, size: size, birth: version,
      checksum: Checksum.of(target, count: space, seed: version))
  }

  /// Writes the buffer; of a long copy, its whole pages.
  private mutating func flush() throws(StorageError) {
    guard buffered > 0 else { return }
    try readPendingValues()
    guard let backgroundWriter else { return try writeBuffer() }
    precondition(
      fileOffset % Layout.pageSize == 0, "What bypasses the page cache begins with a page.")
    let whole = buffered & ~(Layout.pageSize - 1)
    let rest = buffered - whole
    bytesWritten += whole
    do throws(SystemError) {
      try backgroundWriter.submit(
        UnsafeRawBufferPointer(start: buffer, count: whole), at: fileOffset)
    } catch { throw Self.report(error) }
    otherMemory.start.copyMemory(from: buffer + whole, byteCount: rest)
    swap(&memory, &otherMemory)
    fileOffset += whole
    buffered = rest
  }

  /// Writes everything that is left, and returns when it is written.
  mutating func finish() throws(StorageError) {
    try flush()
    do throws(SystemError) { try backgroundWriter?.waitUntilIdle() } catch {
      throw Self.report(error)
    }
    try writeBuffer()
  }

  private mutating func writeBuffer() throws(StorageError) {
    guard buffered > 0 else { return }
    try write(buffer, buffered, at: fileOffset)
    fileOffset += buffered
    buffered = 0
  }

  mutating func write(
    _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int
  ) throws(StorageError) {
    precondition(count >= 0 && offset >= FileHeader.size, "A copy's header is written last.")
    bytesWritten += count
    guard let file else { return }
    do throws(SystemError) {
      try file.write(UnsafeRawBufferPointer(start: bytes, count: count), at: offset)
    } catch { throw Self.report(error) }
    // Start writeback while the next part is assembled, so that little is left for the sync.
    guard offset + count - writebackOffset >= Self.writebackStep else { return }
    file.advise(.writeSoon, writebackOffset..<offset + count)
    writebackOffset = offset + count
  }

  static func report(_ error: SystemError) -> StorageError {
    StorageError(system: error, "The compacted copy cannot be written")
  }
}

extension CopyOutput {
  /// Values that are closer together than this are read ahead together.
  private static let gap = 32 << 10
  /// The maximum number of bytes of the old file to read ahead at once, and to drop from the cache afterwards.
  private static let windowSize = 2 << 20

  private mutating func readPendingValues() throws(StorageError) {
    let values = pendingValues.buffer
    defer { pendingValues.removeAll() }
    guard !values.isEmpty else { return }
    if !Self.isSorted(values) { values.sort(byOffset: { $0.ref.offset }) }
    var from = 0
    var next = Self.window(values, from: 0)
    source.willRead(next.range)
    while from < values.count {
      let current = next
      if current.end < values.count {
        next = Self.window(values, from: current.end)
        source.willRead(next.range)
      }
      for index in from..<current.end { try read(values[index]) }
      source.doneReading(current.range)
      from = current.end
    }
  }

  private func read(_ value: PendingValue) throws(StorageError) {
    let ref = value.ref
    precondition(
      value.target >= 0 && value.target + ref.space <= buffered,
      "A value is read into the part of the buffer that it was given.")
    let target = buffer + value.target
    target.copyMemory(from: try source.space.resolve(ref), byteCount: ref.space)
    guard Checksum.of(target, count: ref.space, seed: ref.birth) == ref.checksum else {
      throw source.space.mismatch(ref)
    }
  }

  private static func isSorted(_ values: UnsafeMutableBufferPointer<PendingValue>) -> Bool {
    var last = 0
    for value in values {
      if value.ref.offset < last { return false }
      last = value.ref.offset
    }
    return true
  }

  /// Returns the window of values from `first` on that are close together: the end of their indexes, and their range in
  /// the old file.
  private static func window(
    _ values: UnsafeMutableBufferPointer<PendingValue>, from first: Int
  ) -> (end: Int, range: Range<Int>) {
    let start = values[first].ref.offset
    var end = values[first].ref.end
    var index = first + 1
    while index < values.count {
      let ref = values[index].ref
      guard ref.offset - end < gap, ref.end - start <= windowSize else { break }
      end = max(end, ref.end)
      index += 1
    }
    return (index, start..<max(start, end))
  }
}

extension UnsafeMutableBufferPointer {
  fileprivate func sort(byOffset offset: (Element) -> Int) {
    var elements = self
    elements.sort { offset($0) < offset($1) }
  }
}
