// The records from the last checkpoint to the newest commit. `FreeListReplay` makes the free list of them.
//
// The records between the two stay encoded and are decoded one at a time: thousands of extents in a hundred short arrays would
// leave as much free memory in the C library's heap of each thread that ever loads a state.

struct RecordChain {
  /// The oldest record, which has the whole free list. Also the newest if no other follows.
  let checkpoint: CommitRecord
  let newest: CommitRecord
  /// The extents of each record's pieces, oldest first.
  let pieces: [[Extent]]
  /// The length of the longest version.
  let maxFileSize: Int
  /// The records between checkpoint and newest, oldest first, by their location in `payloads`.
  private let differences: [(version: UInt64, location: Range<Int>)]
  private let payloads: LongList<UInt8>

  var count: Int { pieces.count }

  /// Reads and verifies the chain that ends with the slot's record.
  init(_ slot: CommitSlot, base: FileView) throws(StorageError) {
    let space = BlockSpace(base: base, end: slot.fileSize)
    var (record, extents) = try Self.record(slot.record, version: slot.version, space)
    var payloads = UniqueList<UInt8>(capacity: record.previous == nil ? 0 : MappedBlocks.minSize)
    var differences: [(version: UInt64, location: Range<Int>)] = []
    newest = record
    var pieces = [extents]
    var maxFileSize = max(record.sizeBefore, record.sizeAfter)
    while let previous = record.previous {
      guard previous.version < record.version else {
        throw StorageError(
          .corrupt,
          "The commit record of version \(record.version): it builds on version "
            + "\(previous.version).")
      }
      let start = payloads.count
      (record, extents) = try Self.record(
        previous.ref, version: previous.version, space, payload: &payloads)
      pieces.append(extents)
      maxFileSize = max(maxFileSize, record.sizeBefore, record.sizeAfter)
      if record.previous != nil { differences.append((record.version, start..<payloads.count)) }
    }
    guard newest.sizeAfter == slot.fileSize else {
      throw StorageError(
        .corrupt,
        "The commit slot of version \(slot.version) and its record disagree about the file's length."
      )
    }
    checkpoint = record
    self.pieces = pieces.reversed()
    self.maxFileSize = maxFileSize
    self.differences = differences.reversed()
    self.payloads = LongList(payloads)
  }

  /// Calls `body` with each record and its pieces, oldest first.
  func enumerate(
    _ body: (CommitRecord, [Extent]) throws(StorageError) -> Void
  ) throws(StorageError) {
    try body(checkpoint, pieces[0])
    for (index, (version, location)) in differences.enumerated() {
      let record = try payloads.withBytes(location) { (bytes) throws(StorageError) in
        try Self.decode(bytes, version: version)
      }
      try body(record, pieces[index + 1])
    }
    if count > 1 { try body(newest, pieces[count - 1]) }
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
    var payload = UniqueList<UInt8>(capacity: Layout.maxRecordPieceSize)
    return try record(ref, version: version, space, payload: &payload)
  }

  /// Reads and verifies one record, and appends its payload.
  private static func record(
    _ ref: RecordRef, version: UInt64, _ space: BlockSpace, payload: inout UniqueList<UInt8>
  ) throws(StorageError) -> (record: CommitRecord, pieces: [Extent]) {
    let start = payload.count
    let extents = try RecordPiece.read(ref, version: version, space, into: &payload)
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(payload.buffer)[start...])
    return (try decode(bytes, version: version), extents)
  }

  private static func decode(
    _ payload: UnsafeRawBufferPointer, version: UInt64
  ) throws(StorageError) -> CommitRecord {
    var reader = RecordReader(payload, version: version)
    return try CommitRecord(&reader)
  }
}
