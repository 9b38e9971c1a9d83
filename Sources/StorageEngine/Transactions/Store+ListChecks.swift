// What a commit is about to write down, looked at once more. A damaged reference whose checksum was forged, or taken
// after the damage, frees bytes that are somebody else's; that must be an error of the commit, with nothing written.

extension Store {
  /// Error `corrupt` where blocks were freed that were free before.
  func checkFreeSpace() throws(StorageError) {
    guard writer.pointee.freeSpace.hasDoubleFree else { return }
    throw StorageError(
      .corrupt,
      "FREE-1: blocks were freed that were free already; nothing more is written. Copy what can be read."
    )
  }

  /// Error `corrupt` where a list of a record overlaps itself or leaves the file, or where the commit drops what is free
  /// or freed otherwise.
  func checkLists(_ record: CommitRecord) throws(StorageError) {
    try checkDisjoint(record.allocated)
    try checkDisjoint(record.freed)
    try checkDisjoint(record.freedMetadata)
    try checkDisjoint(record.free)
    try checkDisjoint(record.deferredFree)
    // Most commits drop nothing: only a checkpoint does, and who drops a savepoint.
    for extent in record.freedMetadata
    where !writer.pointee.freeSpace.isDisjoint(from: extent) || overlaps(extent, record.freed)
      || overlaps(extent, record.deferredFree)
    {
      throw shared(extent)
    }
    for table in record.tables where table.root.rows < 0 {
      throw StorageError(
        .corrupt, "TREE-5: table \"\(table.name)\" had more rows than it said.")
    }
    guard record.liveBytes >= 0 else {
      throw StorageError(
        .corrupt, "SPACE-2: version \(record.version) would free more bytes than are live.")
    }
  }

  private func checkDisjoint(_ extents: [some Placed]) throws(StorageError) {
    var end = Layout.blocksStart
    for extent in extents {
      guard extent.offset >= end, extent.size <= writer.pointee.freeSpace.end - extent.offset else {
        throw shared(Extent(offset: extent.offset, size: extent.size))
      }
      end = extent.offset + extent.size
    }
  }

  /// Whether a part of the extent lies in one of a list by address.
  private func overlaps(_ extent: Extent, _ others: [some Placed]) -> Bool {
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

  private func shared(_ extent: Extent) -> StorageError {
    StorageError(
      .corrupt,
      "SPACE-1: the \(extent.size) bytes at offset \(extent.offset) are not one commit's alone; nothing "
        + "is written. Copy what can be read.")
  }
}

/// What lies somewhere in the file.
private protocol Placed {
  var offset: Int { get }
  var size: Int { get }
}

extension Extent: Placed {}
extension DeferredFreeExtent: Placed {}
