// The layout of the file, in bytes. Docs/FileFormat.md draws it.

enum Layout {
  /// The header and the two commit slots have a page each, so that a torn write damages only one of them.
  static let pageSize = 4096

  /// Returns whether these bytes lie within one page.
  @inline(__always)
  static func isWithinPage(_ offset: Int, _ size: Int) -> Bool {
    offset / pageSize == (offset &+ size &- 1) / pageSize
  }

  static let slotOffsets = (4096, 8192)
  /// The bytes of a commit slot and of a clean mark.
  static let slotSize = 64
  static let cleanMarkSize = 32
  /// The offset of the first block.
  static let blocksStart = 12288
  /// The allocation granularity: every block begins and ends at a multiple of this.
  static let granule = 8
  /// The length of a new file; it doubles until it reaches the growth step.
  static let initialFileSize = 16384
  /// The maximum size of one piece of a commit record: metadata must fit into the holes that rows leave.
  static let maxRecordPieceSize = 2048
  /// The maximum lengths of keys, values and names, in bytes.
  static let maxKeyLength = 511
  static let maxValueLength = 1 << 30
  static let maxNameLength = 255
  static let maxTables = 4096
  /// Every commit record lists all savepoints.
  static let maxSavepoints = 256
  /// Offsets are stored as 39 bits of granules.
  static let maxFileSize = 1 << 42
  /// Births have 56 bits. Two less than the maximum, so that computing the version after the next cannot overflow.
  static let maxVersion: UInt64 = (1 << 56) - 3

  /// Returns the offset of the slot that the commit of this version writes.
  static func slotOffset(of version: UInt64) -> Int {
    version & 1 == 0 ? slotOffsets.1 : slotOffsets.0
  }

  /// Returns the offset of the clean mark of a version. It lies in the page of the *other* slot, in a sector of its
  /// own: the page of the newest commit's slot is never written again.
  static func cleanMarkOffset(of version: UInt64) -> Int {
    slotOffset(of: version + 1) + cleanMarkGap
  }
  static let cleanMarkGap = 512
}

@inline(__always)
func roundedUp(_ count: Int, to unit: Int = Layout.granule) -> Int {
  (count + unit - 1) & ~(unit - 1)
}

extension [UInt8] {
  /// `withUnsafeBytes` with a typed error, which the standard library's does not propagate.
  func withBytes<R>(
    _ body: (UnsafeRawBufferPointer) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    let result: Result<R, StorageError> = withUnsafeBytes { bytes in
      do throws(StorageError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  func u64(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
  @inline(__always)
  func u32(_ offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
  @inline(__always)
  func u16(_ offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
  @inline(__always)
  func u8(_ offset: Int) -> UInt8 { load(fromByteOffset: offset, as: UInt8.self) }
}

extension UnsafeMutableRawPointer {
  @inline(__always)
  func put64(_ value: UInt64, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
  @inline(__always)
  func put32(_ value: UInt32, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
  @inline(__always)
  func put16(_ value: UInt16, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt16.self)
  }
  @inline(__always)
  func put8(_ value: UInt8, _ offset: Int) {
    storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
  }
}
