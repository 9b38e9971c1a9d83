// A commit slot names the record of one commit, as a meta page does in LMDB. Commits alternate between two slots, so
// that the slot of the last durable commit is intact while the next one is written.

/// The location of a piece of a commit record, and the checksum of its contents.
struct RecordRef: Equatable {
  var offset = 0
  var size = 0
  var checksum: UInt64 = 0
}

struct CommitSlot: Equatable {
  static let size = Layout.slotSize
  private static let magic: UInt32 = 0x544F_4C53

  var version: UInt64
  var record: RecordRef
  var fileSize: Int
  /// Whether the commit synced its contents before it wrote this slot: they then need no verification when the file is
  /// opened.
  var isContentSynced: Bool

  func encode(into bytes: UnsafeMutableRawPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
    bytes.put32(Self.magic, 0)
    bytes.put32(isContentSynced ? 1 : 0, 4)
    bytes.put64(version, 8)
    bytes.put64(UInt64(record.offset), 16)
    bytes.put64(UInt64(record.size), 24)
    bytes.put64(record.checksum, 32)
    bytes.put64(UInt64(fileSize), 40)
    bytes.put64(Checksum.of(bytes, count: 56, seed: version), 56)
  }

  /// Reads the slot at `offset`. nil if it fails a check: never written, torn, or damaged.
  init?(_ base: UnsafeRawPointer, at offset: Int) {
    // Copied before it is checked: a commit of another process may overwrite it at any moment.
    let copy = [UInt8](UnsafeRawBufferPointer(start: base + offset, count: Self.size))
    guard let slot = copy.withUnsafeBytes({ Self.checked($0.baseAddress!, offset) }) else {
      return nil
    }
    self = slot
  }

  private static func checked(_ bytes: UnsafeRawPointer, _ offset: Int) -> CommitSlot? {
    let version = bytes.u64(8)
    guard bytes.u32(0) == magic, bytes.u32(4) <= 1,
      bytes.u64(56) == Checksum.of(bytes, count: 56, seed: version),
      Layout.slotOffset(of: version) == offset,
      let recordOffset = Int(exactly: bytes.u64(16)), let recordSize = Int(exactly: bytes.u64(24)),
      let fileSize = Int(exactly: bytes.u64(40)), fileSize <= Layout.maxFileSize,
      fileSize % Layout.granule == 0, version <= Layout.maxVersion
    else { return nil }
    return CommitSlot(
      version: version,
      record: RecordRef(offset: recordOffset, size: recordSize, checksum: bytes.u64(32)),
      fileSize: fileSize, isContentSynced: bytes.u32(4) == 1)
  }

  init(version: UInt64, record: RecordRef, fileSize: Int, isContentSynced: Bool) {
    self.version = version
    self.record = record
    self.fileSize = fileSize
    self.isContentSynced = isContentSynced
  }
}

extension CommitSlot {
  /// Reads the slot from the file, not from decrypted memory: another process may have written it since the file was
  /// opened.
  init?(_ view: FileView, at offset: Int) {
    guard let encryptedFile = view.encryptedFile else {
      self.init(view.start, at: offset)
      return
    }
    let slot = withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { bytes in
      encryptedFile.readSealed(at: offset, into: bytes)
        ? CommitSlot(UnsafeRawPointer(bytes.baseAddress!) - offset, at: offset) : nil
    }
    guard let slot else { return nil }
    self = slot
  }
}
