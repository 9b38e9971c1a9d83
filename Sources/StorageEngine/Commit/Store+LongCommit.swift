// Commits of very many bytes, such as a load in one transaction: blocks are assembled in two large buffers, one of
// which is written, bypassing the page cache, while the other is filled. So the kernel need not find page cache for
// them first.
import SystemIO

extension Store {
  /// Returns whether a commit of so many bytes of blocks is written like that. Without syncs nothing waits for the
  /// disk.
  func isLongCommit(_ bytes: Int) -> Bool {
    bytes > options.longCommitThreshold && options.durability == .full && !(file is EncryptedFile)
  }

  func writeGathered() throws(SystemError) {
    var gatherer = WriteGatherer(file)
    defer { gatherer.deallocate() }
    for write in writer.pointee.writes.buffer {
      try gatherer.add(write.bytes, write.size, at: write.offset)
    }
    try gatherer.finish()
  }
}

private struct WriteGatherer {
  private static let size = 4 << 20

  private let file: any StorageFile
  /// nil if the system cannot create a thread.
  private let backgroundWriter: BackgroundWriter?
  private var buffer: UnsafeMutableRawPointer
  private var other: UnsafeMutableRawPointer
  /// The file offset of the first gathered byte. Its offset in the buffer equals its offset within its page, so a full
  /// buffer ends with a page and no page is written in two parts.
  private var fileOffset = 0
  private var count = 0

  init(_ file: any StorageFile) {
    self.file = file
    backgroundWriter = BackgroundWriter(file)
    buffer = .allocate(byteCount: Self.size, alignment: Layout.pageSize)
    other = .allocate(byteCount: Self.size, alignment: Layout.pageSize)
  }

  /// The gathered bytes are no longer accessed afterwards.
  func deallocate() {
    backgroundWriter?.stop()
    buffer.deallocate()
    other.deallocate()
  }

  private var pageOffset: Int { fileOffset & (Layout.pageSize - 1) }

  mutating func add(_ bytes: UnsafeRawPointer, _ size: Int, at offset: Int) throws(SystemError) {
    if offset != fileOffset + count {
      try flush()
      fileOffset = offset
    }
    var done = 0
    while done < size {
      let part = min(size - done, Self.size - pageOffset - count)
      (buffer + pageOffset + count).copyMemory(from: bytes + done, byteCount: part)
      count += part
      done += part
      if pageOffset + count == Self.size { try flush() }
    }
  }

  mutating func finish() throws(SystemError) {
    try flush()
    try backgroundWriter?.waitUntilIdle()
  }

  private mutating func flush() throws(SystemError) {
    guard count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: buffer + pageOffset, count: count)
    if let backgroundWriter {
      try backgroundWriter.submit(bytes, at: fileOffset)
      (buffer, other) = (other, buffer)
    } else {
      try file.write(bytes, at: fileOffset)
    }
    fileOffset += count
    count = 0
  }
}
