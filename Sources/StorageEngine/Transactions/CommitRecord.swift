// A commit record: all that a version is, besides its blocks. It holds the tables, the savepoints, and the free list
// either whole (a checkpoint) or as the difference to the record of the version before, which is then kept. See
// Docs/FileFormat.md.

struct CommitRecord {
  var version: UInt64 = 0
  /// The record that this one's free list builds on; nil in a checkpoint.
  var previous: (version: UInt64, ref: RecordRef)?
  /// The file's length before and after the commit.
  var sizeBefore = 0
  var sizeAfter = 0
  var liveBytes = 0
  /// Where automatic compaction stands after this commit.
  var evacuation = EvacuationState()
  var tables: [TableEntry] = []
  var savepoints: [SavepointEntry] = []
  // Every list is by address, and no two extents of one list overlap: `Store.checkLists` sees to that.

  /// Extents of the blocks that the commit wrote; the record's own pieces are not among them.
  var allocated: [Extent] = []
  /// Blocks that the commit freed, each with its birth; the death is this version.
  var freed: [DeferredFreeExtent] = []
  /// Table lists of savepoints that the commit dropped or moved, and pieces of older records that a checkpoint made
  /// superfluous. Nobody but the commit slots saw them.
  var freedMetadata: [Extent] = []
  /// A checkpoint's list of free extents: before this commit's `freed` and `dropped`, with the record's own pieces
  /// still in it.
  var free: [Extent] = []
  /// A checkpoint's list of retired extents of earlier versions.
  var deferredFree: [DeferredFreeExtent] = []
  /// The file's length before the commit; `sizeBefore` of a checkpoint is that after the placing of its blocks. Not
  /// written.
  var fileBefore = 0
  /// Where the record itself lies; the pieces name each other, so this is not written.
  var pieces: [Extent] = []
}

extension CommitRecord {
  /// What depends on where the record itself finds room, and is set when that is known.
  struct LatePlaces {
    var sizeAfter: Int
    var evacuation: Range<Int>
  }

  /// Writes everything; answers where that is which may still change.
  @discardableResult
  func encode(into out: inout RecordWriter) -> LatePlaces {
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
    let place = out.putFixed(UInt64(sizeAfter))
    out.put(liveBytes / Layout.granule)
    let state = evacuation.encoded()
    out.put(state.count)
    let evacuationPlace = out.count..<(out.count + state.count)
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
    return LatePlaces(sizeAfter: place, evacuation: evacuationPlace)
  }

  private static func encode(_ extents: [Extent], into out: inout RecordWriter) {
    out.put(extents.count)
    var end = 0
    for extent in extents {
      out.put((extent.offset - end) / Layout.granule)
      out.put(extent.size / Layout.granule)
      end = extent.end
    }
  }

  private static func encode(
    deferredFree: [DeferredFreeExtent], withDeath: Bool, into out: inout RecordWriter
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
    let size = try reader.number(upTo: EvacuationState.mostBytes)
    evacuation = try EvacuationState(try reader.bytes(size), reader)
    tables = try TableEntry.decode(&reader)
    savepoints = try SavepointEntry.decode(&reader)
    allocated = try Self.extents(&reader)
    freed = try Self.deferredFree(&reader, death: version)
    freedMetadata = try Self.extents(&reader)
    guard previous == nil else { return }
    free = try Self.extents(&reader)
    deferredFree = try Self.deferredFree(&reader, death: nil)
  }

  private static func extents(_ reader: inout RecordReader) throws(StorageError) -> [Extent] {
    var extents: [Extent] = []
    var end = 0
    for _ in 0..<(try reader.number()) {
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
  ) throws(StorageError) -> [DeferredFreeExtent] {
    var extents: [DeferredFreeExtent] = []
    var end = 0
    for _ in 0..<(try reader.number()) {
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
