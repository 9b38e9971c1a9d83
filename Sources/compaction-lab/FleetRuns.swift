// The journaled runs of a fleet's scenarios, of all or of a shard: those of `fleet measure` and of `fleet agreement`.
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import RunJournal
import ScenarioModel
import SystemIO

struct FleetRuns {
  /// What it is, for messages: `measurement`.
  let noun: String
  /// What the scenarios differ in.
  let axis: String
  let sweep: SweepPlan
  /// What the journal of a shard holds of its plan; nil for all runs.
  var shard: ShardContent?
  let folder: OutputFolder
  let running: UnsharedOptions

  /// How the runs ended.
  enum End {
    /// A shard that an earlier command has ended.
    case finishedBefore
    /// Stopped; the same command runs the rest. A shard that is stopped is `ran`, because its journal says so.
    case interrupted
    case ran(Result)
  }

  struct Result {
    let outcome: SweepRun.Outcome
    let journal: Journal
    let provenance: Provenance

    /// Ends the journal so that the same command runs the failed runs again; returns the error.
    func failure(_ reasons: [String]) -> any Error {
      journal.end(hasFailed: true)
      return couldNotRun(
        "runs failed, and the same command runs them again:\n  "
          + Set(reasons).sorted().prefix(5).joined(separator: "\n  "))
    }
  }

  private var jobs: Int { running.jobs ?? Machine.current().processorCount }

  /// The scenario that takes the longest, by which the progress line counts.
  private var largest: Scenario {
    sweep.groups.map(\.scenario).max { $0.plannedCommits < $1.plannedCommits }
      ?? sweep.groups[0].scenario
  }

  private var work: JournaledWork {
    JournaledWork(
      noun: noun, scenario: largest, folder: folder, workFolder: running.workFolder,
      resume: running.resumption.resume, isQuiet: running.quiet.isQuiet)
  }

  /// Runs what no journal has.
  func carryOut(
    title: String, keepsSamples: Bool, _ cancellation: Cancellation
  ) throws -> End {
    for group in sweep.groups {
      try ResourceNeeds.require(for: group, jobs: jobs, workFolder: running.workFolder)
    }
    let executable = try ProcessMetrics.executablePath()
    var provenance = provenance
    let axes = [SweepRecord.Axis(name: axis, text: "fleet", isLogarithmic: false)]
    let identity = try PlanIdentity(
      of: sweep, axes, program: CompactionLab.version, provenance, executable: executable)
    if let shard, running.resumption.resume != false,
      Journal.isFinished(in: folder.path, of: identity, shard.shard)
    {
      Console.error("\(folder.path): finished already, and not run again")
      return .finishedBefore
    }
    let journal = try work.openJournal(identity, shard: shard)
    (provenance.startedAt, provenance.plan) = (journal.startedAt, identity.digest)
    let count = sweep.runCount
    work.announce(
      "\(title) · \(counted(count, "run")), \(min(jobs, count)) at a time\n", journal, total: count)
    let outcome = try work.run { folder, display in
      SweepRun(
        sweep, executable: executable, workFolder: folder, jobs: jobs, keepsSamples: keepsSamples
      ).run(journal: journal, cancellation: cancellation) { display.show($0) }
    }
    if let failure = outcome.journalFailure {
      throw couldNotRun("\(failure)\nthe \(noun) was stopped; the same command runs the rest")
    }
    if outcome.interrupted, shard == nil {
      Console.error(
        "interrupted: \(counted(journal.count, "run")) are in \(journal.path); the same command runs the rest"
      )
      return .interrupted
    }
    return .ran(Result(outcome: outcome, journal: journal, provenance: provenance))
  }

  private var provenance: Provenance {
    var versions: [String: String] = [:]
    var provenance = Provenance?.none
    for group in sweep.groups {
      let own = PlanExecution(group, folder, workFolder: running.workFolder, jobs: jobs)
        .provenance(startedAt: "")
      versions.merge(own.engineVersions) { first, _ in first }
      provenance = provenance ?? own
    }
    guard var provenance else { preconditionFailure("a fleet has a run") }
    provenance.engineVersions = versions
    return provenance
  }
}
