// Carries out `fleet measure`: runs what is missing, writes the record, prints what the curves are worth.
import ArgumentParser
import Experiments
import FleetModel
import MetricModel
import RecordModel
import ReportRendering
import RunJournal
import ScenarioModel
import SystemIO

struct FleetMeasureExecution {
  let plan: FleetPlan
  let folder: OutputFolder
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
    let journal = try work.openJournal(identity)
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
      throw couldNotRun(
        "runs failed, and the same command runs them again:\n  "
          + Set(measurement.failures).sorted().prefix(5).joined(separator: "\n  "))
    }
    let curves = measurement.curves(versions: provenance.engineVersions)
    let record = FleetRecord(
      provenance: provenance, curves: curves, digests: measurement.digests)
    do {
      let json = try record.json()
      try folder.whileLocked { try folder.write(json, to: FleetRecord.fileName) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe results are in the journal; the same command writes the file")
    }
    journal.end(hasFailed: false)
    Console.print(FleetText.curves(curves, isBrief: running.quiet.isQuiet))
    Console.print("\n  curves: \(folder.path.appending(FleetRecord.fileName))\n")
    for refusal in curves.refusals { Console.error("refused: class \(refusal)") }
    return curves.refusals.isEmpty ? .success : .differs
  }
}
