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
  /// The names of its folders below `--output`, without that of a shard.
  var folderNames: [String]
  /// What the page of an agreement needs, where the plan is of one.
  var agreement: ShardContent.Agreement?
  /// Whether the user asked for the peak of disk use, and is told if it cannot be measured.
  var requestsPeakDisk = false

  init(
    _ plan: ExperimentPlan, _ folder: OutputFolder, workFolder: String?, jobs: Int?,
    totalCommits: Int? = nil
  ) {
    self.plan = plan
    self.folder = folder
    folderNames = [plan.scenario.name]
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
    try ResourceNeeds.require(for: plan, jobs: jobs.values.max() ?? 1, workFolder: workFolder)
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
    provenance.interrupted = outcome.interrupted
    provenance.conditions = outcome.conditions
    provenance.plan = identity.digest
    provenance.peakDiskAbsence = plan.peakDiskAbsence
    if let journal, let failure = outcome.journalFailure { throw stopped(journal, failure) }
    if let share = plan.share, let journal {
      return try end(share.shard, journal, outcome, provenance)
    }
    if outcome.interrupted, outcome.cells.allSatisfy(\.allRepetitions.isEmpty) {
      try? journal?.remove()
      Console.error(
        "compaction-lab: interrupted before anything was done; \(folder.path) stays as it was")
      return .interrupted
    }
    let record = RunRecord(scenario: scenario, provenance: provenance, cells: outcome.cells)
    var completion = RunCompletion(folder: folder)
    (completion.writesReport, completion.comparesTwice) = (writesReport, comparesTwice)
    (completion.isQuiet, completion.hasJournal) = (isQuiet, usesJournal)
    completion.keptFiles = plan.keptFiles
    return try completion.complete(record, outcome) { finish(journal, outcome) }
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

  /// The command line that repeats the run, quoted where a shell needs it; without the choice of a shard, so that all shards
  /// have the same.
  static var command: String {
    var words = ["compaction-lab"]
    var isShard = false
    for word in CommandLine.arguments.dropFirst() {
      let isValue = isShard
      isShard = word == "--shard"
      if isShard || isValue || word.hasPrefix("--shard=") { continue }
      if !["--resume", "--no-resume"].contains(word) { words.append(word) }
    }
    return words.map { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) }
        ? word
        : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }.joined(separator: " ")
  }
}

extension OutputFolder {
  /// Creates the folder `name` below `output`, or that of a shard in it, and checks that it can be written.
  static func make(
    in output: String, named name: String, _ shard: Shard? = nil
  ) throws -> OutputFolder {
    do {
      let folder = try OutputFolder(below: output, [name], shard)
      try folder.make()
      return folder
    } catch { throw couldNotRun("\(error)") }
  }
}
