// Carries out a plan and leaves its report: what `run`, `record` and `replay` have in common.
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
import ScenarioModel
import SystemIO

struct PlanExecution {
  var plan: ExperimentPlan
  var folder: OutputFolder
  /// The folder on whose disk databases are made; nil for the system's for temporary files.
  var workFolder: String?
  /// Cells at a time.
  var jobs: Int
  /// Commits of one cell, for the progress line.
  var totalCommits: Int
  /// Whether the repetitions of a cell must have the same bytes.
  var comparesTwice = false
  /// Whether the report is rendered at once; if not, `report` makes it of what is left.
  var leavesReport = true
  /// Whether only failures, what they came from, and what was left are told.
  var isQuiet = false

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

  /// The cells at a time, where the user leaves that open.
  static func jobs(_ given: Int?, _ plan: ExperimentPlan) -> Int {
    given ?? (plan.schedule == .stepped ? Machine.current().processorCount : 1)
  }

  /// Returns the exit code that came of it.
  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let scenario = plan.scenario
    try ResourceNeeds.require(for: plan, jobs: jobs)
    if !isQuiet {
      Console.print(
        "\(scenario.name) · \(counted(scenario.engines.count, "engine")) × "
          + "\(counted(scenario.policies.count, "policy", "policies"))"
          + " · \(plan.schedule.rawValue) schedule, seed \(plan.seed)")
      if let added = scenario.addedComparator {
        Console.print("  \(added) is run too, to compare with; --comparator none leaves it out")
      }
    }
    for engine in plan.absentEngines {
      Console.error("\(engine.id) is not on this machine and is left out: \(engine.reason)")
    }
    let startedAt = Clock.wallTimeText()
    let outcome: RunOutcome
    do { outcome = try run(cancellation) } catch { throw couldNotRun("\(error)") }
    if outcome.interrupted, outcome.cells.allSatisfy(\.repetitions.isEmpty) {
      Console.error(
        "compaction-lab: interrupted before anything was done; \(folder.path) stays as it was")
      return .interrupted
    }
    let record = RunRecord(
      scenario: scenario,
      provenance: try provenance(startedAt: startedAt, interrupted: outcome.interrupted),
      cells: outcome.cells)
    let files = ReportFiles(record: record, samples: outcome.samples)
    do {
      try folder.whileLocked { try write(files, outcome) }
    } catch let code as ExitCode { throw code } catch { throw couldNotRun("\(error)") }
    let code = try tell(files.analysis, outcome)
    guard comparesTwice, code == .success || code == .expectationFailed else { return code }
    return Self.tellTwice(files.analysis.determinism, record.provenance) ? code : .differs
  }

  private func write(_ files: ReportFiles, _ outcome: RunOutcome) throws {
    do {
      try files.writeData(timings: outcome.timings, to: folder)
    } catch {
      throw couldNotRun(
        "\(error)\nnothing of the run is left; \(Self.remedy(error)) and run it again")
    }
    do {
      try InterleavingFiles.write(
        outcome.interleavings, of: plan.scenario, seed: plan.seed, to: folder)
      if leavesReport { try files.writeReport(to: folder) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe record of the run is whole; \(Self.remedy(error)), and `compaction-lab report \(folder.path)` "
          + "makes the report of it")
    }
  }

  private static func remedy(_ error: any Error) -> String {
    (error as? SystemError)?.isOutOfSpace == true ? "make room on the disk" : "put that right"
  }

  private func run(_ cancellation: Cancellation) throws -> RunOutcome {
    let work = try Self.makeWorkFolder(in: workFolder)
    defer { work.remove() }
    let executable = try ProcessMetrics.executablePath()
    var plan = plan
    plan.prepareLimitedDisks(executable: executable)
    let run = ExperimentRun(
      plan, executable: executable, workFolder: work.path, jobs: jobs)
    let display = ProgressDisplay(
      totalCommits: totalCommits, launches: plan.scenario.launches, isQuiet: isQuiet)
    defer { display.finish() }
    return run.run(cancellation: cancellation) { display.show($0) }
  }

  /// A folder for temporary files of this command; first those of commands that were killed are removed.
  static func makeWorkFolder(in parent: String?) throws(SystemError) -> WorkFolder {
    let parent = parent.map { FilePath($0) }
    for folder in WorkFolder.removeAbandoned(in: parent) {
      Console.error(
        "removed \(folder.path) (\(ByteCount(folder.bytes))), which a command that was killed had left"
      )
    }
    return try WorkFolder(in: parent)
  }

  private func provenance(startedAt: String, interrupted: Bool) throws -> Provenance {
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
      engineNotes: notes,
      interrupted: interrupted, platform: Self.platform)
  }

  private static var platform: Platform {
    Platform(
      governor: Machine.governor, pageBytes: Machine.pageBytes,
      byteOrder: Machine.byteOrder, libraryVersions: ["C library": Machine.cLibrary])
  }

  /// The command that repeats the run; quoted where a shell needs it.
  private static var command: String {
    let words = ["compaction-lab"] + CommandLine.arguments.dropFirst()
    return words.map { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) }
        ? word
        : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }.joined(separator: " ")
  }

  /// Says whether the second runs gave the bytes of the first, and for what that holds; false where they did not.
  private static func tellTwice(_ determinism: Determinism, _ provenance: Provenance) -> Bool {
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

  /// Prints the summary and answers with the exit code that it deserves.
  private func tell(_ analysis: ScenarioAnalysis, _ outcome: RunOutcome) throws -> ExitCode {
    let report = folder.path.appending(ReportMarkdown.fileName)
    Console.print(
      TerminalSummary.text(
        analysis, reportPath: leavesReport ? report.string : nil, width: Terminal.width(),
        isBrief: isQuiet))
    if !leavesReport { Console.print("  record: \(folder.path.appending(RunRecord.fileName))\n") }
    if let kept = plan.keptFiles, FileSystem.exists(kept) {
      Console.print("  database files: \(kept)\n")
    }
    if outcome.interrupted {
      Console.error("interrupted: what is left is of what was done before")
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
  /// The folder below `output` for the reports of this name, made and tried.
  static func prepared(_ output: String, _ name: String) throws -> OutputFolder {
    do {
      let folder = try OutputFolder(below: FilePath(output), [name])
      try folder.make()
      return folder
    } catch { throw couldNotRun("\(error)") }
  }
}

/// Engines, policies and arms as options name them.
enum Choice {
  static func policy(_ text: String, in scenario: Scenario) throws -> Policy {
    if let known = scenario.policies.first(where: { $0.name == text }) { return known }
    do { return try Policy(parsing: text) } catch {
      let names = scenario.policies.map(\.name)
      // Where the parser names a policy already, that is the better advice.
      let isOpen = error.code == .unknownPolicy && error.hint?.hasPrefix("did you mean") != true
      let near = isOpen ? nearest(to: text, in: names) : nil
      throw couldNotRun(
        "--policy: \(error.report)"
          + (near.map { "\n\(scenario.name) has a policy \"\($0)\"; did you mean that?" } ?? ""))
    }
  }

  static func arm(_ name: String, in scenario: Scenario) throws -> ArmSpec {
    guard let arm = scenario.arms.first(where: { $0.name == name }) else {
      let names = scenario.arms.map(\.name).joined(separator: ", ")
      let near = nearest(to: name, in: scenario.arms.map(\.name))
      throw couldNotRun(
        "--arm: \(scenario.name) has no arm \"\(abbreviated(name))\"; "
          + (near.map { "did you mean \"\($0)\"?" } ?? "it has: \(names)"))
    }
    return arm
  }

  static func check(engines: [String]) throws {
    for id in engines where !EngineCatalog.ids.contains(id) {
      let near = nearest(to: id, in: EngineCatalog.ids).map { "did you mean \"\($0)\"?" }
      throw ValidationError(
        "there is no engine \"\(abbreviated(id))\"; "
          + (near ?? "there are: \(EngineCatalog.ids.joined(separator: ", "))"))
    }
    if let twice = repeated(engines) {
      throw ValidationError("--engine \(twice) is given twice; leave one out")
    }
  }

  /// The first text that is there before.
  static func repeated(_ texts: [String]) -> String? {
    var seen: Set<String> = []
    return texts.first { !seen.insert($0).inserted }
  }
}
