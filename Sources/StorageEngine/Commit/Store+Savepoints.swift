// Savepoints in a write transaction, and their registration when a commit is published.
import SystemIO

extension Store {
  /// Allocates the table lists of savepoints that this commit makes or moves. The tables are allocated already.
  ///
  /// A snapshot reads such a list only while it begins, so a dropped list is not pinned: it is freed like the pieces of
  /// replaced records.
  func placeSavepoints() throws(StorageError) {
    let state = writer
    let before = state.pointee.writes.count
    for index in state.pointee.savepoints.indices {
      var list = state.pointee.savepoints[index].list
      if list.isNull { list = encodeTableList(writes: before) }
      guard list.isDirty else { continue }
      state.pointee.savepoints[index].list = try placeBlock(list.address, list.size, .long)
    }
  }

  /// Encodes the transaction's table list as a dirty block; the first `writes` writes are its tables' blocks.
  private func encodeTableList(writes: Int) -> BlockRef {
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

  /// Unregisters the savepoints that the durable commit dropped, before what it freed is deferred. Under the mutex.
  func releaseSavepoints(missingIn version: VersionState) {
    for dropped in shared.pointee.newest.savepoints where !version.savepoints.contains(dropped) {
      unregister(dropped.version)
    }
  }

  /// Registers the savepoints that the durable commit made, after what it freed is deferred. Under the mutex.
  func registerSavepoints(madeBy version: VersionState) {
    for made in version.savepoints where made.version == version.number {
      shared.pointee.deferredFree.register(made.version)
    }
  }

  /// Removes one holder of a version. Under the mutex.
  private func unregister(_ version: UInt64) {
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
    let readerSlot = try session.acquireReaderSlot()
    session.table.setDetails(readerSlot, label: label, began: Clock.monotonicNanoseconds())
    do throws(StorageError) {
      let version = try registerSavepoint(name, readerSlot)
      return shared.pointee.registry.add(version, readerSlot: readerSlot)
    } catch {
      session.releaseReaderSlot(readerSlot)
      throw error
    }
  }

  /// A savepoint in the newest version's record is registered. A commit that drops it publishes a newer version first,
  /// and reads the reader table then. So this registration is valid if the version that names the savepoint is still
  /// the newest afterwards.
  private func registerSavepoint(
    _ name: String, _ readerSlot: Int
  ) throws(StorageError) -> VersionState {
    let table = session.table
    while true {
      let newest = try register(readerSlot)
      let entry = try newest.savepoint(name)
      // No snapshot pins its table list: until that is read the file must not be truncated, and the list must not be
      // overwritten.
      table.setVersion(readerSlot, newest.number | ReaderTable.isLoading)
      let state = Result { () throws(StorageError) in try entry.state(newest.space) }
      table.setVersion(readerSlot, entry.version)
      if table[.newest] == newest.number { return try state.get() }
    }
  }
}

extension BlockRef {
  fileprivate var extent: Extent { Extent(offset: offset, size: space) }
}

extension WriterState {
  /// Copies the bytes into the transaction's memory, padded with zeros, as a dirty block.
  mutating func dirtyBlock(_ bytes: UnsafeRawBufferPointer) -> BlockRef {
    let space = roundedUp(bytes.count)
    let memory = tree.arena.allocate(space)
    memory.put64(0, space - 8)
    memory.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    return BlockRef(dirty: memory, size: bytes.count)
  }

  /// Removes the savepoint from the list; its version stays readable until the commit.
  mutating func dropSavepoint(at index: Int) {
    let list = savepoints.remove(at: index).list
    if !list.isNull, !list.isDirty { freedMetadata.append(list.extent) }
  }

  /// Copies table lists of savepoints that reach past `limit`, so that the commit moves them. Returns their bytes.
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
