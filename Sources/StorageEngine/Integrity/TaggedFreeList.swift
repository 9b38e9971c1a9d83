// The free list with its tags (birth and death), replayed from the records of the file. The running engine drops the
// tags of an extent as soon as it is free.

struct TaggedFreeList {
  /// Sorted by offset; an extent without tags has birth and death zero.
  private(set) var extents: [DeferredFreeExtent] = []

  init(_ chain: RecordChain) throws(StorageError) {
    var end = chain.checkpoint.sizeBefore
    try chain.enumerate { (record, pieces) throws(StorageError) in
      for extent in record.free { add(Self.untagged(extent)) }
      for extent in record.deferredFree { add(extent) }
      if record.sizeAfter > end {
        add(Self.untagged(Extent(offset: end, size: record.sizeAfter - end)))
      }
      let used = (record.previous == nil ? [] : record.allocated) + pieces
      for extent in used { try remove(extent, record.version) }
      if record.sizeAfter < end {
        try remove(Extent(offset: record.sizeAfter, size: end - record.sizeAfter), record.version)
      }
      end = record.sizeAfter
      for extent in record.freed { add(extent) }
      for extent in record.freedMetadata { add(Self.untagged(extent)) }
    }
  }

  private static func untagged(_ extent: Extent) -> DeferredFreeExtent {
    DeferredFreeExtent(offset: extent.offset, size: extent.size, birth: 0, death: 0)
  }

  /// Returns the first index whose extent begins at or after `offset`.
  private func index(from offset: Int) -> Int {
    var low = 0
    var high = extents.count
    while low < high {
      let middle = (low + high) / 2
      if extents[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func add(_ extent: DeferredFreeExtent) {
    extents.insert(extent, at: index(from: extent.offset))
  }

  private mutating func remove(_ removed: Extent, _ version: UInt64) throws(StorageError) {
    var index = index(from: removed.offset)
    if index > 0, extents[index - 1].extent.end > removed.offset { index -= 1 }
    var rest: [DeferredFreeExtent] = []
    var covered = 0
    var last = index
    while last < extents.count, extents[last].offset < removed.end {
      let extent = extents[last]
      let from = max(extent.offset, removed.offset)
      let to = min(extent.extent.end, removed.end)
      covered += to - from
      if extent.offset < from { rest.append(extent.part(extent.offset, from)) }
      if to < extent.extent.end { rest.append(extent.part(to, extent.extent.end)) }
      last += 1
    }
    guard covered == removed.size else {
      throw StorageError(
        .corrupt,
        "SPACE-1: version \(version) uses \(removed.size) bytes at offset \(removed.offset), of which "
          + "\(covered) were free.")
    }
    extents.replaceSubrange(index..<last, with: rest)
  }
}

extension DeferredFreeExtent {
  fileprivate func part(_ from: Int, _ to: Int) -> DeferredFreeExtent {
    DeferredFreeExtent(offset: from, size: to - from, birth: birth, death: death)
  }
}
