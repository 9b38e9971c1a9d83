// Where the bytes of an engine's files are. One definition for every engine; GLOSSARY.md has the words.

/// The bytes of a database file by what they are for.
///
/// For an engine whose accounting is exact, `live + free + pinned + pending + overhead == file`. A part that an engine
/// cannot tell is nil: n/a in every table, never zero.
package struct SpaceUsage: Hashable, Sendable, Codable {
  /// The logical length of the main file: what the launch callback is given as `totalBytes`.
  package var file: ByteCount
  /// Reachable from the newest committed version.
  package var live: ByteCount?
  /// Reusable by the next commit.
  package var free: ByteCount?
  /// Unreachable from the newest version, kept because a snapshot sees it.
  package var pinned: ByteCount?
  /// Kept only because the last durable version needs it.
  package var pending: ByteCount?
  /// Headers, commit slots, the free list itself, padding. Counted, never inferred.
  package var overhead: ByteCount?
  /// Files beside the main one (write-ahead log, lock file), where their size is deterministic.
  package var sidecar: ByteCount
  /// Behind the file's end and still on disk: cut off by a compaction that leaves that to the next opening.
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

  /// All that the database occupies: the main file, with what was cut off and is still there, and the files beside it.
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

  /// The files' bytes for each live byte; nil where the engine cannot tell its live bytes or holds none.
  package var amplification: Double? { live.flatMap { total.ratio(to: $0) } }
}
