// Compaction at launch: VACUUM writes the database anew into the log, and only a checkpoint that truncates brings the
// file to its new length.
import CSQLite
import EngineInterface
import MetricModel

/// One launch's decision and its execution.
struct LaunchCompaction {
  var connection: Connection
  var wantsCompaction: @Sendable (SpaceUsage) -> Bool

  /// Asks the callback once and does what it says. The connection does not wait for locks: whoever has one is a reason
  /// to skip.
  func run() throws(EngineError) -> LaunchOutcome {
    let before = try connection.spaceUsage()
    guard wantsCompaction(before) else { return .declined(before) }
    guard try connection.checkpointAndTruncate() else {
      return .skipped(
        before, reason: "another process is in a transaction, so the log cannot be emptied")
    }
    do throws(EngineError) {
      try connection.run("VACUUM")
    } catch  where error.code == .busy {
      return .skipped(before, reason: "another process is in a transaction: \(error.message)")
    } catch  where error.code == .outOfSpace {
      return .skipped(before, reason: "no room to write the database anew: \(error.message)")
    }
    let logged = try connection.logSize()
    guard try connection.checkpointAndTruncate() else {
      return .skipped(
        before,
        reason: "another process began to read meanwhile: the file keeps its length until it ends")
    }
    let after = try connection.spaceUsage()
    return .compacted(before: before, after: after, rewritten: logged + after.file)
  }
}
