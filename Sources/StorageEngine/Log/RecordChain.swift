// The records from the last checkpoint to the newest commit. `FreeListReplay` makes the free list of them.

struct RecordChain {
  /// Oldest first; the first is a checkpoint.
  private(set) var records: [CommitRecord] = []
  /// The extents of each record's pieces.
  private(set) var pieces: [[Extent]] = []

  var newest: CommitRecord { records[records.count - 1] }

  /// Reads and verifies the chain that ends with the slot's record.
  init(_ slot: CommitSlot, base: FileView) throws(StorageError) {
    let space = BlockSpace(base: base, end: slot.fileSize)
    var version = slot.version
    var next: RecordRef? = slot.record
    while let ref = next {
      let (record, extents) = try Self.record(ref, version: version, space)
      records.append(record)
      pieces.append(extents)
      guard let previous = record.previous else { break }
      guard previous.version < version else {
        throw StorageError(
          .corrupt,
          "The commit record of version \(version): it builds on version \(previous.version).")
      }
      next = previous.ref
      version = previous.version
    }
    records.reverse()
    pieces.reverse()
    guard newest.sizeAfter == slot.fileSize else {
      throw StorageError(
        .corrupt,
        "The commit slot of version \(slot.version) and its record disagree about the file's length."
      )
    }
  }

  /// Reads and verifies only the slot's record.
  static func record(
    _ slot: CommitSlot, base: FileView
  ) throws(StorageError) -> (record: CommitRecord, pieces: [Extent]) {
    let space = BlockSpace(base: base, end: slot.fileSize)
    return try record(slot.record, version: slot.version, space)
  }

  /// Reads and verifies one record.
  static func record(
    _ ref: RecordRef, version: UInt64, _ space: BlockSpace
  ) throws(StorageError) -> (record: CommitRecord, pieces: [Extent]) {
    let (payload, extents) = try RecordPiece.read(ref, version: version, space)
    var reader = RecordReader(payload, version: version)
    return (try CommitRecord(&reader), extents)
  }
}
