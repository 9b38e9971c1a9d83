// A reference from a parent to a block: offset, size, birth version and checksum. Freeing a block needs nothing else,
// so a block is not read when it is freed.

/// Three words, as in the file:
/// ```
/// checksum:64 │ offset/8:40 │ birth high:24 │ size:32 │ birth low:32
/// ```
/// In a write transaction a *dirty* block, one that is not in the file yet, has the top bit of the second word set, its
/// address in the rest, and a tag in place of the checksum. The tag prevents a damaged file, in which the bit happens
/// to be set, from being read as an address.
struct BlockRef: Equatable {
  static let size = 24

  var checksum: UInt64 = 0
  private var location: UInt64 = 0
  private var extent: UInt64 = 0

  init() {}

  init(offset: Int, size: Int, birth: UInt64, checksum: UInt64) {
    self.checksum = checksum
    location = UInt64(truncatingIfNeeded: offset >> 3) << 24 | (birth >> 32) & 0xFF_FFFF
    extent = UInt64(truncatingIfNeeded: size) & 0xFFFF_FFFF | birth << 32
  }

  init(dirty address: UnsafeMutableRawPointer, size: Int) {
    location = 1 << 63 | UInt64(UInt(bitPattern: address))
    checksum = dirtyTag
    extent = UInt64(truncatingIfNeeded: size)
  }

  @inline(__always)
  init(_ bytes: UnsafeRawPointer, at offset: Int) {
    checksum = bytes.u64(offset)
    location = bytes.u64(offset &+ 8)
    extent = bytes.u64(offset &+ 16)
  }

  /// Returns the reference to a dirty block at an offset; nil if the one there is of another block. Of most it reads one word.
  @inline(__always)
  static func dirty(_ bytes: UnsafeRawPointer, at offset: Int) -> BlockRef? {
    guard bytes.u64(offset &+ 8) >> 63 != 0 else { return nil }
    let ref = BlockRef(bytes, at: offset)
    return ref.isDirty ? ref : nil
  }

  @inline(__always)
  func store(_ bytes: UnsafeMutableRawPointer, at offset: Int) {
    bytes.put64(checksum, offset)
    bytes.put64(location, offset &+ 8)
    bytes.put64(extent, offset &+ 16)
  }

  @inline(__always) var isNull: Bool { extent == 0 }
  @inline(__always) var isDirty: Bool { location >> 63 != 0 && checksum == dirtyTag }
  private var dirtyTag: UInt64 { (location ^ 0x6A09_E667_F3BC_C908) &* 0x9E37_79B9_7F4A_7C15 }
  @inline(__always) var address: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(location & ~(1 << 63)))!
  }
  /// The size of the block in bytes, before rounding.
  @inline(__always) var size: Int { Int(extent & 0xFFFF_FFFF) }
  /// The size of the block in the file.
  @inline(__always) var space: Int { roundedUp(size) }
  @inline(__always) var offset: Int { Int(location >> 24) &<< 3 }
  @inline(__always) var end: Int { offset &+ space }
  @inline(__always) var birth: UInt64 { (location & 0xFF_FFFF) << 32 | extent >> 32 }
}
