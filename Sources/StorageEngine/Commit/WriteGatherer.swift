// Writes commits of very many bytes, such as a load in one transaction: blocks are assembled in two large buffers, one of
// which is written, bypassing the page cache, while the other is filled. So the kernel need not find page cache for
// them first.
import SystemIO

struct WriteGatherer: ~Copyable {
  private static let size = 4 << 20

  private let file: any StorageFile
  /// nil if the system cannot create a thread.
  private let backgroundWriter: BackgroundWriter?
  private var buffer = RawBuffer(count: size, alignment: Layout.pageSize)
  private var other = RawBuffer(count: size, alignment: Layout.pageSize)
  /// The file offset of the first gathered byte. Its offset in the buffer equals its offset within its page, so a full
  /// buffer ends with a page and no page is written in two parts.
  private var fileOffset = 0
  private var count = 0

  init(_ file: any StorageFile) {
    self.file = file
    backgroundWriter = BackgroundWriter(file)
  }

  // The thread reads one of the buffers, which are freed afterwards.
  deinit { backgroundWriter?.stop() }

  private var pageOffset: Int { fileOffset & (Layout.pageSize - 1) }

  mutating func add(_ bytes: UnsafeRawPointer, _ size: Int, at offset: Int) throws(SystemError) {
    if offset != fileOffset + count {
      try flush()
      fileOffset = offset
    }
    var done = 0
    while done < size {
      let part = min(size - done, Self.size - pageOffset - count)
      (buffer.start + pageOffset + count).copyMemory(from: bytes + done, byteCount: part)
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
    let bytes = UnsafeRawBufferPointer(start: buffer.start + pageOffset, count: count)
    if let backgroundWriter {
      try backgroundWriter.submit(bytes, at: fileOffset)
      swap(&buffer, &other)
    } else {
      try file.write(bytes, at: fileOffset)
    }
    fileOffset += count
    count = 0
  }
}
