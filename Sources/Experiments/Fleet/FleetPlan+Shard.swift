// The measurement of a fleet in shards: what a shard says of the plan, and the plan of journals that were merged.
import FleetModel
package import RecordModel
package import RunJournal

extension FleetPlan {
  /// Leaves the runs of one shard.
  package mutating func restrict(to shard: Shard) { sweep.restrict(to: shard) }

  /// The shard whose runs it has; nil for all.
  package var shard: Shard? { sweep.groups.first?.share?.shard }

  /// What the journal of a shard says of its plan; nil for a whole measurement.
  ///
  /// - Parameter folder: the name of the folder with the curves.
  package func shardContent(folder: String, leftOut: Int) -> ShardContent? {
    guard let shard else { return nil }
    var runs = ShardRuns()
    for (point, group) in sweep.groups.enumerated() { runs.add(group, point: point) }
    var content = ShardContent(
      shard, of: .fleet, folder: [folder],
      groups: sweep.groups.map { SweepRecord.Group(scenario: $0.scenario, cells: $0.cells) },
      runs: runs.own, checks: runs.checks, total: runs.total)
    content.fleet = ShardContent.Fleet(population, stratification, leftOut: leftOut)
    return content
  }

  /// The plan that shards are of, to make curves of their results: it needs no engine.
  package init(_ fleet: ShardContent.Fleet) {
    self.init(fleet.population, fleet.stratification, leftOut: fleet.leftOut) { _ in nil }
  }
}
