// Carries out a sweep: runs what is missing, writes the record, the tables, the page and the pictures.
import Analysis
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import RunJournal
import SystemIO

struct SweepExecution {
  let plan: SweepPlan
  let axes: [SweepRecord.Axis]
  let folder: OutputFolder
  let workFolder: String?
  let jobs: Int
  /// The figure of the pictures.
  let metric: SummaryMetric
  let resume: Bool?
  let isQuiet: Bool

  /// What the name of its folder has after the scenario's.
  static let folderSuffix = "-sweep"

  private var shard: Shard? { plan.groups.first?.share?.shard }

  private var work: JournaledWork {
    JournaledWork(
      noun: "sweep", scenario: plan.groups[0].scenario, folder: folder, workFolder: workFolder,
      resume: resume, isQuiet: isQuiet)
  }

  /// Runs all cells, writes the files, prints the best policies, and returns the exit code.
  func carryOut() throws -> ExitCode {
    let first = PlanExecution(plan.groups[0], folder, workFolder: workFolder, jobs: jobs)
    for group in plan.groups {
      try ResourceNeeds.require(for: group, jobs: jobs, workFolder: workFolder)
    }
    let executable = try ProcessMetrics.executablePath()
    var provenance = first.provenance(startedAt: Clock.wallTimeText())
    let identity = try PlanIdentity(
      of: plan, axes, program: CompactionLab.version, provenance, executable: executable)
    if let shard, resume != false,
      Journal.isFinished(in: folder.path, of: identity, shard)
    {
      Console.error("\(folder.path): finished already, and not run again")
      return .success
    }
    let journal = try work.openJournal(identity, shard: shardContent)
    provenance.startedAt = journal.startedAt
    provenance.plan = identity.digest
    announce(journal)
    let cancellation = try Cancellation.onSignals()
    let outcome = try run(journal, executable, cancellation)
    if let failure = outcome.journalFailure { throw first.stopped(journal, failure) }
    if let shard { return try end(shard, journal, outcome, provenance) }
    provenance.interrupted = outcome.interrupted
    let record = SweepRecord(
      name: plan.groups[0].scenario.name, provenance: provenance, axes: axes, points: plan.points,
      groups: zip(plan.groups, outcome.cells).map {
        SweepRecord.Group(scenario: $0.scenario, cells: $1)
      })
    return try SweepCompletion(folder: folder, metric: metric).complete(record) {
      guard !outcome.interrupted else { return }
      journal.end(hasFailed: outcome.cells.joined().contains(where: \.hasFailed))
    }
  }

  private func announce(_ journal: Journal) {
    let scenario = plan.groups[0].scenario
    let lines =
      [
        "\(scenario.name) · sweep of \(counted(plan.points.count, "point")) · stepped schedule, seed \(scenario.seed)"
      ] + axes.map { "  \($0.name): \($0.text)" }
      + ["  \(counted(plan.runCount, "run")), \(min(jobs, plan.runCount)) at a time\n"]
    work.announce(lines.joined(separator: "\n"), journal, total: plan.runCount)
  }

  private func run(
    _ journal: Journal, _ executable: FilePath, _ cancellation: Cancellation
  ) throws -> SweepRun.Outcome {
    var plan = plan
    plan.prepareLimitedDisks(executable: executable)
    return try work.run { folder, display in
      SweepRun(plan, executable: executable, workFolder: folder, jobs: jobs)
        .run(journal: journal, cancellation: cancellation) { display.show($0) }
    }
  }
}

extension SweepExecution {
  /// What the journal of a shard says of the sweep; nil for a whole one.
  private var shardContent: ShardContent? {
    guard let shard else { return nil }
    var runs = ShardRuns()
    for (point, group) in plan.groups.enumerated() { runs.add(group, point: point) }
    var content = ShardContent(
      shard, of: .sweep, folder: [plan.groups[0].scenario.name + Self.folderSuffix],
      groups: plan.groups.map { SweepRecord.Group(scenario: $0.scenario, cells: $0.cells) },
      runs: runs.own, checks: runs.checks, total: runs.total)
    content.sweep = ShardContent.Sweep(axes: axes, points: plan.points, figure: metric.column)
    return content
  }

  private func end(
    _ shard: Shard, _ journal: Journal, _ outcome: SweepRun.Outcome, _ provenance: Provenance
  ) throws -> ExitCode {
    let cells = zip(plan.groups, outcome.cells).enumerated().flatMap { point, group in
      let ran = Set(group.0.parts.flatMap(\.runs).map(\.cell))
      return group.1.filter { ran.contains($0.key) && $0.status != .measured }
        .map { ShardEnd.Cell(point: point, $0) }
    }
    let end = ShardEnd(provenance.of(shard, blocks: []), cells: cells)
    return try ShardSummary(
      name: "sweep of \(plan.groups[0].scenario.name)", shard: shard,
      isInterrupted: outcome.interrupted
    ).finish(journal, end)
  }
}
