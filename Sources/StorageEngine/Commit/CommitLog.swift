// The commit records of the newest version as the writer continues them: which extents they occupy, and when the next
// one is a checkpoint, which replaces them.

struct CommitLog: ~Copyable {
  /// The pieces of the records from the last checkpoint on.
  private(set) var pieces = UniqueList<Extent>(capacity: 64)
  /// The bytes of the checkpoint, and of the records since.
  private var checkpointBytes = 0
  private var differenceBytes = 0
  /// The newest record, which the next one builds on.
  private(set) var newest: (version: UInt64, ref: RecordRef)
  /// The record that is being encoded.
  var encoder = RecordWriter()

  init(version: UInt64) { newest = (version, RecordRef()) }

  var bytes: Int { checkpointBytes + differenceBytes }

  /// Continues from the records that were read from the file.
  mutating func load(_ chain: RecordChain, _ slot: CommitSlot) {
    newest = (chain.newest.version, slot.record)
    pieces.removeAll()
    for piece in chain.pieces { pieces.append(piece) }
    checkpointBytes = chain.pieces(ofRecord: 0).reduce(0) { $0 + $1.size }
    differenceBytes = chain.pieces.reduce(-checkpointBytes) { $0 + $1.size }
  }

  /// Whether the next record should be a checkpoint: replaying the records since the last one costs more than it.
  func isCheckpointDue(_ options: DatabaseOptions) -> Bool {
    options.freeListRecords == .whole
      || differenceBytes > max(checkpointBytes, Layout.pageSize)
      || (options.allocation.isolatesCommits && occupiesManyPages)
  }

  /// If no two commits share a page, each record since the checkpoint occupies one. After eight of them a checkpoint of
  /// at most half a page is cheaper; a longer checkpoint waits longer.
  private var occupiesManyPages: Bool {
    pieces.count > 8 * (1 + checkpointBytes / Layout.maxRecordPieceSize)
  }

  /// Appends the record of a durable commit. A checkpoint replaces all records before it.
  mutating func append(_ record: CommitRecord, _ ref: RecordRef) {
    precondition(record.version > newest.version, "Records are appended in the order of versions.")
    let bytes = record.pieces.reduce(0) { $0 + $1.size }
    if record.previous == nil {
      pieces.removeAll()
      checkpointBytes = bytes
      differenceBytes = 0
    } else {
      differenceBytes += bytes
    }
    for piece in record.pieces { pieces.append(piece) }
    newest = (record.version, ref)
  }
}
