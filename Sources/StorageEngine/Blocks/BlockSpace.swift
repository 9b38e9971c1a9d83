// The file as the space in which references are resolved. Every reference is checked against the end of the file before
// it is followed, and every block against its checksum when it is first read, so that a damaged file yields an error
// and not a fault or a wrong result.
import SystemIO

struct BlockSpace {
  let base: UnsafeRawPointer
  let view: FileView
  /// The logical length of the file in this version.
  let end: Int
  /// The blocks verified since the file was opened. nil if the caller verifies blocks itself, and in encrypted files.
  let verifiedBlocks: VerifiedBlockBitmap?
  /// The word in shared memory that holds the length of the file on disk, for files that other sessions may truncate
  /// while this one reads an older version. No sound reference leads behind it.
  private let fileEnd: UnsafeMutableRawPointer?

  init(
    base view: FileView, end: Int, verifiedBlocks: VerifiedBlockBitmap? = nil,
    fileEnd: UnsafeMutableRawPointer? = nil
  ) {
    base = view.start
    self.view = view
    self.end = end
    self.fileEnd = fileEnd
    // Decryption authenticates the block.
    self.verifiedBlocks = view.encryptedFile == nil ? verifiedBlocks : nil
  }

  /// Decrypts the bytes, which `version` wrote, if the file is encrypted. They lie within the file.
  @inline(__always)
  func makeReadable(_ offset: Int, _ size: Int, version: UInt64) throws(StorageError) {
    try view.makeReadable(offset, size, version: version)
  }

  /// Requests a block of up to a page, as nodes are, which is about to be read: its cache misses then overlap from the first
  /// on. The size is not verified yet, so no more is requested.
  @inline(__always)
  func prefetch(_ ref: BlockRef) {
    guard !ref.isDirty, ref.end <= end else { return }
    let block = base + ref.offset
    let size = min(ref.size, Layout.pageSize)
    var line = 0
    while line < size {
      (block + line).prefetch()
      line &+= 64
    }
  }

  /// Returns the block's first byte, after verifying the block if this is the first access. Errors: `corrupt`.
  @inline(__always)
  func resolve(_ ref: BlockRef) throws(StorageError) -> UnsafeRawPointer {
    if ref.isDirty { return UnsafeRawPointer(ref.address) }
    let offset = ref.offset
    // TREE-1: a block lies within the file.
    guard offset >= Layout.blocksStart, offset &+ ref.size <= end, isWithinFile(ref) else {
      throw outOfFile(ref)
    }
    try view.makeReadable(offset, ref.size, version: ref.birth)
    if let verifiedBlocks, !verifiedBlocks.isVerified(offset, ref.size) {
      try verifyOnFirstRead(ref)
    }
    return base + offset
  }

  @inline(__always)
  private func isWithinFile(_ ref: BlockRef) -> Bool {
    guard let fileEnd else { return true }
    return UInt64(truncatingIfNeeded: ref.end) <= fileEnd.atomicLoad(0)
  }

  @inline(never)
  private func verifyOnFirstRead(_ ref: BlockRef) throws(StorageError) {
    try verify(ref)
  }

  /// Verifies the block against its checksum (TREE-1), even if that was done before, and records it as verified. Error
  /// `corrupt`.
  func verify(_ ref: BlockRef) throws(StorageError) {
    guard matches(ref) else { throw mismatch(ref) }
    if !ref.isDirty { verifiedBlocks?.markVerified(ref.offset, ref.size) }
  }

  @inline(never)
  private func outOfFile(_ ref: BlockRef) -> StorageError {
    StorageError(
      .corrupt,
      "A reference points to offset \(ref.offset) with \(ref.size) bytes, outside the file's "
        + "\(min(end, fileEnd.map { Int($0.atomicLoad(0)) } ?? end)) bytes.")
  }

  /// Returns whether the block has the contents that its parent's checksum requires; always true for dirty blocks.
  func matches(_ ref: BlockRef) -> Bool {
    if ref.isDirty { return true }
    guard ref.offset >= Layout.blocksStart, ref.end <= end, isWithinFile(ref) else { return false }
    guard (try? view.makeReadable(ref.offset, ref.size, version: ref.birth)) != nil else {
      return false
    }
    return Checksum.of(base + ref.offset, count: ref.space, seed: ref.birth) == ref.checksum
  }

  @inline(never)
  func mismatch(_ ref: BlockRef) -> StorageError {
    if ref.offset >= Layout.blocksStart, ref.end <= end {
      do throws(StorageError) {
        try view.makeReadable(ref.offset, ref.size, version: ref.birth)
      } catch { return error }
    }
    return StorageError(
      .corrupt,
      "The block at offset \(ref.offset) (\(ref.size) bytes, version \(ref.birth)) fails the "
        + "checksum in its parent.")
  }
}
