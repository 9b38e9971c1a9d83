// How snapshots begin and end, and how this session learns of versions that others committed. Registering takes two
// stores and two loads in shared memory; only the first snapshot after another session's commit reads the file.
import SystemIO

extension Store {
  /// Registers a snapshot of the newest version.
  func pinNewest(label: String) throws(StorageError) -> PinnedVersion {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    let readerSlot = try session.acquireReaderSlot()
    session.table.setDetails(readerSlot, label: label, began: Clock.monotonicNanoseconds())
    do throws(StorageError) {
      let version = try register(readerSlot)
      return shared.pointee.registry.add(version, readerSlot: readerSlot)
    } catch {
      session.releaseReaderSlot(readerSlot)
      throw error
    }
  }

  /// Registers another snapshot of the version of `pin`, which keeps it registered meanwhile.
  func pinAgain(_ pin: PinnedVersion, label: String) throws(StorageError) -> PinnedVersion {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    let readerSlot = try session.acquireReaderSlot()
    session.table.setDetails(readerSlot, label: label, began: Clock.monotonicNanoseconds())
    session.table.setVersion(readerSlot, pin.version.number)
    return shared.pointee.registry.add(pin.version, readerSlot: readerSlot)
  }

  /// Unregisters the snapshot. What only it pinned is reclaimed by the next operation that reads the reader table.
  func unpin(_ pin: PinnedVersion) {
    mutex.lock()
    defer { mutex.unlock() }
    session.releaseReaderSlot(pin.readerSlot)
    shared.pointee.registry.remove(pin)
  }

  /// Registers the newest version in a reader slot. Returns its roots. Under the mutex.
  ///
  /// A version is registered once it was stored in the slot and was *then* still the newest. A writer publishes the
  /// next version before it scans the table: either it sees the slot, or the second load here sees the next version and
  /// tries again.
  func register(_ readerSlot: Int) throws(StorageError) -> VersionState {
    let table = session.table
    while true {
      let known = shared.pointee.newest
      let number = table[.newest]
      let isKnown = number == known.number
      // Until the roots are loaded the file must not be truncated: they may lie behind its new end.
      table.setVersion(readerSlot, isKnown ? number : number | ReaderTable.isLoading)
      guard table[.newest] == number else { continue }
      if isKnown { return known }
      do throws(StorageError) {
        let version = try load(number)
        shared.pointee.newest = version
        table.setVersion(readerSlot, number)
        return version
      } catch {
        // The second commit after that version overwrites its slot, and perhaps its record; then the next iteration
        // finds a later version. If the version is still the newest nothing was overwritten, and the file is damaged.
        guard table[.newest] != number else { throw error }
      }
    }
  }

  /// Loads a version's roots from its slot and record.
  private func load(_ number: UInt64) throws(StorageError) -> VersionState {
    let record = try RecordChain.record(try slot(of: number), base: base).record
    var tables = RawList<TableRoot>(capacity: 16)
    defer { tables.deallocate() }
    for table in record.tables { tables.append(table.root) }
    return VersionState(
      number: number, fileSize: record.sizeAfter, liveBytes: record.liveBytes,
      names: record.tables.map(\.name), roots: tables.start,
      space: space(of: record.sizeAfter), savepoints: record.savepoints)
  }

  /// Returns the space of a version that another session committed. It may have overwritten verified blocks, so all are
  /// verified again.
  func space(of fileSize: Int) -> BlockSpace {
    verifiedBlocks.clear(0, to: fileSize)
    return BlockSpace(
      base: base, end: fileSize, verifiedBlocks: verifiedBlocks, fileEnd: sharedFileEnd)
  }

  /// Reads the commit slot of a version that is, or just was, the newest.
  func slot(of number: UInt64) throws(StorageError) -> CommitSlot {
    let offset = Layout.slotOffset(of: number)
    guard let slot = CommitSlot(base, at: offset), slot.version == number else {
      throw StorageError(
        .corrupt, "The commit slot of version \(number) at offset \(offset) fails its checksum.")
    }
    guard slot.fileSize <= file.capacity else {
      throw StorageError(
        .limitExceeded,
        "Another process extended the file to \(slot.fileSize) bytes; this one has reserved address space for "
          + "\(file.capacity). Close the database and open it again.")
    }
    if let end = sharedFileEnd?.atomicLoad(0), UInt64(slot.fileSize) > end {
      throw StorageError(
        .truncated,
        "The file has \(end) bytes; its commit of version \(number) requires \(slot.fileSize).")
    }
    return slot
  }

  /// Synchronizes the registered versions with the reader table. Returns whether a reader is still loading its roots
  /// from the file. Under the mutex; this session's state must be current.
  ///
  /// A version that is neither registered here nor the newest is a registration that its reader's second check will
  /// reject.
  @discardableResult
  func syncReaderTable() -> Bool {
    var found = session.registeredVersions()
    for savepoint in shared.pointee.newest.savepoints { found.add(savepoint.version) }
    let newest = shared.pointee.stateVersion
    let before = shared.pointee.deferredFree.bytes
    for version in shared.pointee.deferredFree.registered
    where !found.versions.contains(where: { $0.number == version }) {
      shared.pointee.deferredFree.setHolderCount(of: version, 0, freed: &shared.pointee.newlyFree)
    }
    let known = shared.pointee.deferredFree.registered
    for (version, readers) in found.versions where version == newest || known.contains(version) {
      shared.pointee.deferredFree.setHolderCount(
        of: version, readers, freed: &shared.pointee.newlyFree)
    }
    let freed = before - shared.pointee.deferredFree.bytes
    shared.pointee.newlyFreeBytes += freed
    shared.pointee.freeBytes += freed
    return found.isLoading
  }

  var isCurrent: Bool { shared.pointee.stateVersion == session.table[.newest] }
}
