// Savepoints in the writer's hands, and what becomes of them when a commit is published.
import SystemIO

extension Store {
  /// Gives the table lists of savepoints that this commit makes, or moves, their places. The tables have theirs.
  ///
  /// No snapshot reads such a list once it has begun, so one that is dropped waits for none: it goes the way of
  /// superfluous pieces of records.
  func placeSavepoints() throws(StorageError) {
    let state = writer
    let before = state.pointee.writes.count
    for index in state.pointee.savepoints.indices {
      var list = state.pointee.savepoints[index].list
      if list.isNull { list = describeTables(writes: before) }
      guard list.isDirty else { continue }
      state.pointee.savepoints[index].list = try placeBlock(list.address, list.size, .long)
    }
  }

  /// The transaction's table list as a block that is not in the file yet; the first `writes` are its tables' blocks.
  private func describeTables(writes: Int) -> BlockRef {
    var out = RecordWriter()
    defer { out.deallocate() }
    let state = writer
    let written = state.pointee.writes.buffer.prefix(writes).reduce(0) { $0 + $1.size }
    let freed = state.pointee.tree.freed.buffer.reduce(0) { $0 + $1.space }
    out.put((state.pointee.liveBytes + written - freed) / Layout.granule)
    let tables = state.pointee.names.indices.map {
      TableEntry(name: state.pointee.names[$0], root: state.pointee.tables[$0])
    }
    TableEntry.encode(tables, into: &out)
    return state.pointee.dirtyBlock(UnsafeRawBufferPointer(out.buffer))
  }

  /// Lets go of what savepoints held that the durable commit dropped: before what it freed is retired. Called under
  /// the mutex.
  func releaseSavepoints(missingIn version: VersionState) {
    for gone in shared.pointee.newest.savepoints where !version.savepoints.contains(gone) {
      release(gone.version)
    }
  }

  /// Registers what the durable commit's own savepoints hold: after what it freed is retired. Called under the mutex.
  func registerSavepoints(madeBy version: VersionState) {
    for made in version.savepoints where made.version == version.number {
      shared.pointee.retired.register(made.version)
    }
  }

  /// Registers a snapshot of the savepoint's version. Error `notFound`.
  func pinSavepoint(_ name: String, label: String) throws(StorageError) -> PinnedVersion {
    while true {
      let (newest, isClosed) = mutex.withLock { (shared.pointee.newest, shared.pointee.isClosed) }
      guard !isClosed else { throw Self.closed }
      let entry = try newest.savepoint(name)
      // Read before it is pinned: what a drop beside this may have made of the block shows below.
      let state = Result { () throws(StorageError) in try entry.state(newest.space) }
      let pin = try mutex.withLock { () throws(StorageError) -> PinnedVersion? in
        guard !shared.pointee.isClosed else { throw Self.closed }
        guard let now = shared.pointee.newest.savepoints.first(where: { $0 == entry }),
          now.list.offset == entry.list.offset
        else { return nil }
        let version = try state.get()
        shared.pointee.retired.register(version.number)
        return shared.pointee.registry.add(SnapshotHolder(version, label: label))
      }
      if let pin { return pin }
    }
  }
}

extension BlockRef {
  fileprivate var extent: Extent { Extent(offset: offset, size: space) }
}

extension WriterState {
  /// A copy of the bytes in the transaction's memory, filled up with zeros, as a block that is not in the file yet.
  mutating func dirtyBlock(_ bytes: UnsafeRawBufferPointer) -> BlockRef {
    let space = roundedUp(bytes.count)
    let memory = tree.arena.take(space)
    memory.put64(0, space - 8)
    memory.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    return BlockRef(dirty: memory, size: bytes.count)
  }

  /// Takes the savepoint out of the list; its version stays readable until the commit.
  mutating func dropSavepoint(at index: Int) {
    let list = savepoints.remove(at: index).list
    if !list.isNull, !list.isDirty { dropped.append(list.extent) }
  }

  /// Moves table lists of savepoints that reach past `limit`; answers their bytes.
  mutating func moveSavepointLists(above limit: Int) throws(StorageError) -> Int {
    var moved = 0
    for index in savepoints.indices {
      let list = savepoints[index].list
      guard !list.isNull, !list.isDirty, list.end > limit else { continue }
      guard tree.space.matches(list) else { throw tree.space.mismatch(list) }
      let bytes = UnsafeRawBufferPointer(start: try tree.space.resolve(list), count: list.size)
      savepoints[index].list = dirtyBlock(bytes)
      dropped.append(list.extent)
      moved += list.space
    }
    return moved
  }
}
