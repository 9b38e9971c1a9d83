// The blocks of a commit of very many bytes, such as a load in one transaction: put together in two large buffers, one of
// which is written while the other is filled. The file's pages then need no room in the system's cache, which would have
// to be found first.
import SystemIO

extension Store {
  /// Whether a commit of so many bytes of blocks is written so. Without syncs nobody waits for the disk.
  func isLongCommit(_ bytes: Int) -> Bool {
    bytes > options.longCommitThreshold && options.durability == .full && !(file is EncryptedFile)
  }

  func writeLongRuns() throws(SystemError) {
    var gathered = GatheredWrites(file)
    defer { gathered.deallocate() }
    for write in writer.pointee.writes.buffer {
      try gathered.add(write.bytes, write.size, at: write.offset)
    }
    try gathered.finish()
  }
}

private struct GatheredWrites {
  private static let size = 4 << 20

  private let file: any StorageFile
  /// nil where the system has no thread to give.
  private let backgroundWriter: BackgroundWriter?
  private var buffer: UnsafeMutableRawPointer
  private var other: UnsafeMutableRawPointer
  /// Where the first byte goes that is gathered. It lies as far behind the buffer's beginning as its place lies behind that
  /// of its page: a buffer that is full ends with a page, so that no page is written in two parts.
  private var place = 0
  private var count = 0

  init(_ file: any StorageFile) {
    self.file = file
    backgroundWriter = BackgroundWriter(file)
    buffer = .allocate(byteCount: Self.size, alignment: Layout.pageSize)
    other = .allocate(byteCount: Self.size, alignment: Layout.pageSize)
  }

  /// Afterwards nothing looks at the bytes any more.
  func deallocate() {
    backgroundWriter?.stop()
    buffer.deallocate()
    other.deallocate()
  }

  private var begin: Int { place & (Layout.pageSize - 1) }

  mutating func add(_ bytes: UnsafeRawPointer, _ size: Int, at offset: Int) throws(SystemError) {
    if offset != place + count {
      try flush()
      place = offset
    }
    var done = 0
    while done < size {
      let part = min(size - done, Self.size - begin - count)
      (buffer + begin + count).copyMemory(from: bytes + done, byteCount: part)
      count += part
      done += part
      if begin + count == Self.size { try flush() }
    }
  }

  mutating func finish() throws(SystemError) {
    try flush()
    try backgroundWriter?.waitUntilIdle()
  }

  private mutating func flush() throws(SystemError) {
    guard count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: buffer + begin, count: count)
    if let backgroundWriter {
      try backgroundWriter.submit(bytes, at: place)
      (buffer, other) = (other, buffer)
    } else {
      try file.write(bytes, at: place)
    }
    place += count
    count = 0
  }
}
