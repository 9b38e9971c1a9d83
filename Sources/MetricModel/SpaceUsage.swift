// The space accounting of an engine's files, with one definition for all engines; see GLOSSARY.md for the terms.

/// The bytes of a database file by use.
///
/// For an engine whose accounting is exact, `live + free + pinned + pending + overhead == file`. A part that an engine
/// does not report is nil: n/a in every table, never zero.
package struct SpaceUsage: Hashable, Sendable, Codable {
  /// The logical length of the main file: what the launch callback is given as `totalBytes`.
  package var file: ByteCount
  /// The bytes that are reachable from the newest committed version.
  package var live: ByteCount?
  /// The bytes that the next commit may reuse.
  package var free: ByteCount?
  /// The bytes that the newest version does not reach and a snapshot does.
  package var pinned: ByteCount?
  /// The bytes that only the last durable version still reaches.
  package var pending: ByteCount?
  /// The bytes of headers, commit slots, the free list itself, and padding. Counted, never computed as a remainder.
  package var overhead: ByteCount?
  /// The bytes of files beside the main one (write-ahead log, lock file), if their size is deterministic.
  package var sidecar: ByteCount
  /// The bytes beyond the logical end of the file that are still on disk: a compaction that truncates at the next opening
  /// cut them off.
  package var tail: ByteCount

  package init(
    file: ByteCount, live: ByteCount? = nil, free: ByteCount? = nil, pinned: ByteCount? = nil,
    pending: ByteCount? = nil, overhead: ByteCount? = nil, sidecar: ByteCount = .zero,
    tail: ByteCount = .zero
  ) {
    self.file = file
    self.live = live
    self.free = free
    self.pinned = pinned
    self.pending = pending
    self.overhead = overhead
    self.sidecar = sidecar
    self.tail = tail
  }

  /// The size of all files: the main file with its tail, and the files beside it.
  package var total: ByteCount { file + tail + sidecar }

  /// `usedBytes` of a launch callback: the file less all free-list space. Pinned and pending space counts as *free*,
  /// as Realm Core does when it calls `shouldCompactOnLaunch` (realm-core db.cpp, `get_stats` before the callback).
  package var usedAtLaunch: ByteCount? {
    guard let free else { return nil }
    return file - free - (pinned ?? .zero) - (pending ?? .zero)
  }

  /// Used bytes for the automatic trigger: pinned and pending space counts as *used*, as in Realm Core
  /// (group_writer.cpp): what a snapshot holds cannot be moved out of the way.
  package var usedForAutomatic: ByteCount? { free.map { file - $0 } }

  /// The bytes of all files per live byte; nil if the engine does not report live bytes or has none.
  package var amplification: Double? { live.flatMap { total.ratio(to: $0) } }
}
