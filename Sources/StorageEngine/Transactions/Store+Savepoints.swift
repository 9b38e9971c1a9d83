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
      shared.pointee.deferredFree.register(made.version)
    }
  }

  /// Ends one registration. Called under the mutex.
  private func release(_ version: UInt64) {
    let before = shared.pointee.deferredFree.bytes
    shared.pointee.deferredFree.unregister(version, freed: &shared.pointee.newlyFree)
    let freed = before - shared.pointee.deferredFree.bytes
    shared.pointee.newlyFreeBytes += freed
    shared.pointee.freeBytes += freed
  }

  /// Registers a snapshot of the savepoint's version. Error `notFound`.
  func pinSavepoint(_ name: String, label: String) throws(StorageError) -> PinnedVersion {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    let reader = try session.acquireReaderSlot()
    session.table.setDetails(reader, label: label, began: Clock.monotonicNanoseconds())
    do throws(StorageError) {
      let version = try registerSavepoint(name, reader)
      return shared.pointee.registry.add(version, reader: reader)
    } catch {
      session.releaseReaderSlot(reader)
      throw error
    }
  }

  /// A savepoint of the newest version keeps its own one registered: whoever drops it publishes a newer version first,
  /// and looks at the readers then. So this has registered it where the version that names it is still the newest after.
  private func registerSavepoint(
    _ name: String, _ reader: Int
  ) throws(StorageError) -> VersionState {
    let table = session.table
    while true {
      let newest = try register(reader)
      let entry = try newest.savepoint(name)
      // Its list is no snapshot's: until it is read the file must keep its length, and after that be as it was.
      table.setVersion(reader, newest.number | ReaderTable.isLoading)
      let state = Result { () throws(StorageError) in try entry.state(newest.space) }
      table.setVersion(reader, entry.version)
      if table[.newest] == newest.number { return try state.get() }
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
    let memory = tree.arena.allocate(space)
    memory.put64(0, space - 8)
    memory.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    return BlockRef(dirty: memory, size: bytes.count)
  }

  /// Takes the savepoint out of the list; its version stays readable until the commit.
  mutating func dropSavepoint(at index: Int) {
    let list = savepoints.remove(at: index).list
    if !list.isNull, !list.isDirty { freedMetadata.append(list.extent) }
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
      freedMetadata.append(list.extent)
      moved += list.space
    }
    return moved
  }
}
