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
    registered: consuming RegisteredVersions
  ) throws(StorageError) {
    let chain = try RecordChain(slot, base: base)
    // SPACE-4: a state is loaded for the versions up to its own.
    registered.removeVersions(above: slot.version)
    for savepoint in chain.newest.savepoints { registered.add(savepoint.version) }
    let rule = ReclamationRule(options.reclamation, registered, below: slot.version)
    let replay = try chain.freeSpace(pinnedBy: rule, options.allocation)
    let deferredFree = DeferredFreeExtents(
      options.reclamation, registered: registered, pinned: replay.pinned)
    self.init(slot: slot, chain: chain, free: replay.free, deferredFree: deferredFree)
  }

  var account: SpaceAccount {
    let pieces = chain.pieces.reduce(0) { $0 + $1.size }
    return SpaceAccount(
      file: slot.fileSize, live: chain.newest.liveBytes, free: free.bytes,
      pinned: deferredFree.bytes, pending: 0,
      overhead: Layout.blocksStart + pieces + SavepointEntry.listBytes(chain.newest.savepoints))
  }
}
