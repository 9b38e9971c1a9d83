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

  /// Runs all cells, writes the files, prints the best policies, and returns the exit code.
  func carryOut() throws -> ExitCode {
    let first = PlanExecution(plan.groups[0], folder, workFolder: workFolder, jobs: jobs)
    for group in plan.groups { try ResourceNeeds.require(for: group, jobs: jobs) }
    let executable = try ProcessMetrics.executablePath()
    var provenance = first.provenance(startedAt: Clock.wallTimeText())
    let identity = try PlanIdentity(
      of: plan, axes, program: CompactionLab.version, provenance, executable: executable)
    let journal = try openJournal(identity)
    provenance.startedAt = journal.startedAt
    provenance.plan = identity.digest
    announce(journal)
    let cancellation = try Cancellation.onSignals()
    let outcome = try run(journal, executable, cancellation)
    if let failure = outcome.journalFailure { throw first.stopped(journal, failure) }
    provenance.interrupted = outcome.interrupted
    let record = SweepRecord(
      name: plan.groups[0].scenario.name, provenance: provenance, axes: axes, points: plan.points,
      groups: zip(plan.groups, outcome.cells).map {
        SweepRecord.Group(scenario: $0.scenario, cells: $1)
      })
    let analysis = SweepAnalysis(record)
    do {
      try folder.whileLocked { try SweepFiles(analysis, metric).write(to: folder) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe results are in the journal; \(PlanExecution.remedy(error)), and the same command writes the files"
      )
    }
    return try end(journal, outcome, analysis)
  }

  private func openJournal(_ identity: PlanIdentity) throws -> Journal {
    if resume == true, !Journal.isUnfinished(in: folder.path, of: identity) {
      throw couldNotRun(
        "--resume: no unfinished sweep of this plan in \(folder.path); leave --resume out to begin it"
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
    let scenario = plan.groups[0].scenario
    if !isQuiet {
      Console.print(
        "\(scenario.name) · sweep of \(counted(plan.points.count, "point")) · stepped schedule, seed \(scenario.seed)"
      )
      for axis in axes { Console.print("  \(axis.name): \(axis.text)") }
      Console.print(
        "  \(counted(plan.runCount, "run")), \(min(jobs, plan.runCount)) at a time\n")
    }
    guard journal.count > 0 else { return }
    Console.error(
      "\(scenario.name): resumes the sweep that was begun at \(journal.startedAt): \(journal.count) of "
        + "\(plan.runCount) runs are in \(journal.path)")
  }

  private func run(
    _ journal: Journal, _ executable: FilePath, _ cancellation: Cancellation
  ) throws -> SweepRun.Outcome {
    let work: WorkFolder
    do { work = try PlanExecution.makeWorkFolder(in: workFolder) } catch {
      throw couldNotRun("\(error)")
    }
    defer { work.remove() }
    var plan = plan
    plan.prepareLimitedDisks(executable: executable)
    let scenario = plan.groups[0].scenario
    let display = ProgressDisplay(
      totalCommits: scenario.plannedCommits, launches: scenario.launches, isQuiet: isQuiet)
    defer { display.finish() }
    let run = SweepRun(plan, executable: executable, workFolder: work.path, jobs: jobs)
    return run.run(journal: journal, cancellation: cancellation) { display.show($0) }
  }

  private func end(
    _ journal: Journal, _ outcome: SweepRun.Outcome, _ analysis: SweepAnalysis
  ) throws -> ExitCode {
    Console.print(SweepText.best(analysis))
    Console.print("  report: \(folder.path.appending(SweepMarkdown.fileName))\n")
    if outcome.interrupted {
      Console.error("interrupted: the same command runs the rest")
      return .interrupted
    }
    let hasFailed = outcome.cells.joined().contains {
      if case .failed = $0.status { true } else { false }
    }
    do throws(SystemError) {
      if hasFailed { try journal.appendEnd() } else { try journal.remove() }
    } catch {
      Console.error("note: \(error); the journal stays beside the record, which is complete")
    }
    return hasFailed ? .couldNotRun : .success
  }
}

/// The files of a sweep.
struct SweepFiles {
  private static let pictureFolder = "plots"

  private let analysis: SweepAnalysis
  private let metric: SummaryMetric

  init(_ analysis: SweepAnalysis, _ metric: SummaryMetric) {
    self.analysis = analysis
    self.metric = metric
  }

  /// Writes all files; the record last, so that a folder with a record is complete.
  func write(to folder: OutputFolder) throws {
    let record = try analysis.record.json()
    try folder.prepare(
      removing: [
        SweepRecord.fileName, SweepCSV.fileName, SweepCSV.timesFileName, SweepMarkdown.fileName,
      ] + earlierPictures(in: folder))
    let pictures = SweepPictures.all(analysis, metric)
    for picture in pictures {
      try folder.write(Array(picture.svg.utf8), to: "\(Self.pictureFolder)/\(picture.file)")
    }
    try folder.write(SweepCSV.text(analysis), to: SweepCSV.fileName)
    try folder.write(SweepCSV.times(analysis), to: SweepCSV.timesFileName)
    let page = SweepMarkdown.text(
      analysis, metric, pictures: pictures, folder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: SweepMarkdown.fileName)
    try folder.write(record, to: SweepRecord.fileName)
  }

  /// The pictures of an earlier sweep, whose names depend on what it varied.
  private func earlierPictures(in folder: OutputFolder) -> [String] {
    let names = (try? FileSystem.list(folder.path.appending(Self.pictureFolder))) ?? []
    return names.filter {
      $0.hasSuffix(".svg") && ($0.hasPrefix("lines-") || $0.hasPrefix("heat-map"))
    }.map { "\(Self.pictureFolder)/\($0)" }
  }
}
