// The readers of this and other processes that restrict compaction.

/// The readers that are active at one moment.
struct ActiveReaders {
  /// The number of open snapshots.
  var count: Int
  /// The oldest registered version.
  var oldestVersion: UInt64?
}

extension Store {
  /// The active readers at this moment.
  var activeReaders: ActiveReaders {
    mutex.withLock {
      syncReaderTable()
      let readers = session.registeredVersions().versions.reduce(0) { $0 + $1.readers }
      return ActiveReaders(count: readers, oldestVersion: shared.pointee.deferredFree.oldest)
    }
  }

  /// Returns the label of a snapshot or savepoint of this version; empty if none has one.
  func label(of version: UInt64) -> String {
    mutex.withLock {
      let snapshots = session.readers().filter { $0.version == version }
      let savepoints = shared.pointee.newest.savepoints.filter { $0.version == version }
      return snapshots.map(\.label).max() ?? savepoints.first?.name ?? ""
    }
  }

  /// Returns the oldest version that pins space at or above `limit`, and the bytes pinned there; nil if there are none.
  func pinnedBytes(above limit: Int) -> (version: UInt64, bytes: Int)? {
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

  /// Continues from the state in the record of an earlier session or another process.
  func restore(_ state: EvacuationState) {
    let state = options.automaticCompaction == nil ? EvacuationState() : state
    mutex.withLock { shared.pointee.evacuation = state }
    writer.pointee.freeSpace.setLimit(state.allocationLimit)
  }
}
