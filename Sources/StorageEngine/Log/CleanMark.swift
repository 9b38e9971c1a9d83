// The mark that a database was closed properly.

/// Marks a version as durable when the database was closed. If it names the newest slot, damage to that commit is
/// corruption and not the trace of a power loss that the older slot could repair.
enum CleanMark {
  static let size = Layout.cleanMarkSize
  private static let magic: UInt64 = 0x4E41_454C_4353_4157

  static func encode(_ version: UInt64, into bytes: UnsafeMutableRawPointer) {
    bytes.put64(magic, 0)
    bytes.put64(version, 8)
    bytes.put64(0, 16)
    bytes.put64(Checksum.of(bytes, count: 24, seed: version), 24)
  }

  static func isSet(_ base: UnsafeRawPointer, for version: UInt64) -> Bool {
    let bytes = base + Layout.cleanMarkOffset(of: version)
    return bytes.u64(0) == magic && bytes.u64(8) == version
      && bytes.u64(24) == Checksum.of(bytes, count: 24, seed: version)
  }
}

extension CleanMark {
  static func isSet(_ view: FileView, for version: UInt64) -> Bool {
    isSet(view.start, for: version)
  }
}
