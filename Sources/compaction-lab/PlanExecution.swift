// Carries out a plan and writes its report, for `run`, `record` and `replay`.
import Analysis
import ArgumentParser
import EngineInterface
import Engines
import Experiments
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ReportRendering
import RunJournal
import ScenarioModel
import SystemIO

struct PlanExecution {
  var plan: ExperimentPlan
  var folder: OutputFolder
  /// The folder for database files; nil for the system's folder for temporary files.
  var workFolder: String?
  /// The number of cells that run at a time.
  var jobs: [Schedule: Int]
  /// The commits of one cell, for the progress line.
  var totalCommits: Int
  /// Whether the repetitions of a cell must give the same bytes.
  var comparesTwice = false
  /// Whether the report is written; if not, `report` can render it later.
  var writesReport = true
  /// Whether only failures, the verdict and the paths of the files are printed.
  var isQuiet = false
  /// Whether each result is durable in a journal as its run ends.
  var usesJournal = true
  /// Whether the user asked for the peak of disk use, and is told if it cannot be measured.
  var requestsPeakDisk = false

  init(
    _ plan: ExperimentPlan, _ folder: OutputFolder, workFolder: String?, jobs: Int?,
    totalCommits: Int? = nil
  ) {
    self.plan = plan
    self.folder = folder
    self.workFolder = workFolder
    self.jobs = Self.jobs(jobs, plan)
    self.totalCommits = totalCommits ?? plan.scenario.plannedCommits
  }

  /// Returns the number of cells at a time for each schedule of the plan: as given, or the default.
  static func jobs(_ given: Int?, _ plan: ExperimentPlan) -> [Schedule: Int] {
    let schedules = plan.parts.map { part in
      (part.schedule, given ?? (part.schedule == .stepped ? Machine.current().processorCount : 1))
    }
    return Dictionary(schedules, uniquingKeysWith: { first, _ in first })
  }

  /// Runs all cells, writes the report, prints the summary, and returns the exit code.
  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let scenario = plan.scenario
    try ResourceNeeds.require(for: plan, jobs: jobs.values.max() ?? 1)
    if !isQuiet {
      Console.print(
        PlanAnnouncement(plan: plan, jobs: jobs, totalCommits: totalCommits)
          .text(width: Terminal.width()))
    }
    for engine in plan.absentEngines {
      Console.error("\(engine.id) is not on this machine and is left out: \(engine.reason)")
    }
    let executable = try ProcessMetrics.executablePath()
    var plan = plan
    plan.prepareLimitedDisks(executable: executable)
    if requestsPeakDisk, let reason = plan.peakDiskAbsence {
      Console.error("the peak of disk use is not measured: \(reason)")
    }
    var provenance = provenance(startedAt: Clock.wallTimeText())
    let identity = try identity()
    let journal = usesJournal ? try openJournal(identity) : nil
    if let journal {
      provenance.startedAt = journal.startedAt
      announce(journal)
    }
    let outcome: RunOutcome
    do { outcome = try run(plan, executable, journal, cancellation) } catch {
      throw couldNotRun("\(error)")
    }
    if let journal, let failure = outcome.journalFailure { throw stopped(journal, failure) }
    if outcome.interrupted, outcome.cells.allSatisfy(\.allRepetitions.isEmpty) {
      try? journal?.remove()
      Console.error(
        "compaction-lab: interrupted before anything was done; \(folder.path) stays as it was")
      return .interrupted
    }
    provenance.interrupted = outcome.interrupted
    provenance.conditions = outcome.conditions
    provenance.plan = identity.digest
    provenance.peakDiskAbsence = plan.peakDiskAbsence
    let record = RunRecord(scenario: scenario, provenance: provenance, cells: outcome.cells)
    let files = ReportFiles(record: record, samples: outcome.samples)
    do {
      try folder.whileLocked { try write(files, outcome) }
    } catch let code as ExitCode { throw code } catch { throw couldNotRun("\(error)") }
    finish(journal, outcome)
    let code = try printSummary(files.analysis, outcome)
    guard comparesTwice, code == .success || code == .expectationFailed else { return code }
    return Self.printDeterminism(files.analysis.determinism, record.provenance) ? code : .differs
  }

  private func write(_ files: ReportFiles, _ outcome: RunOutcome) throws {
    do {
      try files.writeData(timings: outcome.timings, to: folder)
    } catch {
      let loss =
        usesJournal
        ? "the results are in the journal; \(Self.remedy(error)), and the same command writes the record"
        : "nothing of the run was kept; \(Self.remedy(error)) and run it again"
      throw couldNotRun("\(error)\n\(loss)")
    }
    do {
      try InterleavingFiles.write(
        outcome.interleavings, of: plan.scenario, seed: plan.seed, to: folder)
      if writesReport { try files.writeReport(to: folder) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe record of the run is complete; \(Self.remedy(error)), and `compaction-lab report \(folder.path)` "
          + "writes its report")
    }
  }

  static func remedy(_ error: any Error) -> String {
    (error as? SystemError)?.isOutOfSpace == true ? "free space on the disk" : "correct that"
  }

  private func run(
    _ plan: ExperimentPlan, _ executable: FilePath, _ journal: Journal?,
    _ cancellation: Cancellation
  ) throws -> RunOutcome {
    let work = try Self.makeWorkFolder(in: workFolder)
    defer { work.remove() }
    let run = ExperimentRun(
      plan, executable: executable, workFolder: work.path, jobs: jobs)
    let display = ProgressDisplay(
      totalCommits: totalCommits, launches: plan.scenario.launches, isQuiet: isQuiet)
    defer { display.finish() }
    return run.run(journal: journal, cancellation: cancellation) { display.show($0) }
  }

  /// Creates a folder for this command's temporary files, after removing those of commands that were killed.
  static func makeWorkFolder(in parent: String?) throws(SystemError) -> WorkFolder {
    let parent = parent.map { FilePath($0) }
    for folder in WorkFolder.removeAbandoned(in: parent) {
      Console.error(
        "removed \(folder.path) (\(ByteCount(folder.bytes))), left behind by a command that was killed"
      )
    }
    return try WorkFolder(in: parent)
  }

  func provenance(startedAt: String) -> Provenance {
    let machine = Machine.current()
    let work = FilePath(workFolder ?? "/tmp")
    var versions: [String: String] = [:]
    var notes: [String: EngineNote] = [:]
    for case .available(let engine) in plan.scenario.engines.compactMap(EngineCatalog.named) {
      versions[engine.id] = engine.capabilities.version
      notes[engine.id] = engine.capabilities.note
    }
    return Provenance(
      toolVersion: CompactionLab.version, command: Self.command, schedule: plan.schedule,
      seed: plan.seed, repetitions: plan.repetitions, startedAt: startedAt,
      operatingSystem: machine.system, processor: machine.processor,
      cores: machine.processorCount, memory: ByteCount(machine.memoryBytes),
      fileSystem: (try? FileSystem.typeName(at: work)) ?? "unknown", engineVersions: versions,
      engineNotes: notes, platform: platform(work))
  }

  private func platform(_ work: FilePath) -> Platform {
    var platform = Platform(
      governor: Machine.governor, pageBytes: Machine.pageBytes,
      byteOrder: Machine.byteOrder, libraryVersions: ["C library": Machine.cLibrary])
    platform.databaseMount = MountTable.current()?.mount(of: work)?.text
    platform.outputMount = MountTable.current()?.mount(of: folder.path)?.text
    return platform
  }

  /// The command line that repeats the run, quoted where a shell needs it.
  static var command: String {
    let words =
      ["compaction-lab"]
      + CommandLine.arguments.dropFirst()
      .filter { !["--resume", "--no-resume"].contains($0) }
    return words.map { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) }
        ? word
        : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }.joined(separator: " ")
  }

  /// Prints whether the second runs gave the same bytes, and with which versions; returns false where they did not.
  private static func printDeterminism(_ determinism: Determinism, _ provenance: Provenance) -> Bool
  {
    let versions = provenance.engineVersions.sorted { $0.key < $1.key }
      .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    let key = "for \(versions) · pages of \(Machine.pageBytes) B · \(Machine.byteOrder)"
    switch determinism.finding {
    case .exact, .nothing:
      Console.print("  twice: \(determinism.sentence)\n         \(key)\n")
      return true
    case .unchecked, .differs, .threads:
      Console.error("twice: \(determinism.sentence)\n       \(key)")
      return false
    }
  }

  /// Prints the summary and returns the exit code.
  private func printSummary(_ analysis: ScenarioAnalysis, _ outcome: RunOutcome) throws -> ExitCode
  {
    let report = folder.path.appending(ReportMarkdown.fileName)
    Console.print(
      TerminalSummary.text(
        analysis, reportPath: writesReport ? report.string : nil, width: Terminal.width(),
        isBrief: isQuiet))
    if !writesReport { Console.print("  record: \(folder.path.appending(RunRecord.fileName))\n") }
    if let kept = plan.keptFiles, FileSystem.exists(kept) {
      Console.print("  database files: \(kept)\n")
    }
    if outcome.interrupted {
      Console.error(
        "interrupted: the report covers the repetitions that had ended"
          + (usesJournal ? "; the same command runs the rest" : ""))
      return .interrupted
    }
    let hasFailedCell = outcome.cells.contains {
      if case .failed = $0.status { true } else { false }
    }
    if hasFailedCell { return .couldNotRun }
    let hasFailedExpectation = analysis.expectations.contains {
      if case .failed = $0.result { true } else { false }
    }
    return hasFailedExpectation ? .expectationFailed : .success
  }
}

extension OutputFolder {
  /// Creates the folder `name` below `output`, and checks that it can be written.
  static func make(in output: String, named name: String) throws -> OutputFolder {
    do {
      let folder = try OutputFolder(below: FilePath(output), [name])
      try folder.make()
      return folder
    } catch { throw couldNotRun("\(error)") }
  }
}
