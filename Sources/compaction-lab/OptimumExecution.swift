// Carries out an optimum: runs what is missing, writes the record, the tables, the page and the pictures.
import ArgumentParser
import Experiments
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import ReportRendering
import RunJournal
import SystemIO

struct OptimumExecution {
  let plan: OptimumPlan
  let objective: Objective
  let folder: OutputFolder
  let workFolder: String?
  let jobs: Int
  let resume: Bool?
  let isQuiet: Bool
  /// Whether it is one of many of another command: then it shows failures only, and what is finished is not run again.
  var isPart = false

  /// What the name of its folder has after the scenario's.
  static let folderSuffix = "-optimum"

  private var name: String { plan.scenario.name }

  /// Runs all cells, writes the files, prints the results, and returns the exit code.
  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    guard let measured = try measure(cancellation) else { return .interrupted }
    let analysis = OptimumAnalysis(measured.record)
    Console.print(OptimumText.text(analysis, isBrief: isQuiet))
    Console.print("\n  report: \(folder.path.appending(OptimumMarkdown.fileName))\n")
    let isFound = analysis.results.contains { $0.absence == nil }
    return isFound && !measured.hasFailed ? .success : .couldNotRun
  }

  /// Runs what is missing and writes the files; nil where it was interrupted. Where the folder has the record of the same plan
  /// nothing runs, if the results are a part of another command's.
  func measure(
    _ cancellation: Cancellation
  ) throws -> (record: OptimumRecord, hasFailed: Bool)? {
    let first = PlanExecution(plan.plan, folder, workFolder: workFolder, jobs: jobs)
    try ResourceNeeds.require(for: plan.plan, jobs: jobs, workFolder: workFolder)
    let executable = try ProcessMetrics.executablePath()
    var provenance = first.provenance(startedAt: Clock.wallTimeText())
    let identity = try PlanIdentity(
      of: plan.plan, program: CompactionLab.version, provenance, executable: executable)
    if isPart, resume != false, let done = finishedRecord(identity) {
      return (done, false)
    }
    let journal = try openJournal(identity)
    (provenance.startedAt, provenance.plan) = (journal.startedAt, identity.digest)
    announce(journal)
    let outcome = try run(journal, executable, cancellation)
    if let failure = outcome.journalFailure { throw first.stopped(journal, failure) }
    if outcome.interrupted {
      if !isPart {
        Console.error(
          "interrupted: \(counted(journal.count, "run")) are in \(journal.path); the same command runs the rest"
        )
      }
      return nil
    }
    var scenario = plan.scenario
    scenario.objective = objective
    let record = OptimumRecord(
      provenance: provenance, scenario: scenario, cells: outcome.cells)
    let files = OptimumFiles(OptimumAnalysis(record))
    do { try folder.whileLocked { try files.write(to: folder) } } catch {
      throw couldNotRun(
        "\(error)\nthe results are in the journal; \(RunCompletion.remedy(error)), and the same command writes the files"
      )
    }
    do throws(SystemError) {
      if outcome.hasFailed { try journal.appendEnd() } else { try journal.remove() }
    } catch {
      Console.error("note: \(error); the journal stays beside the record, which is complete")
    }
    return (record, outcome.hasFailed)
  }

  /// The record that the folder has, if it is one of this plan and no run of it is missing.
  private func finishedRecord(_ identity: PlanIdentity) -> OptimumRecord? {
    let file = folder.path.appending(OptimumRecord.fileName)
    guard !FileSystem.exists(folder.path.appending(Journal.fileName)),
      let bytes = try? FileSystem.read(file),
      let record = try? OptimumRecord(json: bytes, name: file.string),
      record.provenance.plan == identity.digest
    else { return nil }
    return record
  }

  private func openJournal(_ identity: PlanIdentity) throws -> Journal {
    if resume == true, !isPart, !Journal.isUnfinished(in: folder.path, of: identity) {
      throw couldNotRun(
        "--resume: no unfinished optimum of this plan in \(folder.path); leave --resume out to begin it"
      )
    }
    do {
      try folder.make()
      return try Journal(
        in: folder.path, of: identity, command: PlanExecution.command,
        startedAt: Clock.wallTimeText(), anew: resume == false)
    } catch { throw couldNotRun("\(error)") }
  }

  private func announce(_ journal: Journal) {
    guard !isPart else { return }
    let scenario = plan.scenario
    let total = plan.plan.parts.reduce(0) { $0 + $1.runs.count }
    if !isQuiet {
      Console.print(
        "\(name) · optimum over \(counted(scenario.launches, "launch", "launches")) · stepped schedule, seed \(scenario.seed)\n"
          + "  \(counted(total, "run")), \(min(jobs, max(1, total))) at a time; then the optimum itself\n"
      )
    }
    guard journal.count > 0 else { return }
    Console.error(
      "\(name): resumes the optimum that was begun at \(journal.startedAt): \(counted(journal.count, "run")) are in "
        + "\(journal.path)")
  }

  private func run(
    _ journal: Journal, _ executable: FilePath, _ cancellation: Cancellation
  ) throws -> OptimumRun.Outcome {
    let work: WorkFolder
    do { work = try PlanExecution.makeWorkFolder(in: workFolder) } catch {
      throw couldNotRun("\(error)")
    }
    defer { work.remove() }
    var plan = plan
    plan.prepareLimitedDisks(executable: executable)
    let progress = ProgressDisplay(
      totalCommits: plan.scenario.plannedCommits, launches: plan.scenario.launches,
      isQuiet: isQuiet || isPart)
    defer { progress.finish() }
    return OptimumRun(
      plan, objective, executable: executable, workFolder: work.path, jobs: jobs
    ).run(journal: journal, cancellation: cancellation) { progress.show($0) }
  }
}
