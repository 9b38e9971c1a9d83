// Carries out `fleet measure`: runs what is missing, of all or of a shard, and has the record written.
import ArgumentParser
import Experiments
import FleetModel
import MetricModel
import RecordModel
import RunJournal
import SystemIO

struct FleetMeasureExecution {
  let plan: FleetPlan
  let folder: OutputFolder
  let leftOut: Int
  let running: UnsharedOptions

  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let curvesFolder = PopulationFiles.curvesFolder(of: plan.population)
    let runs = FleetRuns(
      noun: "measurement", axis: "class", sweep: plan.sweep,
      shard: plan.shardContent(folder: curvesFolder, leftOut: leftOut), folder: folder,
      running: running)
    let title =
      "\(plan.population.name) · \(counted(plan.population.groups.count, "group")), "
      + counted(plan.axes.reduce(0) { $0 + $1.classCount }, "class", "classes")
    switch try runs.carryOut(title: title, keepsSamples: true, cancellation) {
    case .finishedBefore: return .success
    case .interrupted: return .interrupted
    case .ran(let result):
      if let shard = plan.shard { return try end(shard, result) }
      return try end(result)
    }
  }

  private func end(_ result: FleetRuns.Result) throws -> ExitCode {
    let measurement = FleetMeasurement(plan, result.outcome)
    guard measurement.failures.isEmpty else {
      result.journal.end(hasFailed: true)
      throw FleetCurveFiles.failed(measurement)
    }
    return try FleetCurveFiles.write(
      measurement, result.provenance, to: folder, isQuiet: running.quiet.isQuiet
    ) { result.journal.end(hasFailed: false) }
  }

  /// Ends the journal of a shard.
  private func end(_ shard: Shard, _ result: FleetRuns.Result) throws -> ExitCode {
    let cells = zip(plan.sweep.groups, result.outcome.cells).enumerated().flatMap { point, group in
      let ran = Set(group.0.parts.flatMap(\.runs).map(\.cell))
      return group.1.filter { ran.contains($0.key) && $0.status != .measured }
        .map { ShardEnd.Cell(point: point, $0) }
    }
    return try ShardSummary(
      name: "measurement of \(plan.population.name)", shard: shard,
      isInterrupted: result.outcome.interrupted
    ).finish(result.journal, ShardEnd(result.provenance.of(shard, blocks: []), cells: cells))
  }
}
