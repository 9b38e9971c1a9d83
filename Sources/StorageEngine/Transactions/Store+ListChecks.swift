// What a commit is about to write down, looked at once more. A damaged reference whose checksum was forged, or taken
// after the damage, frees bytes that are somebody else's; that must be an error of the commit, with nothing written.

extension Store {
  /// Error `corrupt` where blocks were freed that were free before.
  func checkFreeSpace() throws(StorageError) {
    guard writer.pointee.free.isOverlapped else { return }
    throw StorageError(
      .corrupt,
      "FREE-1: blocks were freed that were free already; nothing more is written. Copy what can be read."
    )
  }

  /// Error `corrupt` where the lists of a record overlap, or leave the file.
  func checkLists(_ record: CommitRecord) throws(StorageError) {
    try checkDisjoint(record.freed)
    try checkDisjoint(record.retired)
    for table in record.tables where table.root.rows < 0 {
      throw StorageError(
        .corrupt, "TREE-5: table \"\(table.name)\" had more rows than it said.")
    }
    guard record.liveBytes >= 0 else {
      throw StorageError(
        .corrupt, "SPACE-2: version \(record.version) would free more bytes than are live.")
    }
  }

  private func checkDisjoint(_ extents: [RetiredExtent]) throws(StorageError) {
    var end = Layout.blocksStart
    for extent in extents {
      guard extent.offset >= end, extent.size <= writer.pointee.free.end - extent.offset else {
        throw StorageError(
          .corrupt,
          "SPACE-1: the \(extent.size) bytes at offset \(extent.offset) that a commit frees are not "
            + "a block of their own.")
      }
      end = extent.offset + extent.size
    }
  }
}
