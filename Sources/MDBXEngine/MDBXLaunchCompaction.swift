// Compaction at launch: a compacted copy beside the file, synced, renamed over it. Only while no other process has the
// file, and before this process opens it for good.
import CMDBX
import EngineInterface
import MetricModel
import SystemIO

/// The decision about compaction at a launch, and the compaction.
struct LaunchCompaction {
  var setup: EnvironmentSetup
  var wantsCompaction: @Sendable (SpaceUsage) -> Bool

  private static let lockSuffixes = ["-lck"]
  private var copy: CompactedCopy { CompactedCopy(of: setup.file, engine: mdbxID) }

  /// Calls the callback once and acts on its result. `after` is left as `before`: only the reopened file has its value.
  func run() throws(EngineError) -> LaunchOutcome {
    var alone = setup
    alone.isExclusive = true
    let environment: Environment
    do throws(EngineError) {
      environment = try Environment(alone)
    } catch  where error.code == .busy {
      return try askBesideOthers()
    }
    return try compact(environment)
  }

  /// Removes the copy of a compaction that was broken off. A process that compacts has the folder's lock, as the caller
  /// does: so none is making that copy at this moment.
  func removeUnfinishedCopy() throws(EngineError) {
    try copy.discard(beside: Self.lockSuffixes)
  }

  /// Another process has the file: the callback is asked, and a yes is skipped with that reason.
  private func askBesideOthers() throws(EngineError) -> LaunchOutcome {
    let environment = try Environment(setup)
    let before = try SpaceAccount(environment).usage(beside: environment.readers(with: []))
    guard wantsCompaction(before) else { return .declined(before) }
    return .skipped(before, reason: "another process has the file open")
  }

  private func compact(_ environment: Environment) throws(EngineError) -> LaunchOutcome {
    let account = try SpaceAccount(environment)
    let before = try account.usage(beside: environment.readers(with: []))
    guard wantsCompaction(before) else { return .declined(before) }
    return try copy.replaceFile(
      before: before, reserving: account.copyBytes(), beside: Self.lockSuffixes
    ) { draft throws(EngineError) in
      try environment.writeCompactedCopy(into: draft, copy.path)
    }
  }
}
