// What a foreign engine does by itself about its file's size, in the state in which the file is: in a sentence with the
// figures that decide.
package import FileFormats
import MetricModel

package enum FileReportAutomatic {
  /// The frames from which SQLite checkpoints after a commit, unless `wal_autocheckpoint` is another number.
  private static let checkpointFrames = 1000

  /// Returns the sentence; nil where the free space is not known.
  package static func text(_ report: FileReport) -> String? {
    switch report.format {
    case .sqlite: sqlite(report)
    case .lmdb:
      "none: LMDB reuses free pages and never shortens its file; a compacted copy (mdb_copy -c) does"
    case .libmdbx: libmdbx(report)
    case .realm: realm(report)
    }
  }

  private static func sqlite(_ report: FileReport) -> String? {
    guard case .text(let mode)? = report.fact("autoVacuum"),
      case .count(let pages)? = report.fact("freelistPages")
    else { return nil }
    let free = "\(counted(pages, "free page")) (\(size(pages * (report.pageBytes ?? 0))))"
    let vacuum =
      switch mode {
      case "full":
        "auto_vacuum is FULL: each commit moves pages and cuts the free ones off; \(free) now"
      case "incremental":
        "auto_vacuum is INCREMENTAL: PRAGMA incremental_vacuum would cut off \(free), and nothing else does"
      default: "auto_vacuum is NONE: \(free) are reused, and only VACUUM cuts them off"
      }
    guard let log = report.log, log.committedFrames > 0 else { return vacuum }
    let isDue = log.committedFrames >= checkpointFrames
    return
      "\(vacuum); the log has \(counted(log.committedFrames, "frame")), "
      + (isDue
        ? "and by default a commit checkpoints from 1,000 on"
        : "fewer than the 1,000 from which a commit checkpoints by default")
  }

  private static func libmdbx(_ report: FileReport) -> String? {
    guard case .bytes(let threshold)? = report.fact("shrinkBytes") else { return nil }
    guard threshold > 0 else {
      return "none: the file's shrink threshold is 0, so that it is never shortened"
    }
    return
      "a commit shortens the file once more than \(size(threshold)), its shrink threshold, behind the last page are "
      + "not in use: \(size(report.space.tail)) now"
  }

  /// What Realm Core's automatic compaction would do with the next commit.
  private static func realm(_ report: FileReport) -> String? {
    guard let free = report.space.free.exactValue,
      case .text(let state)? = report.fact("automaticCompaction")
    else { return nil }
    guard state == "not begun" else { return state }
    let logical = report.space.logical
    switch RealmCompactionTrigger(logical: logical, free: free) {
    case .begins(let free, let used):
      return "would begin with the next commit: \(size(free)) free > 2 × \(size(used)) used"
    case .fileTooSmall(let bytes):
      let least = size(RealmCompactionTrigger.minFileBytes)
      return "would not begin: the file has \(size(bytes)), less than \(least)"
    case .tooLittleFree(let free, let used):
      let pinned = report.space.pinned.exactValue ?? 0
      let isHeldBack =
        RealmCompactionTrigger(logical: logical, free: free + pinned)
        == .begins(free: free + pinned, used: used - pinned)
      return
        "would not begin: \(size(free)) free <= 2 × \(size(used)) used"
        + (isHeldBack ? ", since \(size(pinned)) held for older versions count as used" : "")
    }
  }

  private static func size(_ bytes: Int) -> String { ByteCount(bytes).description }
}
