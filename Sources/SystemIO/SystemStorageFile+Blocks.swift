// The initialization of blocks that were reserved. Such a block counts as unwritten until its first write, which changes the
// file's block map, so that a sync behind it waits for that too: two writes more, one after the other. Zeros that are written
// before, in one piece, save that. PostgreSQL fills segments of its log for the same reason (`wal_init_zero`), and on file
// systems that copy on write it does not pay there either.

extension SystemStorageFile {
  /// File systems that keep reserved blocks apart from written ones, and write a block where it is.
  package static let initializingFileSystems: Set<String> = ["ext4", "xfs"]
  private static let maxZeros = 1 << 20

  /// Writes zeros to the range, which contains nothing else. Without it only syncs take longer, so that a failure is no
  /// error here; the sync of the commit reports it.
  func initializeBlocks(_ range: Range<Int>) {
    guard !range.isEmpty, let type = try? FileSystem.typeName(at: path),
      Self.initializingFileSystems.contains(type)
    else { return }
    let zeros = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(range.count, Self.maxZeros), alignment: 16)
    defer { zeros.deallocate() }
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: zeros.count) {
      let piece = zeros.prefix(range.upperBound - offset)
      guard (try? handToSystem(UnsafeRawBufferPointer(rebasing: piece), at: offset)) != nil else {
        return
      }
    }
  }
}
