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
  let touched: FirstTouch?
  /// The word that says how far the file reaches on disk, where other openings may cut it under an older version's eyes:
  /// what they cut off no sound reference leads to.
  private let fileEnd: UnsafeMutableRawPointer?

  init(
    base view: FileView, end: Int, touched: FirstTouch? = nil,
    fileEnd: UnsafeMutableRawPointer? = nil
  ) {
    base = view.start
    self.view = view
    self.end = end
    self.fileEnd = fileEnd
    // What is decrypted has been authenticated with it.
    self.touched = view.vault == nil ? touched : nil
  }

  /// Makes bytes that `version` wrote readable at `base`; they lie within the file.
  @inline(__always)
  func prepare(_ offset: Int, _ size: Int, version: UInt64) throws(StorageError) {
    try view.prepare(offset, size, version: version)
  }

  /// The block's first byte.
  @inline(__always)
  func resolve(_ ref: BlockRef) throws(StorageError) -> UnsafeRawPointer {
    if ref.isDirty { return UnsafeRawPointer(ref.address) }
    let offset = ref.offset
    guard offset >= Layout.blocksStart, offset &+ ref.size <= end, isOnDisk(ref) else {
      throw outOfFile(ref)
    }
    try view.prepare(offset, ref.size, version: ref.birth)
    if let touched, !touched.isVerified(offset, ref.size) { try meet(ref) }
    return base + offset
  }

  @inline(__always)
  private func isOnDisk(_ ref: BlockRef) -> Bool {
    guard let fileEnd else { return true }
    return UInt64(truncatingIfNeeded: ref.end) <= fileEnd.atomicLoad(0)
  }

  @inline(never)
  private func meet(_ ref: BlockRef) throws(StorageError) {
    try verify(ref)
  }

  /// Holds the block against its checksum, also where that was done before; to `resolve` it is no stranger then.
  func verify(_ ref: BlockRef) throws(StorageError) {
    guard matches(ref) else { throw mismatch(ref) }
    if !ref.isDirty { touched?.setVerified(ref.offset, ref.size) }
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
    guard ref.offset >= Layout.blocksStart, ref.end <= end, isOnDisk(ref) else { return false }
    guard (try? view.prepare(ref.offset, ref.size, version: ref.birth)) != nil else { return false }
    return Checksum.of(base + ref.offset, count: ref.space, seed: ref.birth) == ref.checksum
  }

  @inline(never)
  func mismatch(_ ref: BlockRef) -> StorageError {
    if ref.offset >= Layout.blocksStart, ref.end <= end {
      do throws(StorageError) {
        try view.prepare(ref.offset, ref.size, version: ref.birth)
      } catch { return error }
    }
    return StorageError(
      .corrupt,
      "The block at offset \(ref.offset) (\(ref.size) bytes, version \(ref.birth)) fails the "
        + "checksum that its parent holds.")
  }
}
