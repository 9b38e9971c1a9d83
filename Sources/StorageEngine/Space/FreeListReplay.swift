// The replay of the commit records from the last checkpoint on, which yields the free list. Each step checks that a record
// fits to those before it (FREE-1): a damaged one must be an error, and not overwrite what is in use.

extension RecordChain {
  /// Returns the free space after the newest commit, and the deferred free extents that the rule pins.
  /// Births and deaths are in the records, so the registered versions determine what is pinned.
  func freeSpace(
    pinnedBy rule: ReclamationRule, _ allocation: Allocation = .tightFit
  ) throws(StorageError) -> Replay {
    var free = FreeSpace(
      end: checkpoint.sizeBefore, expecting: checkpoint.free.count, below: maxFileSize,
      allocation)
    var pinned = PinnedExtents(rule)
    try enumerate { (record, pieces) throws(StorageError) in
      try Self.apply(record, pieces, to: &free, &pinned)
    }
    try validateRoots(free)
    // Until here the pinned extents are part of the free space.
    try pinned.enumerate { (extent) throws(StorageError) in
      guard free.remove(extent.extent) else {
        throw Self.corrupt(newest, "are pinned and were used again", extent.extent)
      }
    }
    return Replay(free: free, pinned: pinned)
  }

  /// The space as the records leave it.
  struct Replay: ~Copyable {
    var free: FreeSpace
    /// The deferred free extents that the rule pins.
    let pinned: PinnedExtents
  }

  /// Throws `corrupt` if a record, a root or a table list of the newest version is free: the next commit would
  /// overwrite it. The trees below the roots are not checked here; the walk does that.
  private func validateRoots(_ free: borrowing FreeSpace) throws(StorageError) {
    for piece in pieces where !free.isDisjoint(from: piece) {
      throw Self.corrupt(newest, "are free and contain a commit record", piece)
    }
    let roots = newest.tables.map(\.root.root).filter { !$0.isNull }
    for ref in newest.savepoints.map(\.list) + roots {
      let extent = Extent(offset: ref.offset, size: ref.space)
      guard extent.offset >= Layout.blocksStart, extent.end <= free.end,
        free.isDisjoint(from: extent)
      else {
        throw Self.corrupt(newest, "cannot be the root of a table or savepoint", extent)
      }
    }
  }

  private static func corrupt(
    _ record: CommitRecord, _ what: String, _ extent: Extent
  ) -> StorageError {
    StorageError(
      .corrupt,
      "The free list of version \(record.version): the \(extent.size) bytes at offset "
        + "\(extent.offset) \(what).")
  }

  private static func apply(
    _ record: CommitRecord, _ pieces: some Sequence<Extent>, to free: inout FreeSpace,
    _ pinned: inout PinnedExtents
  ) throws(StorageError) {
    func corrupt(_ what: String, _ extent: Extent) -> StorageError {
      Self.corrupt(record, what, extent)
    }
    func release(_ extent: Extent) throws(StorageError) {
      guard extent.offset >= Layout.blocksStart, extent.end <= free.end,
        free.isDisjoint(from: extent)
      else { throw corrupt("are freed twice, or lie outside the file", extent) }
      free.free(extent)
    }
    func allocate(_ extent: Extent) throws(StorageError) {
      guard free.remove(extent) else { throw corrupt("are allocated and were not free", extent) }
      pinned.remove(extent)
    }
    guard free.end == record.sizeBefore else {
      throw corrupt("do not continue the previous version", Extent(offset: 0, size: free.end))
    }
    for extent in record.free { try release(extent) }
    for extent in record.deferredFree {
      try release(extent.extent)
      pinned.add(extent)
    }
    if record.sizeAfter > free.end { free.grow(to: record.sizeAfter) }
    if record.previous != nil {
      for extent in record.allocated { try allocate(extent) }
    }
    for piece in pieces { try allocate(piece) }
    if record.sizeAfter < free.end {
      guard free.freeTailOffset <= record.sizeAfter else {
        throw corrupt("are truncated and were not free", Extent(offset: record.sizeAfter, size: 0))
      }
      pinned.remove(Extent(offset: record.sizeAfter, size: free.end - record.sizeAfter))
      free.truncate(to: record.sizeAfter)
    }
    for extent in record.freed {
      try release(extent.extent)
      pinned.add(extent)
    }
    for extent in record.freedMetadata { try release(extent) }
  }
}
