// The new file of a copy, filled front to back in large writes. Values are not read when their place is given away but
// when the buffer is full, in the order in which they lie in the old file: a file whose rows were written at random is
// then read front to back once for each buffer, not once for each row. Without a file everything is counted and nothing
// read or written: an estimate takes the same way.
// A long copy has two buffers: one is written, past the system's cache and by another thread, while the other is filled.
import SystemIO

struct CopyOutput {
  private static let bufferSize = 16 << 20
  /// What awaits no value goes out in pieces that are still in the processor's cache as the kernel copies them.
  private static let pieceSize = 1 << 18
  /// The same in a long copy, where no kernel copies them.
  private static let longPieceSize = 4 << 20
  /// The disk is told of so many bytes at a time.
  private static let sendSize = 8 << 20
  /// Values of more bytes than this come through the buffer in parts.
  private static let largeValue = 1 << 20

  /// A value whose place in the buffer is known, and whose bytes are yet to be read.
  private struct Awaited {
    var ref: BlockRef
    var target: Int
  }

  private let file: (any StorageFile)?
  /// An encrypted file's units hold blocks of one version only, so that values are born anew.
  private let isEncrypted: Bool
  private let source: CopySource
  private let version: UInt64
  private var buffer: UnsafeMutableRawPointer
  private var buffered = 0
  /// What a long copy is written by, and its other buffer.
  private let backgroundWriter: BackgroundWriter?
  private var otherBuffer: UnsafeMutableRawPointer?
  /// Where the buffer's first byte goes.
  private var place = Layout.blocksStart
  private var awaited = RawList<Awaited>(capacity: 4096)
  /// Until where the disk was told of what is written.
  private var sent = Layout.blocksStart
  private(set) var liveBytes = 0
  /// Bytes handed to the file; those that would be, where there is none.
  private(set) var bytesWritten = 0

  init(
    _ file: (any StorageFile)?, _ source: CopySource, version: UInt64, isLong: Bool = false
  ) {
    self.file = file
    isEncrypted = file is EncryptedFile
    self.source = source
    self.version = version
    buffer = .allocate(byteCount: Self.bufferSize, alignment: Layout.pageSize)
    backgroundWriter = isLong ? file.flatMap { BackgroundWriter($0) } : nil
    if backgroundWriter != nil {
      otherBuffer = .allocate(byteCount: Self.bufferSize, alignment: Layout.pageSize)
    }
  }

  func deallocate() {
    backgroundWriter?.stop()
    otherBuffer?.deallocate()
    buffer.deallocate()
    awaited.deallocate()
  }

  /// Where the next block goes.
  var end: Int { place + buffered }

  /// Gives the value a place; answers the reference to it there. A value of the old file keeps its birth, and with it
  /// its checksum, which is checked when the bytes are copied.
  mutating func add(value ref: BlockRef) throws(StorageError) -> BlockRef {
    let space = ref.space
    liveBytes += space
    if space > Self.largeValue { return try addLarge(ref) }
    if buffered + space > Self.bufferSize { try flush() }
    defer { buffered += space }
    guard ref.isDirty || isEncrypted else {
      if file != nil { awaited.append(Awaited(ref: ref, target: buffered)) }
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
    let bytes = try source.space.resolve(ref)
    let isBornAnew = ref.isDirty || isEncrypted
    if isEncrypted, !source.space.matches(ref) { throw source.space.mismatch(ref) }
    let birth = isBornAnew ? version : ref.birth
    let checksum = file == nil ? 0 : Checksum.of(bytes, count: ref.space, seed: birth)
    guard isBornAnew || file == nil || checksum == ref.checksum else {
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
    if !ref.isDirty { source.letGo(ref.offset..<ref.end) }
    return moved
  }

  /// Writes the node that the builder holds; answers the reference to it.
  mutating func add(node builder: LevelBuilder) throws(StorageError) -> BlockRef {
    let size = builder.size
    let space = roundedUp(size)
    if buffered + space > Self.bufferSize { try flush() }
    defer { buffered += space }
    liveBytes += space
    guard file != nil else {
      return BlockRef(offset: end, size: size, birth: version, checksum: 0)
    }
    let piece = backgroundWriter == nil ? Self.pieceSize : Self.longPieceSize
    if awaited.count == 0, buffered >= piece { try flush() }
    let target = buffer + buffered
    builder.build(into: target)
    return BlockRef(
      offset: end, size: size, birth: version,
      checksum: Checksum.of(target, count: space, seed: version))
  }

  /// Hands the buffer to the file; of a long copy what fills whole pages.
  private mutating func flush() throws(StorageError) {
    guard buffered > 0 else { return }
    try readAwaited()
    guard let backgroundWriter, let otherBuffer else { return try handAll() }
    let whole = buffered & ~(Layout.pageSize - 1)
    let rest = buffered - whole
    bytesWritten += whole
    do throws(SystemError) {
      try backgroundWriter.submit(UnsafeRawBufferPointer(start: buffer, count: whole), at: place)
    } catch { throw Self.report(error) }
    otherBuffer.copyMemory(from: buffer + whole, byteCount: rest)
    (buffer, self.otherBuffer) = (otherBuffer, buffer)
    place += whole
    buffered = rest
  }

  /// Hands over all that is left, and returns when the file has it.
  mutating func finish() throws(StorageError) {
    try flush()
    do throws(SystemError) { try backgroundWriter?.waitUntilIdle() } catch { throw Self.report(error) }
    try handAll()
  }

  private mutating func handAll() throws(StorageError) {
    guard buffered > 0 else { return }
    try hand(buffer, buffered, at: place)
    place += buffered
    buffered = 0
  }

  mutating func hand(
    _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int
  ) throws(StorageError) {
    bytesWritten += count
    guard let file else { return }
    do throws(SystemError) {
      try file.write(UnsafeRawBufferPointer(start: bytes, count: count), at: offset)
    } catch { throw Self.report(error) }
    // The disk writes while the next part is gathered; the sync at the end finds little left to do.
    guard offset + count - sent >= Self.sendSize else { return }
    file.advise(.writeSoon, sent..<offset + count)
    sent = offset + count
  }

  static func report(_ error: SystemError) -> StorageError {
    StorageError(system: error, "The compacted copy cannot be written")
  }
}

extension CopyOutput {
  /// Values nearer to each other than this are read in one go.
  private static let gap = 32 << 10
  /// The most bytes of the old file that are asked for at a time, and let go of afterwards.
  private static let windowSize = 2 << 20

  private mutating func readAwaited() throws(StorageError) {
    let values = awaited.buffer
    defer { awaited.removeAll() }
    guard !values.isEmpty else { return }
    if !Self.isSorted(values) { values.sortByPlace { $0.ref.offset } }
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
      source.letGo(current.range)
      from = current.end
    }
  }

  private func read(_ value: Awaited) throws(StorageError) {
    let ref = value.ref
    let target = buffer + value.target
    target.copyMemory(from: try source.space.resolve(ref), byteCount: ref.space)
    guard Checksum.of(target, count: ref.space, seed: ref.birth) == ref.checksum else {
      throw source.space.mismatch(ref)
    }
  }

  private static func isSorted(_ values: UnsafeMutableBufferPointer<Awaited>) -> Bool {
    var last = 0
    for value in values {
      if value.ref.offset < last { return false }
      last = value.ref.offset
    }
    return true
  }

  /// The values from `first` on that lie close together: the index behind the last, and their range of the old file.
  private static func window(
    _ values: UnsafeMutableBufferPointer<Awaited>, from first: Int
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
  fileprivate func sortByPlace(_ place: (Element) -> Int) {
    var elements = self
    elements.sort { place($0) < place($1) }
  }
}
