// The records from the last checkpoint to the newest commit, and the free list that they add up to.

struct RecordChain {
  /// Oldest first; the first is a checkpoint.
  private(set) var records: [CommitRecord] = []
  /// Where each record's pieces are.
  private(set) var pieces: [[Extent]] = []

  var newest: CommitRecord { records[records.count - 1] }

  /// Reads and verifies the chain that ends with the slot's record.
  init(_ slot: CommitSlot, base: UnsafeRawPointer) throws(StorageError) {
    let space = BlockSpace(base: base, end: slot.fileSize)
    var version = slot.version
    var next: RecordRef? = slot.record
    while let ref = next {
      let (payload, extents) = try RecordPiece.read(ref, version: version, space)
      var reader = RecordReader(payload, version: version)
      let record = try CommitRecord(&reader)
      records.append(record)
      pieces.append(extents)
      next = record.previous?.ref
      guard let previous = record.previous else { break }
      guard previous.version < version else {
        throw reader.corrupt("it builds on version \(previous.version)")
      }
      version = previous.version
    }
    records.reverse()
    pieces.reverse()
    guard newest.sizeAfter == slot.fileSize else {
      throw StorageError(
        .corrupt,
        "The commit slot of version \(slot.version) and its record differ about the file's length.")
    }
  }

  /// The free space after the newest commit, when no snapshot is registered: all that is retired is free.
  func freeSpace() throws(StorageError) -> FreeSpace {
    var free = FreeSpace(end: records[0].sizeBefore)
    do throws(StorageError) {
      for (record, pieces) in zip(records, pieces) {
        try Self.apply(record, pieces, to: &free)
      }
    } catch {
      free.deallocate()
      throw error
    }
    return free
  }

  private static func apply(
    _ record: CommitRecord, _ pieces: [Extent], to free: inout FreeSpace
  ) throws(StorageError) {
    func corrupt(_ what: String, _ extent: Extent) -> StorageError {
      StorageError(
        .corrupt,
        "The free list of version \(record.version): the \(extent.size) bytes at offset "
          + "\(extent.offset) \(what).")
    }
    func release(_ extent: Extent) throws(StorageError) {
      guard extent.offset >= Layout.blocksStart, extent.end <= free.end,
        free.isDisjoint(from: extent)
      else { throw corrupt("are freed twice, or outside of the file", extent) }
      free.release(extent)
    }
    guard free.end == record.sizeBefore else {
      throw corrupt("do not follow the version before", Extent(offset: 0, size: free.end))
    }
    for extent in record.free { try release(extent) }
    for extent in record.retired { try release(extent.extent) }
    if record.sizeAfter > free.end { free.grow(to: record.sizeAfter) }
    let used = (record.previous == nil ? [] : record.allocated) + pieces
    for extent in used where !free.remove(extent) {
      throw corrupt("are used and were not free", extent)
    }
    if record.sizeAfter < free.end {
      guard free.freeTailStart <= record.sizeAfter else {
        throw corrupt("are cut off and not free", Extent(offset: record.sizeAfter, size: 0))
      }
      free.cut(to: record.sizeAfter)
    }
    for extent in record.freed { try release(extent.extent) }
    for extent in record.dropped { try release(extent) }
  }
}
