// The file's bytes as blocks are looked up in them: every reference is checked against the file's end before it is
// followed, and every block against its checksum when it is first met, so that a damaged file gives an error and not a
// fault or a wrong answer.
import SystemIO

struct BlockSpace {
  let base: UnsafeRawPointer
  let view: FileView
  /// The logical length of the file in the version that is read.
  let end: Int
  /// What was verified since the file was opened; nil for whoever verifies by himself, and where the blocks were sealed.
  let verifiedBlocks: VerifiedBlockBitmap?
  /// The word that says how far the file reaches on disk, where other openings may cut it under an older version's eyes:
  /// what they cut off no sound reference leads to.
  private let fileEnd: UnsafeMutableRawPointer?

  init(
    base view: FileView, end: Int, verifiedBlocks: VerifiedBlockBitmap? = nil,
    fileEnd: UnsafeMutableRawPointer? = nil
  ) {
    base = view.start
    self.view = view
    self.end = end
    self.fileEnd = fileEnd
    // What is decrypted has been authenticated with it.
    self.verifiedBlocks = view.encryptedFile == nil ? verifiedBlocks : nil
  }

  /// Makes bytes that `version` wrote readable at `base`; they lie within the file.
  @inline(__always)
  func makeReadable(_ offset: Int, _ size: Int, version: UInt64) throws(StorageError) {
    try view.makeReadable(offset, size, version: version)
  }

  /// The block's first byte.
  @inline(__always)
  func resolve(_ ref: BlockRef) throws(StorageError) -> UnsafeRawPointer {
    if ref.isDirty { return UnsafeRawPointer(ref.address) }
    let offset = ref.offset
    guard offset >= Layout.blocksStart, offset &+ ref.size <= end, isWithinFile(ref) else {
      throw outOfFile(ref)
    }
    try view.makeReadable(offset, ref.size, version: ref.birth)
    if let verifiedBlocks, !verifiedBlocks.isVerified(offset, ref.size) { try verifyOnFirstRead(ref) }
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

  /// Holds the block against its checksum, also where that was done before; to `resolve` it is no stranger then.
  func verify(_ ref: BlockRef) throws(StorageError) {
    guard matches(ref) else { throw mismatch(ref) }
    if !ref.isDirty { verifiedBlocks?.markVerified(ref.offset, ref.size) }
  }

  @inline(never)
  private func outOfFile(_ ref: BlockRef) -> StorageError {
    StorageError(
      .corrupt,
      "A reference leads to offset \(ref.offset) with \(ref.size) bytes, outside of the file's "
        + "\(min(end, fileEnd.map { Int($0.atomicLoad(0)) } ?? end)) bytes.")
  }

  /// Whether the block's contents are what its parent says; blocks that are not in the file yet are.
  func matches(_ ref: BlockRef) -> Bool {
    if ref.isDirty { return true }
    guard ref.offset >= Layout.blocksStart, ref.end <= end, isWithinFile(ref) else { return false }
    guard (try? view.makeReadable(ref.offset, ref.size, version: ref.birth)) != nil else { return false }
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
        + "checksum that its parent holds.")
  }
}
