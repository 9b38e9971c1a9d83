// A commit record: all of a version except its blocks. It contains the tables, the savepoints, and the free list,
// either as a whole (a checkpoint) or as the difference from the previous version's record, which is then retained. See
// Docs/FileFormat.md.

struct CommitRecord {
  var version: UInt64 = 0
  /// The record that this one's free list builds on; nil in a checkpoint.
  var previous: (version: UInt64, ref: RecordRef)?
  /// The length of the file before and after the commit.
  var sizeBefore = 0
  var sizeAfter = 0
  var liveBytes = 0
  /// The state of automatic compaction after this commit.
  var evacuation = EvacuationState()
  var tables: [TableEntry] = []
  var savepoints: [SavepointEntry] = []
  // Every list is sorted by address, and the extents of a list do not overlap: `Store.checkLists` ensures that.

  /// The extents of the blocks that the commit wrote, without the pieces of the record itself.
  var allocated: [Extent] = []
  /// The blocks that the commit freed, each with its birth; the death is this version.
  var freed: [DeferredFreeExtent] = []
  /// Freed metadata: table lists of savepoints that the commit dropped or moved, and pieces of older records that a
  /// checkpoint replaces. No snapshot reads them, so they are free at once.
  var freedMetadata: [Extent] = []
  /// In a checkpoint, the free extents: without this commit's `freed` and `freedMetadata`, and including the pieces of
  /// the record itself.
  var free = LongList<Extent>()
  /// In a checkpoint, the deferred free extents of earlier versions.
  var deferredFree = LongList<DeferredFreeExtent>()
  /// The length of the file before the commit; in a checkpoint, `sizeBefore` is that after its blocks were placed. Not
  /// encoded.
  var fileBefore = 0
  /// The extents of the record itself. Not encoded: each piece names the next.
  var pieces: [Extent] = []
}

extension CommitRecord {
  /// The offsets of the fields that depend on where the record itself is placed, and are set afterwards.
  struct PatchableFields {
    var sizeAfter: Int
    var evacuation: Range<Int>
  }

  /// Encodes the record. Returns the offsets of the fields that may still change.
  @discardableResult
  func encode(into out: inout RecordWriter) -> PatchableFields {
    out.put(version)
    if let previous {
      out.put(1)
      out.put(previous.version)
      out.put(previous.ref.offset / Layout.granule)
      out.put(previous.ref.size / Layout.granule)
      out.putFixed(previous.ref.checksum)
    } else {
      out.put(0)
    }
    out.put(sizeBefore / Layout.granule)
    let sizeAfterOffset = out.putFixed(UInt64(sizeAfter))
    out.put(liveBytes / Layout.granule)
    let state = evacuation.encoded()
    out.put(state.count)
    let evacuationRange = out.count..<(out.count + state.count)
    for byte in state { out.put(byte: byte) }
    TableEntry.encode(tables, into: &out)
    SavepointEntry.encode(savepoints, into: &out)
    Self.encode(allocated, into: &out)
    Self.encode(deferredFree: freed, withDeath: false, into: &out)
    Self.encode(freedMetadata, into: &out)
    if previous == nil {
      Self.encode(free, into: &out)
      Self.encode(deferredFree: deferredFree, withDeath: true, into: &out)
    }
    return PatchableFields(sizeAfter: sizeAfterOffset, evacuation: evacuationRange)
  }

  private static func encode(
    _ extents: some Collection<Extent>, into out: inout RecordWriter
  ) {
    out.put(extents.count)
    var end = 0
    for extent in extents {
      out.put((extent.offset - end) / Layout.granule)
      out.put(extent.size / Layout.granule)
      end = extent.end
    }
  }

  private static func encode(
    deferredFree: some Collection<DeferredFreeExtent>, withDeath: Bool, into out: inout RecordWriter
  ) {
    out.put(deferredFree.count)
    var end = 0
    for extent in deferredFree {
      out.put((extent.offset - end) / Layout.granule)
      out.put(extent.size / Layout.granule)
      out.put(extent.birth)
      if withDeath { out.put(extent.death) }
      end = extent.offset + extent.size
    }
  }

  init(_ reader: inout RecordReader) throws(StorageError) {
    version = try reader.get()
    guard version == reader.version else { throw reader.corrupt("it is of version \(version)") }
    if try reader.number(upTo: 1) == 1 {
      let version = try reader.get()
      let offset = try reader.number() * Layout.granule
      let size = try reader.number() * Layout.granule
      previous = (version, RecordRef(offset: offset, size: size, checksum: try reader.fixed()))
    }
    sizeBefore = try reader.number() * Layout.granule
    guard let after = Int(exactly: try reader.fixed()), after <= Layout.maxFileSize else {
      throw reader.corrupt("the file's length is out of range")
    }
    sizeAfter = after
    liveBytes = try reader.number() * Layout.granule
    let size = try reader.number(upTo: EvacuationState.maxEncodedSize)
    evacuation = try EvacuationState(try reader.bytes(size), reader)
    tables = try TableEntry.decode(&reader)
    savepoints = try SavepointEntry.decode(&reader)
    allocated = try Self.extents(&reader).array
    freed = try Self.deferredFree(&reader, death: version).array
    freedMetadata = try Self.extents(&reader).array
    guard previous == nil else { return }
    free = LongList(try Self.extents(&reader))
    deferredFree = LongList(try Self.deferredFree(&reader, death: nil))
  }

  private static func extents(
    _ reader: inout RecordReader
  ) throws(StorageError) -> UniqueList<Extent> {
    let count = try reader.count()
    var extents = UniqueList<Extent>(capacity: count)
    var end = 0
    for _ in 0..<count {
      let offset = end + (try reader.number() * Layout.granule)
      let size = try reader.number() * Layout.granule
      guard size > 0, offset + size <= Layout.maxFileSize else {
        throw reader.corrupt("an extent at offset \(offset) has \(size) bytes")
      }
      extents.append(Extent(offset: offset, size: size))
      end = offset + size
    }
    return extents
  }

  private static func deferredFree(
    _ reader: inout RecordReader, death: UInt64?
  ) throws(StorageError) -> UniqueList<DeferredFreeExtent> {
    let count = try reader.count()
    var extents = UniqueList<DeferredFreeExtent>(capacity: count)
    var end = 0
    for _ in 0..<count {
      let offset = end + (try reader.number() * Layout.granule)
      let size = try reader.number() * Layout.granule
      guard size > 0, offset + size <= Layout.maxFileSize else {
        throw reader.corrupt("a deferred-free extent at offset \(offset) has \(size) bytes")
      }
      let birth = try reader.get()
      let died: UInt64
      if let death { died = death } else { died = try reader.get() }
      extents.append(DeferredFreeExtent(offset: offset, size: size, birth: birth, death: died))
      end = offset + size
    }
    return extents
  }
}
