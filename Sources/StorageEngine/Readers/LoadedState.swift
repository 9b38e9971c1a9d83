// The state of a version as its records give it: for a session that opens the file, or that follows the commits of
// others, whose free space and deferred free extents it does not know.

struct LoadedState: ~Copyable {
  let slot: CommitSlot
  let chain: RecordChain
  var free: FreeSpace
  var deferredFree: DeferredFreeExtents
}

extension LoadedState {
  /// Loads the state of the version in `slot`, given the registered versions.
  init(
    _ slot: CommitSlot, base: FileView, _ options: DatabaseOptions,
    registered: [(number: UInt64, readers: Int)]
  ) throws(StorageError) {
    assert(
      registered.allSatisfy { $0.number <= slot.version && $0.readers > 0 },
      "A state is loaded for the versions up to its own that have readers (SPACE-4).")
    let chain = try RecordChain(slot, base: base)
    let held =
      registered.flatMap { Array(repeating: $0, count: $1) }
      + chain.newest.savepoints.map(\.version)
    let rule = ReclamationRule(options.reclamation, held.filter { $0 < slot.version })
    let replay = try chain.freeSpace(pinnedBy: rule, options.allocation)
    let deferredFree = DeferredFreeExtents(
      options.reclamation, registered: held, pinned: replay.pinned)
    self.init(slot: slot, chain: chain, free: replay.free, deferredFree: deferredFree)
  }

  var account: SpaceAccount {
    let pieces = chain.pieces.joined().reduce(0) { $0 + $1.size }
    return SpaceAccount(
      file: slot.fileSize, live: chain.newest.liveBytes, free: free.bytes,
      pinned: deferredFree.bytes, pending: 0,
      overhead: Layout.blocksStart + pieces + SavepointEntry.listBytes(chain.newest.savepoints))
  }
}
