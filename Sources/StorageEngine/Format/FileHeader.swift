// The first 64 bytes of the file identify it. The header is written last when a file is created, after everything else
// is durable. Until then a creation mark stands in its place, made durable while the file has no more than these 64
// bytes; so an interrupted creation can be told from a file of zeros that belongs to another program.
import SystemIO

enum FileHeader {
  static let size = 64
  /// Not text, so that no transfer converts its line ends. The idea is PNG's.
  private static let magic: UInt64 = 0x0A1A_0A0D_4244_4C89
  static let formatVersion: UInt32 = 2

  /// Bits of the flags. Files of earlier releases are encrypted without `adjacentEntries` (`EncryptedLayout`).
  private static let encrypted: UInt32 = 1
  private static let adjacentEntries: UInt32 = 2

  /// Encodes the header of a file that is encrypted in this layout, or of a plain one.
  static func encode(into bytes: UnsafeMutableRawPointer, _ layout: EncryptedLayout? = nil) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    bytes.put64(magic, 0)
    bytes.put32(formatVersion, 8)
    bytes.put32(UInt32(Layout.pageSize), 12)
    bytes.put32(UInt32(Layout.granule), 16)
    let entries = layout?.hasAdjacentEntries == true ? adjacentEntries : 0
    bytes.put32(layout == nil ? 0 : encrypted | entries, 20)
    bytes.put64(Checksum.of(bytes, count: 56, seed: magic), 56)
  }

  /// Returns whether the bytes begin with the magic number of a complete database.
  static func hasMagic(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= size && bytes.baseAddress!.u64(0) == magic
  }

  /// Returns whether the file is encrypted. The header has been checked.
  static func isEncrypted(_ base: UnsafeRawPointer) -> Bool { base.u32(20) & encrypted != 0 }

  /// Returns the layout of an encrypted file. The header has been checked.
  static func layout(_ base: UnsafeRawPointer) -> EncryptedLayout {
    base.u32(20) & adjacentEntries != 0 ? .adjacentEntries : .pagesOfEntries
  }

  private static let creationMark: UInt64 = 0x474E_4954_4145_5243

  static func encodeCreationMark(into bytes: UnsafeMutableRawPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    bytes.put64(creationMark, 0)
  }

  /// Returns whether the file is empty or its creation was interrupted.
  static func isUnfinished(_ base: UnsafeRawPointer, size: Int) -> Bool {
    if size == 0 { return true }
    guard size >= Self.size else { return false }
    // Until the header is written, the bytes behind the mark are zero: a text file may begin with the mark's letters.
    guard stride(from: 8, to: Self.size, by: 8).allSatisfy({ base.u64($0) == 0 }) else {
      return false
    }
    // After a power loss the file may have the mark's length without the mark.
    return base.u64(0) == creationMark || (size == Self.size && base.u64(0) == 0)
  }

  static func check(_ base: UnsafeRawPointer, size: Int) throws(StorageError) {
    guard size >= 8, base.u64(0) == magic else {
      throw StorageError(
        .notADatabase,
        "The file does not begin with the magic number of a database; it was not changed.")
    }
    guard size >= Layout.blocksStart else {
      throw StorageError(
        .truncated,
        "The file has \(size) bytes; header and commit slots alone take \(Layout.blocksStart).")
    }
    guard base.u64(56) == Checksum.of(base, count: 56, seed: magic) else {
      throw StorageError(.corrupt, "The header at offset 0 fails its checksum.")
    }
    let version = base.u32(8)
    guard version <= formatVersion else {
      throw StorageError(
        .newerFormat,
        "The file has format version \(version), made by a newer release; this one reads version "
          + "\(formatVersion). Open it with that release. The file was not changed.")
    }
    guard version == formatVersion else {
      throw StorageError(
        .notADatabase,
        "The file has format version \(version); this library reads version \(formatVersion).")
    }
    guard [0, encrypted, encrypted | adjacentEntries].contains(base.u32(20)) else {
      throw StorageError(
        .newerFormat,
        "The file is of a kind (flags \(base.u32(20))) that this library does not support.")
    }
  }
}
