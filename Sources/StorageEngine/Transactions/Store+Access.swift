// Who else uses the file at this moment, as compaction asks it: one place, for readers of this process and others.

/// What stands in the way of moving or cutting.
struct Onlookers {
  /// Open snapshots.
  var snapshots: Int
  /// The oldest version that is registered.
  var oldest: UInt64?
}

extension Store {
  /// Whether anybody reads besides the writer.
  var onlookers: Onlookers {
    mutex.withLock {
      noteReaders()
      let readers = session.registeredVersions().versions.reduce(0) { $0 + $1.readers }
      return Onlookers(snapshots: readers, oldest: shared.pointee.deferredFree.oldest)
    }
  }

  /// What a snapshot or savepoint of this version is called; empty where none has a name.
  func label(of version: UInt64) -> String {
    mutex.withLock {
      let snapshots = session.readers().filter { $0.version == version }
      let savepoints = shared.pointee.newest.savepoints.filter { $0.version == version }
      return snapshots.map(\.label).max() ?? savepoints.first?.name ?? ""
    }
  }

  /// What snapshots keep at or above `limit`: the oldest version that holds some of it, and all bytes of it.
  func held(above limit: Int) -> (version: UInt64, bytes: Int)? {
    mutex.withLock {
      var oldest: UInt64?
      var bytes = 0
      shared.pointee.deferredFree.forEachVersion { version, extents in
        for extent in extents where extent.offset + extent.size > limit {
          oldest = min(oldest ?? version, version)
          bytes += extent.offset + extent.size - max(extent.offset, limit)
        }
      }
      return oldest.map { ($0, bytes) }
    }
  }

  /// Goes on where the record of another session, or of another process, left off.
  func adopt(_ state: EvacuationState) {
    let state = options.automaticCompaction == nil ? EvacuationState() : state
    mutex.withLock { shared.pointee.evacuation = state }
    writer.pointee.freeSpace.setLimit(state.allocationLimit)
  }
}
