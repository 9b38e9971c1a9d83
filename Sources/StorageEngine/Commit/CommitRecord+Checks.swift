// Checks of the lists that a commit is about to write. A damaged reference whose checksum was forged, or computed after
// the damage, frees bytes that belong to other blocks; that must be an error of the commit, with nothing written.

extension CommitRecord {
  /// Throws `corrupt` if a list of the record overlaps itself or leaves the file, or if freed metadata is free already
  /// or freed otherwise.
  func checkLists(against space: borrowing FreeSpace) throws(StorageError) {
    // The frees of the transaction, and of the commits before.
    guard !space.hasDoubleFree else { throw Self.doubleFree }
    try Self.checkDisjoint(allocated, end: space.end)
    try Self.checkDisjoint(freed, end: space.end)
    try Self.checkDisjoint(freedMetadata, end: space.end)
    try Self.checkDisjoint(free, end: space.end)
    try Self.checkDisjoint(deferredFree, end: space.end)
    // Most commits free no metadata: only checkpoints and those that drop a savepoint do.
    for extent in freedMetadata
    where !space.isDisjoint(from: extent) || Self.overlaps(extent, freed)
      || Self.overlaps(extent, deferredFree)
    {
      throw Self.shared(extent)
    }
    for table in tables where table.root.rows < 0 {
      throw StorageError(
        .corrupt, "TREE-5: table \"\(table.name)\" has more rows than its root says.")
    }
    guard liveBytes >= 0 else {
      throw StorageError(
        .corrupt, "SPACE-2: version \(version) would free more bytes than are live.")
    }
  }

  private static func checkDisjoint(
    _ extents: some Collection<some Placed>, end fileEnd: Int
  ) throws(StorageError) {
    var end = Layout.blocksStart
    for extent in extents {
      guard extent.offset >= end, extent.size <= fileEnd - extent.offset else {
        throw shared(Extent(offset: extent.offset, size: extent.size))
      }
      end = extent.offset + extent.size
    }
  }

  static var doubleFree: StorageError {
    StorageError(
      .corrupt,
      "FREE-1: blocks were freed that were free already; nothing more is written. Use writeCopy to save what can be read."
    )
  }

  /// Returns whether the extent overlaps one of a list sorted by address.
  private static func overlaps<List: RandomAccessCollection>(
    _ extent: Extent, _ others: List
  ) -> Bool where List.Element: Placed, List.Index == Int {
    var low = 0
    var high = others.count
    while low < high {
      let middle = (low + high) / 2
      if others[middle].offset + others[middle].size <= extent.offset {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < others.count && others[low].offset < extent.end
  }

  private static func shared(_ extent: Extent) -> StorageError {
    StorageError(
      .corrupt,
      "SPACE-1: the \(extent.size) bytes at offset \(extent.offset) are used twice in one commit; nothing "
        + "is written. Use writeCopy to save what can be read.")
  }
}

/// A range of the file.
private protocol Placed {
  var offset: Int { get }
  var size: Int { get }
}

extension Extent: Placed {}
extension DeferredFreeExtent: Placed {}
