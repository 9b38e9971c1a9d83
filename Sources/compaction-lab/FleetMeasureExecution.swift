// Carries out `fleet measure`: runs what is missing, of all or of a shard, and has the record written.
import ArgumentParser
import Experiments
import FleetModel
import MetricModel
import RecordModel
import RunJournal
import ScenarioModel
import SystemIO

struct FleetMeasureExecution {
  let plan: FleetPlan
  let folder: OutputFolder
  let leftOut: Int
  let running: UnsharedOptions

  private var jobs: Int { running.jobs ?? Machine.current().processorCount }

  /// The scenario that takes the longest, by which the progress line counts.
  private var largest: Scenario {
    plan.sweep.groups.map(\.scenario).max { $0.plannedCommits < $1.plannedCommits }
      ?? plan.sweep.groups[0].scenario
  }

  private var work: JournaledWork {
    JournaledWork(
      noun: "measurement", scenario: largest, folder: folder, workFolder: running.workFolder,
      resume: running.resumption.resume, isQuiet: running.quiet.isQuiet)
  }

  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    for group in plan.sweep.groups {
      try ResourceNeeds.require(for: group, jobs: jobs, workFolder: running.workFolder)
    }
    let executable = try ProcessMetrics.executablePath()
    var provenance = provenance
    let axes = [SweepRecord.Axis(name: "class", text: "fleet", isLogarithmic: false)]
    let identity = try PlanIdentity(
      of: plan.sweep, axes, program: CompactionLab.version, provenance, executable: executable)
    if let shard = plan.shard, running.resumption.resume != false,
      Journal.isFinished(in: folder.path, of: identity, shard)
    {
      Console.error("\(folder.path): finished already, and not run again")
      return .success
    }
    let journal = try work.openJournal(
      identity,
      shard: plan.shardContent(
        folder: PopulationFiles.curvesFolder(of: plan.population), leftOut: leftOut))
    (provenance.startedAt, provenance.plan) = (journal.startedAt, identity.digest)
    let count = plan.sweep.runCount
    work.announce(
      "\(plan.population.name) · \(counted(plan.population.groups.count, "group")), "
        + "\(counted(plan.axes.reduce(0) { $0 + $1.classCount }, "class", "classes")) · "
        + "\(counted(count, "run")), \(min(jobs, count)) at a time\n", journal, total: count)
    let outcome = try work.run { folder, display in
      SweepRun(
        plan.sweep, executable: executable, workFolder: folder, jobs: jobs, keepsSamples: true
      ).run(journal: journal, cancellation: cancellation) { display.show($0) }
    }
    if let failure = outcome.journalFailure {
      throw couldNotRun("\(failure)\nthe measurement was stopped; the same command runs the rest")
    }
    if let shard = plan.shard { return try end(shard, journal, outcome, provenance) }
    if outcome.interrupted {
      Console.error(
        "interrupted: \(counted(journal.count, "run")) are in \(journal.path); the same command runs the rest"
      )
      return .interrupted
    }
    return try end(FleetMeasurement(plan, outcome), journal, provenance)
  }

  private var provenance: Provenance {
    var versions: [String: String] = [:]
    var provenance = Provenance?.none
    for group in plan.sweep.groups {
      let own = PlanExecution(group, folder, workFolder: running.workFolder, jobs: jobs)
        .provenance(startedAt: "")
      versions.merge(own.engineVersions) { first, _ in first }
      provenance = provenance ?? own
    }
    guard var provenance else { preconditionFailure("a population has a group") }
    provenance.engineVersions = versions
    return provenance
  }

  private func end(
    _ measurement: FleetMeasurement, _ journal: Journal, _ provenance: Provenance
  ) throws -> ExitCode {
    guard measurement.failures.isEmpty else {
      journal.end(hasFailed: true)
      throw FleetCurveFiles.failed(measurement)
    }
    return try FleetCurveFiles.write(
      measurement, provenance, to: folder, isQuiet: running.quiet.isQuiet
    ) { journal.end(hasFailed: false) }
  }

  /// Ends the journal of a shard.
  private func end(
    _ shard: Shard, _ journal: Journal, _ outcome: SweepRun.Outcome, _ provenance: Provenance
  ) throws -> ExitCode {
    let cells = zip(plan.sweep.groups, outcome.cells).enumerated().flatMap { point, group in
      let ran = Set(group.0.parts.flatMap(\.runs).map(\.cell))
      return group.1.filter { ran.contains($0.key) && $0.status != .measured }
        .map { ShardEnd.Cell(point: point, $0) }
    }
    return try ShardSummary(
      name: "measurement of \(plan.population.name)", shard: shard,
      isInterrupted: outcome.interrupted
    ).finish(journal, ShardEnd(provenance.of(shard, blocks: []), cells: cells))
  }
}
