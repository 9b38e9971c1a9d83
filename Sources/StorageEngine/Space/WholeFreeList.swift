// The size of a free list that each commit writes whole, as Realm Core does: three arrays, with the offset, the length and
// the version of each extent (realm/group_writer.cpp, write_group).

/// Computes the bytes for a list of so many entries.
struct WholeFreeList {
  let entryCount: Int
  /// The end of the free space: the greatest offset.
  let end: Int
  let maxExtentSize: Int
  let version: UInt64

  private static let arrayHeader = 8
  /// Files below this length have entries of 16 bytes at most, since they do not reach 2 GiB by one commit.
  private static let maxShortFile = 0x800_0000
  /// Entries that placing the list itself may add.
  private static let spareEntries = 10
  /// The array at the top: twelve elements of 8 bytes.
  private static let topArray = arrayHeader + 12 * 8

  /// What is written. Each array's elements have the width of its greatest.
  var writtenBytes: Int {
    [end, maxExtentSize, Int(version)].reduce(0) {
      $0 + Self.arrayHeader + roundedUp(entryCount * Self.width(of: $1))
    }
  }

  /// What must be free in one extent before the list's final length is known. What is not written stays free.
  var reservedBytes: Int {
    let entry = end < Self.maxShortFile ? 16 : 24
    return Self.topArray + entry * (entryCount + Self.spareEntries) + Layout.granule
  }

  /// The bytes of a signed element: 1, 2, 4 or 8.
  private static func width(of value: Int) -> Int {
    [1, 2, 4].first { value < 1 << (8 * $0 - 1) } ?? 8
  }
}

extension WholeFreeList {
  /// The list of a checkpoint, with what its commit frees.
  init(of record: CommitRecord, end: Int) {
    self.init(
      entryCount: record.free.count + record.deferredFree.count + record.freed.count
        + record.freedMetadata.count,
      end: end, maxExtentSize: record.free.reduce(0) { max($0, $1.size) },
      version: record.version)
  }
}
