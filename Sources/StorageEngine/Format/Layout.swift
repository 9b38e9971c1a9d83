// Where things lie in the file, in bytes. Docs/FileFormat.md draws it.

enum Layout {
  /// Header, commit slot A and commit slot B have a block of the disk each: what tears one leaves the others.
  static let pageSize = 4096
  static let slotOffsets = (4096, 8192)
  /// Blocks begin here.
  static let blocksStart = 12288
  /// Every block begins and ends at a multiple of this.
  static let granule = 8
  /// A new file's length: doubled until it reaches the growth step.
  static let initialFileSize = 16384
  /// The most bytes of a commit record that lie in one piece: metadata must fit into the holes that data leaves.
  static let maxRecordPieceSize = 2048
  /// The longest key, value and table name.
  static let maxKeyLength = 511
  static let maxValueLength = 1 << 30
  static let maxNameLength = 255
  static let maxTables = 4096
  /// Every commit record names them all.
  static let maxSavepoints = 256
  /// Offsets are stored as 39 bits of granules.
  static let maxFileSize = 1 << 42
  /// Births have 56 bits; two less than that, so that the version after the next can be reckoned with.
  static let maxVersion: UInt64 = (1 << 56) - 3

  /// The slot that the commit of this version writes.
  static func slotOffset(of version: UInt64) -> Int {
    version & 1 == 0 ? slotOffsets.1 : slotOffsets.0
  }

  /// A clean mark for a version lies in the block of the *other* slot, in a sector of its own: the newest commit's
  /// slot is never written again, not even in part.
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
  /// `withUnsafeBytes` with a typed error, which the standard library's does not pass on.
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
