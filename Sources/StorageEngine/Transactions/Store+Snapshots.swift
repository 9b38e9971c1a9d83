// How a snapshot begins and ends, and how this opening learns of versions that another one committed. Registering is two
// stores and two loads in shared memory; only the first snapshot after another process's commit looks into the file.
import SystemIO

extension Store {
  /// Registers a snapshot of the newest version.
  func pinNewest(label: String) throws(StorageError) -> PinnedVersion {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    let reader = try session.acquireReaderSlot()
    session.table.setDetails(reader, label: label, began: Clock.monotonicNanoseconds())
    do throws(StorageError) {
      let version = try register(reader)
      return shared.pointee.registry.add(version, reader: reader)
    } catch {
      session.releaseReaderSlot(reader)
      throw error
    }
  }

  /// Registers one more snapshot of the version of `pin`, which keeps that registered meanwhile.
  func pinAgain(_ pin: PinnedVersion, label: String) throws(StorageError) -> PinnedVersion {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    let reader = try session.acquireReaderSlot()
    session.table.setDetails(reader, label: label, began: Clock.monotonicNanoseconds())
    session.table.setVersion(reader, pin.version.number)
    return shared.pointee.registry.add(pin.version, reader: reader)
  }

  /// What only the snapshot saw is free from here on: whoever asks next looks into the table and finds it gone.
  func unpin(_ pin: PinnedVersion) {
    mutex.lock()
    defer { mutex.unlock() }
    session.releaseReaderSlot(pin.reader)
    shared.pointee.registry.remove(pin)
  }

  /// Registers the newest version in a place of the table; answers its roots. Under the mutex.
  ///
  /// A version counts as registered once it was stored and was *then* still the newest: a writer publishes the next one
  /// before it looks at the table, so it has either seen the place, or this look sees the next version and goes on.
  func register(_ reader: Int) throws(StorageError) -> VersionState {
    let table = session.table
    while true {
      let known = shared.pointee.newest
      let number = table[.newest]
      let isKnown = number == known.number
      // Until the roots are read the file must keep its length: they may lie where a later commit cuts it.
      table.setVersion(reader, isKnown ? number : number | ReaderTable.isLoading)
      guard table[.newest] == number else { continue }
      if isKnown { return known }
      do throws(StorageError) {
        let version = try load(number)
        shared.pointee.newest = version
        table.setVersion(reader, number)
        return version
      } catch {
        // The second commit after that version writes over its slot, and perhaps its record: the next look finds a
        // later one. Where the version is still the newest nothing was written over, and the file is damaged.
        guard table[.newest] != number else { throw error }
      }
    }
  }

  /// Reads a version's roots from its slot and record.
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

  /// The blocks of a version that another opening committed. Where they lie others may have been verified before, so all
  /// is verified anew.
  func space(of fileSize: Int) -> BlockSpace {
    verifiedBlocks.clear(0, to: fileSize)
    return BlockSpace(base: base, end: fileSize, verifiedBlocks: verifiedBlocks, fileEnd: sharedFileEnd)
  }

  /// The commit slot of a version that is, or was a moment ago, the newest.
  func slot(of number: UInt64) throws(StorageError) -> CommitSlot {
    let offset = Layout.slotOffset(of: number)
    guard let slot = CommitSlot(base, at: offset), slot.version == number else {
      throw StorageError(
        .corrupt, "The commit slot of version \(number) at offset \(offset) fails its checksum.")
    }
    guard slot.fileSize <= file.capacity else {
      throw StorageError(
        .limitExceeded,
        "Another process let the file grow to \(slot.fileSize) bytes; this one has mapped room for "
          + "\(file.capacity). Close the database and open it again.")
    }
    if let end = sharedFileEnd?.atomicLoad(0), UInt64(slot.fileSize) > end {
      throw StorageError(
        .truncated,
        "The file has \(end) bytes; its commit of version \(number) says \(slot.fileSize).")
    }
    return slot
  }

  /// Brings the registered versions up to what the table of readers says, and answers whether someone still looks for
  /// its roots in the file. Under the mutex, where this opening's state is of the newest version.
  ///
  /// A version that is neither known already nor the newest one is a reader's first look that will not pass its second.
  @discardableResult
  func noteReaders() -> Bool {
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
      shared.pointee.deferredFree.setHolderCount(of: version, readers, freed: &shared.pointee.newlyFree)
    }
    let freed = before - shared.pointee.deferredFree.bytes
    shared.pointee.newlyFreeBytes += freed
    shared.pointee.freeBytes += freed
    return found.isLoading
  }

  var isCurrent: Bool { shared.pointee.stateVersion == session.table[.newest] }
}
