// The first 64 bytes of the file: what it is. Written once, when the file is made, after everything else of it is
// durable; so a file whose first page is zero was never finished and holds nothing.
import SystemIO

enum FileHeader {
  static let size = 64
  /// Not text, so that no transfer mistakes it for text: the idea is PNG's.
  private static let magic: UInt64 = 0x0A1A_0A0D_4244_4C89
  static let formatVersion: UInt32 = 1

  static func encode(into bytes: UnsafeMutableRawPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    bytes.put64(magic, 0)
    bytes.put32(formatVersion, 8)
    bytes.put32(UInt32(Layout.pageSize), 12)
    bytes.put32(UInt32(Layout.granule), 16)
    bytes.put64(Checksum.of(bytes, count: 56, seed: magic), 56)
  }

  /// Whether the first page is nothing but zeros: a creation that did not end.
  static func isBlank(_ base: UnsafeRawPointer, size: Int) -> Bool {
    guard size <= Layout.firstSize else { return false }
    for offset in stride(from: 0, to: min(size, Layout.pageSize) & ~7, by: 8)
    where base.u64(offset) != 0 { return false }
    return true
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
    guard base.u32(8) == formatVersion else {
      throw StorageError(
        .notADatabase,
        "The file has format version \(base.u32(8)); this library reads version \(formatVersion).")
    }
  }
}
