// The independent walk: from the file itself and the roots of the registered snapshots, every byte is claimed exactly
// once. It reads nothing of the running account, so that the two can disprove each other.
//
// - SPACE-1: Every byte of the file is live, free, pinned, pending or overhead, and only one of these.
// - SPACE-2: The running account equals the walk.
// - SPACE-3: What the free list pins for a snapshot is what the snapshot reaches and the newest version does not.
// - SPACE-4: The versions of snapshots and of the newest record's savepoints are registered.
// - TREE-1: Every block lies within the file and matches its parent's checksum.
// - TREE-2: Keys ascend, and lie between the separators above them.
// - TREE-3: All leaves are on level 0, a child one level below its parent.
// - TREE-4: Nodes are nodes, with packed entries.
// - TREE-5: A table has as many rows as its root counts.
// - TREE-6: A version reaches a block by one path only.
// - TREE-7: No block is younger than its parent.
//
// `InvariantTests` forges a violation of each, and expects it to be reported.

enum SpaceWalk {
  /// Walks the file of the store, which nothing changes meanwhile.
  static func audit(_ access: borrowing WriteAccess) throws(StorageError) -> SpaceAudit {
    let context = access.store.context
    // Read together, since snapshots may begin and end during the walk.
    let (running, registered, held, newest) = access.store.readers.withLock {
      state in
      context.session.clearStaleReaders()
      state.syncReaderTable()
      return (
        state.account, state.deferredFree.registered, state.registry.versions, state.newest.number
      )
    }
    // Not necessarily the slot with the higher version: after recovery that may be a torn commit's.
    let slot = try context.slot(of: newest)
    let chain = try RecordChain(slot, base: context.base)
    var claims = Claims(fileSize: slot.fileSize)
    claims.claim(Extent(offset: 0, size: Layout.blocksStart), as: .overhead)
    for piece in chain.pieces { claims.claim(piece, as: .overhead) }
    let savepoints = chain.newest.savepoints
    for savepoint in savepoints {
      claims.claim(
        Extent(offset: savepoint.list.offset, size: savepoint.list.space), as: .overhead)
    }
    let space = BlockSpace(base: context.base, end: slot.fileSize)
    var walk = TreeWalk(space: space)
    var rows = 0
    for table in chain.newest.tables {
      let found = walk.walk(table.root)
      if found != table.root.rows {
        walk.violations.append(
          "TREE-5: table \"\(table.name)\" should have \(table.root.rows) rows and has \(found)")
      }
      rows += found
    }
    let live = walk.takeExtents()
    walk.endVersion()
    for extent in live { claims.claim(extent, as: .live) }
    let named = states(of: savepoints, space, &walk.violations)
    let seen = walkSnapshots(named + held, &walk)
    // Snapshots of other processes cannot be walked: their roots are only in those processes.
    let own = ReclamationRule(
      context.options.reclamation, savepoints.map(\.version) + held.map(\.number))
    let rule = ReclamationRule(context.options.reclamation, registered)
    let seesAll = Set(registered).subtracting(own.registered).subtracting([newest]).isEmpty
    // More versions may be registered: other sessions hold snapshots, also of the newest version.
    if !Set(own.registered).isSubset(of: registered) {
      walk.violations.append(
        "SPACE-4: versions \(registered) are registered, \(own.registered) are held")
    }
    let freeExtents = try claimFreeList(
      chain, rule, seen, seesAll, &claims, &walk.violations)
    let account = claims.account(violations: &walk.violations)
    if account != running {
      walk.violations.append("SPACE-2: the walk finds \(account), the running account \(running)")
    }
    return SpaceAudit(
      account: account, violations: walk.violations, rows: rows, liveBlocks: live.count,
      freeExtents: freeExtents)
  }
}

extension SpaceWalk {
  /// Reads the versions of savepoints from their table lists.
  private static func states(
    of savepoints: [SavepointEntry], _ space: BlockSpace, _ violations: inout [String]
  ) -> [VersionState] {
    savepoints.compactMap { savepoint in
      do throws(StorageError) { return try savepoint.state(space) } catch {
        violations.append(
          "TREE-1: the table list of savepoint \"\(savepoint.name)\": \(error.message)")
        return nil
      }
    }
  }

  /// Returns the extents that snapshots reach and the newest version does not.
  private static func walkSnapshots(
    _ states: [VersionState], _ walk: inout TreeWalk
  ) -> [Extent] {
    var walked: Set<UInt64> = []
    for state in states where walked.insert(state.number).inserted {
      for index in 0..<state.tableCount { _ = walk.walk(state.roots[index]) }
      walk.endVersion()
    }
    return walk.takeExtents()
  }

  /// Claims the extents of the free list according to the rule. Returns the number of those that the next commit may
  /// use.
  private static func claimFreeList(
    _ chain: RecordChain, _ rule: ReclamationRule, _ seen: [Extent], _ seesAll: Bool,
    _ claims: inout Claims, _ violations: inout [String]
  ) throws(StorageError) -> Int {
    var pinned: Set<[Int]> = []
    var free = 0
    var freeEnd = -1
    for extent in try TaggedFreeList(chain).extents {
      if rule.isPinned(extent) {
        claims.claim(extent.extent, as: .pinned)
        pinned.insert([extent.offset, extent.size])
      } else {
        claims.claim(extent.extent, as: .free)
        if extent.offset != freeEnd { free += 1 }
        freeEnd = extent.extent.end
      }
    }
    for extent in seen where !pinned.contains([extent.offset, extent.size]) {
      violations.append(
        "SPACE-3: a snapshot reaches \(extent.size) bytes at offset \(extent.offset) that the free "
          + "list does not pin")
    }
    if rule.isExact, seesAll, pinned.count != seen.count {
      violations.append(
        "SPACE-3: the free list pins \(pinned.count) blocks, snapshots reach \(seen.count)")
    }
    return free
  }
}
