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
  /// What times are predicted by; nil where they are not.
  var calibration: ChosenCalibration?
  let folder: OutputFolder
  let workFolder: String?
  let jobs: Int
  let resume: Bool?
  let isQuiet: Bool
  /// Whether it is one of many of another command: then it shows failures only, and what is finished is not run again.
  var isPart = false

  /// What the name of its folder has after the scenario's.
  static let folderSuffix = "-optimum"

  private var work: JournaledWork {
    JournaledWork(
      noun: "optimum", scenario: plan.scenario, folder: folder, workFolder: workFolder,
      // Of many some are finished, and the others begin.
      resume: isPart && resume == true ? nil : resume, isQuiet: isQuiet || isPart)
  }

  /// Runs all cells, writes the files, prints the results, and returns the exit code.
  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    guard let measured = try measure(cancellation) else { return .interrupted }
    let analysis = OptimumAnalysis(measured.record)
    Console.print(OptimumText.text(analysis, isBrief: isQuiet))
    Console.print("\n  report: \(folder.path.appending(OptimumMarkdown.fileName))\n")
    let unmet = OptimumText.unmetLimits(analysis)
    for text in unmet { Console.error("\(plan.scenario.name): \(text)") }
    let isFound = analysis.results.contains { $0.absence == nil }
    return isFound && unmet.isEmpty && !measured.hasFailed ? .success : .couldNotRun
  }

  /// Runs what is missing and writes the files; nil where it was interrupted. Where the folder has the record of the same plan
  /// nothing runs, if the results are a part of another command's.
  func measure(
    _ cancellation: Cancellation
  ) throws -> (record: OptimumRecord, hasFailed: Bool)? {
    if let reason = OptimumPlan.reasonAgainst(plan.scenario) { throw couldNotRun(reason) }
    let first = PlanExecution(plan.plan, folder, workFolder: workFolder, jobs: jobs)
    try ResourceNeeds.require(for: plan.plan, jobs: jobs, workFolder: workFolder)
    let executable = try ProcessMetrics.executablePath()
    var provenance = first.provenance(startedAt: Clock.wallTimeText())
    let identity = try PlanIdentity(
      of: plan.plan, program: CompactionLab.version, provenance, executable: executable)
    if isPart, resume != false, let done = finishedRecord(identity) {
      return (predictingTimes(done), false)
    }
    let journal = try work.openJournal(identity)
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
    var record = OptimumRecord(
      provenance: provenance, scenario: scenario, cells: outcome.cells)
    record.calibration = calibration?.source
    let files = OptimumFiles(OptimumAnalysis(record))
    try files.writeResults(to: folder)
    journal.end(hasFailed: outcome.hasFailed)
    return (record, outcome.hasFailed)
  }

  /// Returns an earlier record with the times of this calibration.
  private func predictingTimes(_ record: OptimumRecord) -> OptimumRecord {
    guard let calibration else { return record }
    var record = record
    record.calibration = calibration.source
    for index in record.cells.indices { record.cells[index].predictTimes(calibration.record) }
    return record
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

  private func announce(_ journal: Journal) {
    guard !isPart else { return }
    let scenario = plan.scenario
    let total = plan.plan.parts.reduce(0) { $0 + $1.runs.count }
    work.announce(
      "\(scenario.name) · optimum over \(counted(scenario.launches, "launch", "launches")) · stepped schedule, "
        + "seed \(scenario.seed)\n"
        + "  \(counted(total, "run")), \(min(jobs, max(1, total))) at a time; then the optimum itself\n",
      journal)
  }

  private func run(
    _ journal: Journal, _ executable: FilePath, _ cancellation: Cancellation
  ) throws -> OptimumRun.Outcome {
    var plan = plan
    plan.prepareLimitedDisks(executable: executable)
    return try work.run { folder, display in
      OptimumRun(
        plan, objective, calibration?.record, executable: executable, workFolder: folder,
        jobs: jobs
      ).run(journal: journal, cancellation: cancellation) { display.show($0) }
    }
  }
}
