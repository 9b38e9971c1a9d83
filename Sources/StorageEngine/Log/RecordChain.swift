// The records from the last checkpoint to the newest commit. `FreeListReplay` makes the free list of them.
//
// The records between the two stay encoded and are decoded one at a time, and where they lie is in two long lists: thousands of
// extents in a hundred short arrays would leave as much free memory in the C library's heap of each thread that ever loads a
// state.

struct RecordChain {
  /// The oldest record, which has the whole free list. Also the newest if no other follows.
  let checkpoint: CommitRecord
  let newest: CommitRecord
  /// The length of the longest version.
  let maxFileSize: Int
  /// The extents of all records' pieces, the newest record's first.
  private let extents: LongList<Extent>
  /// The records, newest first.
  private let records: LongList<RecordEnd>
  /// The encoded records between newest and checkpoint.
  private let payloads: LongList<UInt8>

  /// Where a record ends in `payloads` and its pieces in `extents`.
  private struct RecordEnd: BitwiseCopyable {
    var version: UInt64
    var payload: Int
    var pieces: Int
  }

  /// The lists of a longer chain are in mapped memory, where growing leaves no pieces in the heap.
  private static let fewRecords = 32

  var count: Int { records.count }

  /// Reads and verifies the chain that ends with the slot's record.
  init(_ slot: CommitSlot, base: FileView) throws(StorageError) {
    let space = BlockSpace(base: base, end: slot.fileSize)
    var payloads = UniqueList<UInt8>(capacity: Layout.maxRecordPieceSize)
    var extents = UniqueList<Extent>(capacity: 4)
    var records = UniqueList<RecordEnd>(capacity: 4)
    newest = try Self.record(
      slot.record, version: slot.version, space, payload: &payloads, &extents)
    records.append(RecordEnd(version: slot.version, payload: 0, pieces: extents.count))
    payloads.removeAll()
    if newest.previous != nil { payloads.reserveCapacity(MappedBlocks.minSize) }
    var record = newest
    var maxFileSize = max(record.sizeBefore, record.sizeAfter)
    while let previous = record.previous {
      guard previous.version < record.version else {
        throw StorageError(
          .corrupt,
          "The commit record of version \(record.version): it builds on version "
            + "\(previous.version).")
      }
      if records.count == Self.fewRecords {
        extents.reserveCapacity(MappedBlocks.minSize / MemoryLayout<Extent>.stride)
        records.reserveCapacity(MappedBlocks.minSize / MemoryLayout<RecordEnd>.stride)
      }
      record = try Self.record(
        previous.ref, version: previous.version, space, payload: &payloads, &extents)
      records.append(
        RecordEnd(
          version: previous.version, payload: payloads.count, pieces: extents.count))
      maxFileSize = max(maxFileSize, record.sizeBefore, record.sizeAfter)
    }
    guard newest.sizeAfter == slot.fileSize else {
      throw StorageError(
        .corrupt,
        "The commit slot of version \(slot.version) and its record disagree about the file's length."
      )
    }
    checkpoint = record
    self.maxFileSize = maxFileSize
    self.extents = LongList(extents)
    self.records = LongList(records)
    self.payloads = LongList(payloads)
  }

  /// Returns the extents of the pieces of one record; 0 is the oldest.
  func pieces(ofRecord index: Int) -> Slice<LongList<Extent>> {
    extents[range(ofRecord: index) { $0.pieces }]
  }

  private func range(ofRecord index: Int, _ end: (RecordEnd) -> Int) -> Range<Int> {
    let listIndex = count - 1 - index
    return (listIndex > 0 ? end(records[listIndex - 1]) : 0)..<end(records[listIndex])
  }

  /// The extents of the pieces of all records, oldest record first.
  var pieces: some Sequence<Extent> {
    (0..<count).lazy.flatMap { pieces(ofRecord: $0) }
  }

  /// Calls `body` with each record and its pieces, oldest first.
  func enumerate(
    _ body: (CommitRecord, Slice<LongList<Extent>>) throws(StorageError) -> Void
  ) throws(StorageError) {
    try body(checkpoint, pieces(ofRecord: 0))
    for index in 1..<max(1, count - 1) {
      let version = records[count - 1 - index].version
      let location = range(ofRecord: index) { $0.payload }
      let record = try payloads.withBytes(location) { (bytes) throws(StorageError) in
        try Self.decode(bytes, version: version)
      }
      try body(record, pieces(ofRecord: index))
    }
    if count > 1 { try body(newest, pieces(ofRecord: count - 1)) }
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
    var pieces = UniqueList<Extent>(capacity: 1)
    let record = try record(ref, version: version, space, payload: &payload, &pieces)
    return (record, pieces.array)
  }

  /// Reads and verifies one record, and appends its payload and the extents of its pieces.
  private static func record(
    _ ref: RecordRef, version: UInt64, _ space: BlockSpace, payload: inout UniqueList<UInt8>,
    _ pieces: inout UniqueList<Extent>
  ) throws(StorageError) -> CommitRecord {
    let start = payload.count
    try RecordPiece.read(ref, version: version, space, into: &payload, &pieces)
    return try decode(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(payload.buffer)[start...]),
      version: version)
  }

  private static func decode(
    _ payload: UnsafeRawBufferPointer, version: UInt64
  ) throws(StorageError) -> CommitRecord {
    var reader = RecordReader(payload, version: version)
    return try CommitRecord(&reader)
  }
}
