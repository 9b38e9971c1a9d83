// Copies one version out of a file that other processes may be writing, without a lock, a session or a reader entry: its
// writers notice nothing.
//
// **Why what is captured is one version, whatever happened meanwhile.** A commit slot has the checksum of its record,
// each piece of a record that of the next, a record those of its roots and of the record before, each node those of its
// children. So a version is determined by its slot. Bytes are used only if they match the checksum of what refers to
// them, and then they are the version's, however late they were read and whatever else was written. A block that was
// overwritten, or cut off with the end of the file, fails its checksum: it is missing, and never taken for another.
//
// **Why a pass that misses blocks is repeated at little cost.** Blocks are not changed in place. One that the next
// version still reaches has the same offset, birth and checksum there, so the subtree below it need not be read again:
// the next pass reads what was committed during this one, the pass after that what was committed during the next.
//
// **When a miss is damage.** What version n reaches is overwritten by the commit of n + 2 at the earliest
// (Docs/FileFormat.md, 7), and that begins after the slot of n + 1 was written. So if the newest slot after a pass is
// still the one that the pass began with, no commit has overwritten anything that the pass read.
import SystemIO

/// Reads from an offset of the file on, and returns the number of bytes: fewer than the buffer has at the file's end.
typealias ReadBytes = (UnsafeMutableRawBufferPointer, Int) throws(SystemError) -> Int

/// What of a version is captured.
enum CapturedContents {
  /// The commit slots and records, which have the sums of all space.
  case records
  /// Also the nodes of all tables: everything but values in blocks of their own.
  case nodes
}

struct VersionCapture: ~Copyable {
  /// What identifies a block or record for as long as the file exists.
  private struct BlockKey: Hashable {
    let offset: Int
    let size: Int
    let birth: UInt64
    let checksum: UInt64
  }

  /// Passes after the first are short. Only a file whose nodes are all replaced during each pass needs so many.
  static let maxPasses = 100
  /// Passes that find the newest slot unchanged before the file counts as damaged. One would do where stores of other
  /// processors become visible in order.
  private static let maxUnchangedPasses = 3
  private static let pauseNanoseconds: UInt64 = 1_000_000
  /// More captured bytes are refused, since they are in memory.
  static let maxBytes = 1 << 30
  /// Larger blocks are written by commits that sync their contents first, so none needs a check.
  private static let maxVerifiedValue = 1 << 26
  private static let maxNodeBytes = 1 << 20

  private let read: ReadBytes
  /// The captured bytes, each at its offset in the file.
  let image: MemoryStorageFile
  private var scratch = RawBuffer(count: 1 << 16)
  /// The blocks that are captured with everything below them, and the records with all before them.
  private var complete: Set<BlockKey> = []
  private var capturedBytes = 0

  init(_ read: @escaping ReadBytes) throws(StorageError) {
    self.read = read
    do throws(SystemError) { image = try MemoryStorageFile() } catch {
      throw StorageError(system: error, "There is no address space for an image of the file")
    }
  }

  // MARK: Passes

  /// Captures the newest version, or a later one if that is overwritten meanwhile. Returns its slot, and whether
  /// everything that was asked for is captured; if not, its records are. Errors: `busy` if the file changed too fast
  /// for either, `corrupt` if bytes fail their checksums that no commit has overwritten, `limitExceeded`, and those of
  /// opening.
  mutating func run(
    _ contents: CapturedContents, maxPasses: Int = maxPasses
  ) throws(StorageError) -> (slot: CommitSlot, isWhole: Bool) {
    var previous: CommitSlot?
    var unchangedPasses = 0
    for pass in 0..<2 * maxPasses {
      let slot = try captureFront()
      unchangedPasses = slot == previous ? unchangedPasses + 1 : 0
      if unchangedPasses > 0 {
        guard unchangedPasses < Self.maxUnchangedPasses else { throw Self.damage(slot) }
        Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + Self.pauseNanoseconds)
      }
      previous = slot
      guard !hasNewerCleanMark(slot), let record = try captureRecords(slot) else { continue }
      if contents == .records { return (slot, true) }
      if try captureNodes(slot, record) { return (slot, true) }
      if pass >= maxPasses - 1 { return (slot, false) }
    }
    throw StorageError(
      .busy, "The file changed while it was read, \(2 * maxPasses) times one after the other.")
  }

  private static func damage(_ slot: CommitSlot) -> StorageError {
    StorageError(
      .corrupt,
      "A block or record of version \(slot.version) fails its checksum, and no commit has overwritten it."
    )
  }

  // MARK: The front

  /// Captures header and slots. Returns the newest slot that passes its checks.
  private mutating func captureFront() throws(StorageError) -> CommitSlot {
    let count = try fill(Layout.blocksStart, at: 0)
    try FileHeader.check(scratch.start, size: count)
    guard !FileHeader.isEncrypted(scratch.start) else {
      throw StorageError(
        .keyMissing, "The file is encrypted; open it with the key (encryptionKey).")
    }
    let slots = [Layout.slotOffsets.0, Layout.slotOffsets.1]
      .compactMap { CommitSlot(scratch.start, at: $0) }
    guard let slot = slots.max(by: { $0.version < $1.version }) else {
      throw StorageError(
        .corrupt,
        "Neither commit slot (offsets \(Layout.slotOffsets.0) and \(Layout.slotOffsets.1)) passes its "
          + "checksum.")
    }
    do throws(SystemError) { try image.resize(to: max(slot.fileSize, Layout.blocksStart)) } catch {
      throw Self.tooLarge(slot.fileSize)
    }
    try keep(Layout.blocksStart, at: 0)
    return slot
  }

  /// Whether the file was closed at the next version, whose slot fails its checks: damage, or a slot that was written
  /// while the front was read.
  private func hasNewerCleanMark(_ slot: CommitSlot) -> Bool {
    CleanMark.isSet(image.base, for: slot.version + 1)
  }

  // MARK: Records

  /// Captures the records from the last checkpoint to the slot's. Returns the newest; nil if one is missing.
  private mutating func captureRecords(_ slot: CommitSlot) throws(StorageError) -> CommitRecord? {
    let space = BlockSpace(base: FileView(plain: image.base), end: slot.fileSize)
    var newest: CommitRecord?
    var captured: [BlockKey] = []
    var next: (version: UInt64, ref: RecordRef)? = (slot.version, slot.record)
    while let (version, ref) = next {
      let key = BlockKey(
        offset: ref.offset, size: ref.size, birth: version, checksum: ref.checksum)
      if newest != nil, complete.contains(key) { break }
      guard try capturePieces(ref, version, end: slot.fileSize) else { return nil }
      captured.append(key)
      let (record, _) = try RecordChain.record(ref, version: version, space)
      newest = newest ?? record
      guard record.previous?.version ?? 0 < version else { throw Self.damage(slot) }
      next = record.previous
    }
    complete.formUnion(captured)
    return newest
  }

  /// Captures the pieces of a record. Returns false if one is missing.
  private mutating func capturePieces(
    _ first: RecordRef, _ version: UInt64, end: Int
  ) throws(StorageError) -> Bool {
    var next: RecordRef? = first
    var bytes = 0
    while let ref = next {
      bytes += ref.size
      guard RecordPiece.isValid(ref, end: end), bytes <= end,
        try fill(ref.size, at: ref.offset) == ref.size,
        Checksum.of(scratch.start, count: ref.size, seed: version) == ref.checksum
      else { return false }
      try keep(ref.size, at: ref.offset)
      next = RecordPiece.reference(following: scratch.start)
    }
    return true
  }

  // MARK: Nodes

  /// Captures the nodes of all tables and the table lists of savepoints. Returns false if one is missing; what could be
  /// read is captured nevertheless, so that the next pass need not read it.
  private mutating func captureNodes(
    _ slot: CommitSlot, _ record: CommitRecord
  ) throws(StorageError) -> Bool {
    // As opening does: the blocks of a commit that is not known to be durable are verified, values too.
    let isDurable = slot.isContentSynced || CleanMark.isSet(image.base, for: slot.version)
    let walk = Walk(
      space: BlockSpace(base: FileView(plain: image.base), end: slot.fileSize),
      bornToVerify: isDurable ? .max : slot.version)
    var isWhole = true
    for savepoint in record.savepoints {
      if try !capture(savepoint.list, walk, maxBytes: Self.maxVerifiedValue) { isWhole = false }
    }
    for table in record.tables where !table.root.root.isNull {
      if try !captureTree(table.root.root, table.root.kind, level: nil, walk) { isWhole = false }
    }
    return isWhole
  }

  /// What is the same for all blocks of a pass.
  private struct Walk {
    let space: BlockSpace
    /// Values of this birth are verified, without being captured.
    let bornToVerify: UInt64
  }

  private mutating func captureTree(
    _ ref: BlockRef, _ kind: KeyKind, level: Int?, _ walk: Walk
  ) throws(StorageError) -> Bool {
    let key = BlockKey(
      offset: ref.offset, size: ref.size, birth: ref.birth, checksum: ref.checksum)
    if complete.contains(key) { return true }
    guard try capture(ref, walk, maxBytes: Self.maxNodeBytes) else { return false }
    let node = try Node(ref, walk.space, kind)
    guard node.level == level ?? node.level, node.level < TreeReader.maxLevels else {
      throw Node.malformed(ref)
    }
    let childLevel = node.level - 1
    var children: [BlockRef] = []
    for index in 0..<node.count where node.slot(index, kind) & Node.referenceBit != 0 {
      children.append(try node.reference(index, kind))
    }
    var isWhole = true
    for child in children {
      if childLevel >= 0 {
        if try !captureTree(child, kind, level: childLevel, walk) { isWhole = false }
      } else if child.birth == walk.bornToVerify, child.space <= Self.maxVerifiedValue {
        if try !matches(child, walk, maxBytes: Self.maxVerifiedValue) { isWhole = false }
      }
    }
    if isWhole { complete.insert(key) }
    return isWhole
  }

  private mutating func capture(
    _ ref: BlockRef, _ walk: Walk, maxBytes: Int
  ) throws(StorageError) -> Bool {
    guard try matches(ref, walk, maxBytes: maxBytes) else { return false }
    try keep(ref.space, at: ref.offset)
    return true
  }

  /// Reads a block into `scratch`. Returns whether it has the contents that its parent's checksum requires.
  private mutating func matches(
    _ ref: BlockRef, _ walk: Walk, maxBytes: Int
  ) throws(StorageError) -> Bool {
    guard !ref.isDirty, ref.offset >= Layout.blocksStart, ref.size > 0, ref.space <= maxBytes,
      ref.end <= walk.space.end
    else { return false }
    return try fill(ref.space, at: ref.offset) == ref.space
      && Checksum.of(scratch.start, count: ref.space, seed: ref.birth) == ref.checksum
  }

  // MARK: Bytes

  /// Reads into `scratch`. Returns the number of bytes.
  private mutating func fill(_ count: Int, at offset: Int) throws(StorageError) -> Int {
    if count > scratch.count { scratch = RawBuffer(count: count) }
    let buffer = UnsafeMutableRawBufferPointer(start: scratch.start, count: count)
    do throws(SystemError) { return try read(buffer, offset) } catch {
      throw StorageError(system: error, "The file cannot be read")
    }
  }

  /// Copies the first bytes of `scratch` into the image. Error `limitExceeded`.
  private mutating func keep(_ count: Int, at offset: Int) throws(StorageError) {
    capturedBytes += count
    guard capturedBytes <= Self.maxBytes else { throw Self.tooLarge(capturedBytes) }
    do throws(SystemError) { try image.write(scratch.prefix(count), at: offset) } catch {
      throw StorageError(system: error, "The image of the file cannot grow")
    }
  }

  private static func tooLarge(_ bytes: Int) -> StorageError {
    StorageError(
      .limitExceeded, "An image of the file would take \(bytes) bytes of memory or addresses.")
  }
}
