// The first 64 bytes of the file: what it is. Written when the file is made, after everything else of it is durable.
// Until then another mark stands there, made durable while the file had no more than these 64 bytes; so a creation
// that did not end is told from a file of zeros, which is someone else's.
import SystemIO

enum FileHeader {
  static let size = 64
  /// Not text, so that no transfer mistakes it for text: the idea is PNG's.
  private static let magic: UInt64 = 0x0A1A_0A0D_4244_4C89
  static let formatVersion: UInt32 = 2

  static func encode(into bytes: UnsafeMutableRawPointer, isEncrypted: Bool = false) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    bytes.put64(magic, 0)
    bytes.put32(formatVersion, 8)
    bytes.put32(UInt32(Layout.pageSize), 12)
    bytes.put32(UInt32(Layout.granule), 16)
    bytes.put32(isEncrypted ? 1 : 0, 20)
    bytes.put64(Checksum.of(bytes, count: 56, seed: magic), 56)
  }

  /// Whether these bytes begin with the mark of a database that was made whole.
  static func hasMagic(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= size && bytes.baseAddress!.u64(0) == magic
  }

  /// Whether a header that was checked says that the file is encrypted.
  static func isEncrypted(_ base: UnsafeRawPointer) -> Bool { base.u32(20) == 1 }

  private static let creationMark: UInt64 = 0x474E_4954_4145_5243

  static func encodeCreationMark(into bytes: UnsafeMutableRawPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    bytes.put64(creationMark, 0)
  }

  /// Whether the file is empty, or its creation did not end.
  static func isUnfinished(_ base: UnsafeRawPointer, size: Int) -> Bool {
    if size == 0 { return true }
    guard size >= Self.size else { return false }
    // Until the header is written the rest of its place is zero: a text may well begin with the mark's letters.
    guard stride(from: 8, to: Self.size, by: 8).allSatisfy({ base.u64($0) == 0 }) else {
      return false
    }
    // The mark's length may reach the disk without the mark.
    return base.u64(0) == creationMark || (size == Self.size && base.u64(0) == 0)
  }

  static func check(_ base: UnsafeRawPointer, size: Int) throws(StorageError) {
    guard size >= 8, base.u64(0) == magic else {
      throw StorageError(
        .notADatabase, "The file does not begin with this database's mark; it was left as it is.")
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
          + "\(formatVersion). Open it with that release. The file was left as it is.")
    }
    guard version == formatVersion else {
      throw StorageError(
        .notADatabase,
        "The file has format version \(version); this library reads version \(formatVersion).")
    }
    guard base.u32(20) <= 1 else {
      throw StorageError(
        .newerFormat,
        "The file is of a kind (flags \(base.u32(20))) that this library does not know.")
    }
  }
}
