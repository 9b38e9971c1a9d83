// What a shard does in place of a report: its journal becomes whole, so that `merge` makes the report of all shards.
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import RunJournal
import SystemIO

extension PlanExecution {
  /// What the journal of a shard says of its plan; nil for a whole run.
  var shardContent: ShardContent? {
    guard let share = plan.share else { return nil }
    var runs = ShardRuns()
    runs.add(plan)
    var content = ShardContent(
      share.shard, of: agreement == nil ? .run : .agreement, folder: folderNames,
      groups: [SweepRecord.Group(scenario: plan.scenario, cells: plan.cells)], runs: runs.own,
      checks: runs.checks, total: runs.total)
    content.agreement = agreement
    (content.writesReport, content.comparesTwice) = (writesReport, comparesTwice)
    return content
  }

  /// Ends the journal of a shard, and returns the exit code.
  func end(
    _ shard: Shard, _ journal: Journal, _ outcome: RunOutcome, _ provenance: Provenance
  ) throws -> ExitCode {
    let blocks = Set(
      plan.parts.filter { $0.schedule == .threads }.flatMap(\.runs).map(\.repetition))
    let ran = Set(plan.parts.flatMap(\.runs).map(\.cell))
    let end = ShardEnd(
      provenance.of(shard, blocks: blocks.sorted()),
      cells: outcome.cells.filter { ran.contains($0.key) && $0.status != .measured }
        .map { ShardEnd.Cell($0) })
    return try ShardSummary(
      name: plan.scenario.name, shard: shard, isInterrupted: outcome.interrupted
    )
    .finish(journal, end)
  }
}

/// The last lines of a shard's run.
struct ShardSummary {
  let name: String
  let shard: Shard
  let isInterrupted: Bool

  /// Ends the journal, prints where it is, and returns the exit code.
  func finish(_ journal: Journal, _ end: ShardEnd) throws -> ExitCode {
    if isInterrupted {
      Console.error("interrupted: the same command runs the rest")
      return .interrupted
    }
    do { try journal.appendEnd(end) } catch {
      throw couldNotRun(
        "\(error)\n\(RunCompletion.remedy(error)), and the same command ends the shard")
    }
    Console.print(
      "\(name): shard \(shard) has ended, with \(counted(journal.count, "run")) in \(journal.path)\n"
        + "  compaction-lab merge makes the report when all \(shard.count) have\n")
    return end.hasFailedCell ? .couldNotRun : .success
  }
}

extension Provenance {
  /// Returns the provenance with the machine as the origin of a shard.
  func of(_ shard: Shard, blocks: [Int]) -> Provenance {
    var provenance = self
    provenance.shards = [ShardOrigin(shard, on: Machine.hostName, self, blocks: blocks)]
    return provenance
  }
}
