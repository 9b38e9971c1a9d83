// How snapshots begin and end, and how this session learns of versions that others committed. Registering takes two
// stores and two loads in shared memory; only the first snapshot after another session's commit reads the file.
import SystemIO

extension ReaderState {
  /// Registers a snapshot of the newest version.
  mutating func pinNewest(label: String) throws(StorageError) -> PinnedVersion {
    let slot = try acquireReaderSlot(label: label)
    do throws(StorageError) {
      return registry.add(try register(slot), readerSlot: slot)
    } catch {
      releaseReaderSlot(slot)
      throw error
    }
  }

  /// Registers another snapshot of the version of `pin`, which keeps it registered meanwhile.
  mutating func pinAgain(_ pin: PinnedVersion, label: String) throws(StorageError) -> PinnedVersion
  {
    let slot = try acquireReaderSlot(label: label)
    precondition(
      context.session.table.version(pin.readerSlot) == pin.version.number,
      "The version of an open snapshot is registered (SPACE-4).")
    context.session.table.setVersion(slot, pin.version.number)
    return registry.add(pin.version, readerSlot: slot)
  }

  /// Unregisters the snapshot. What only it pinned is reclaimed by the next operation that reads the reader table.
  mutating func unpin(_ pin: PinnedVersion) {
    releaseReaderSlot(pin.readerSlot)
    registry.remove(pin)
  }

  /// Registers the newest version in a reader slot. Returns its roots.
  ///
  /// A version is registered once it was stored in the slot and was *then* still the newest. A writer publishes the
  /// next version before it scans the table: either it sees the slot, or the second load here sees the next version and
  /// tries again.
  private mutating func register(_ readerSlot: Int) throws(StorageError) -> VersionState {
    let table = context.session.table
    while true {
      let known = newest
      let number = table[.newest]
      let isKnown = number == known.number
      // Until the roots are loaded the file must not be truncated: they may lie behind its new end.
      table.setVersion(readerSlot, isKnown ? number : number | ReaderTable.isLoading)
      guard table[.newest] == number else { continue }
      if isKnown { return known }
      do throws(StorageError) {
        let version = try load(number)
        newest = version
        table.setVersion(readerSlot, number)
        dropOutdatedExtents()
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
    let slot = try context.slot(of: number)
    let record = try RecordChain.record(slot, base: context.base).record
    return VersionState(record, context.foreignSpace(ofLength: record.sizeAfter))
  }

  // MARK: Savepoints

  /// Registers a snapshot of the savepoint's version. Error `notFound`.
  mutating func pinSavepoint(_ name: String, label: String) throws(StorageError) -> PinnedVersion {
    let slot = try acquireReaderSlot(label: label)
    do throws(StorageError) {
      return registry.add(try registerSavepoint(name, slot), readerSlot: slot)
    } catch {
      releaseReaderSlot(slot)
      throw error
    }
  }

  /// A savepoint in the newest version's record is registered. A commit that drops it publishes a newer version first,
  /// and reads the reader table then. So this registration is valid if the version that names the savepoint is still
  /// the newest afterwards.
  private mutating func registerSavepoint(
    _ name: String, _ readerSlot: Int
  ) throws(StorageError) -> VersionState {
    let table = context.session.table
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
