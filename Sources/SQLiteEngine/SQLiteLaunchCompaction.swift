// Compaction at launch: VACUUM writes the database anew into the log, and only a checkpoint that truncates brings the
// file to its new length. With a rollback journal it writes into the file itself.
import CSQLite
import EngineInterface
import MetricModel

/// The decision about compaction at a launch, and the compaction.
struct LaunchCompaction {
  var connection: Connection
  var journal: JournalMode
  var wantsCompaction: @Sendable (SpaceUsage) -> Bool

  /// Calls the callback once and acts on its result. The connection does not wait for locks: one that is taken is a reason
  /// to skip.
  func run() throws(EngineError) -> LaunchOutcome {
    let before = try connection.spaceUsage()
    guard wantsCompaction(before) else { return .declined(before) }
    guard try emptyLog() else {
      return .skipped(
        before, reason: "another process is in a transaction, so the log cannot be emptied")
    }
    do throws(EngineError) {
      try connection.run("VACUUM")
    } catch  where error.code == .busy {
      return .skipped(before, reason: "another process is in a transaction: \(error.message)")
    } catch  where error.code == .outOfSpace {
      return .skipped(before, reason: "no disk space to rewrite the database: \(error.message)")
    }
    // What a rollback journal has are the pages as they were.
    let logged = journal == .writeAhead ? try connection.logSize() : .zero
    guard try emptyLog() else {
      return .skipped(
        before,
        reason: "another process began to read meanwhile: the file keeps its length until it ends")
    }
    let after = try connection.spaceUsage()
    return .compacted(before: before, after: after, rewritten: logged + after.file)
  }

  /// False where a reader or writer is in the way. Without a write-ahead log there is nothing to empty.
  private func emptyLog() throws(EngineError) -> Bool {
    guard journal == .writeAhead else { return true }
    return try connection.checkpointAndTruncate()
  }
}
