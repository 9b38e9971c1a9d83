// From the command line to the report: plan, run, analyse, write.
import Analysis
import ArgumentParser
import EngineInterface
import Experiments
import MetricModel
import Policies
import RecordModel
import ReportRendering
import ScenarioModel
import SystemIO

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replays scenarios on the engines and writes a report for each.",
    discussion: """
      Every repetition of every cell (engine × policy × arm) runs in a process of its own. Ctrl-C keeps what is done, \
      writes the report of it, and exits with 130.
      """)

  @Argument(help: "Scenario files, or folders of them.")
  var scenarios: [String]

  @Option(name: .long, help: "An engine to run, in place of the scenario's; may be repeated.")
  var engine: [String] = []

  @Option(
    name: .long,
    help: """
      A policy to run, in place of the scenario's: one of its names, or a policy such as \
      "on-launch: totalBytes > 20 MB"; may be repeated.
      """
  )
  var policy: [String] = []

  @Option(name: .long, help: "An arm to run, in place of all; may be repeated.")
  var arm: [String] = []

  @Option(
    name: .long,
    help: "stepped: one thread, seeded order, exact bytes. threads: real concurrency.")
  var schedule: Schedule = .stepped

  @Option(name: .long, help: "How often each cell is run.")
  var repetitions: Int = 6

  @Flag(
    help: """
      Runs each cell twice under the stepped schedule and exits with 1 unless both runs gave the same bytes in every \
      exact column.
      """)
  var twice = false

  @Option(
    name: .long,
    help: "ci: the scenario as its file says. full: ten times the rows and the commits.")
  var size: ScenarioSize = .ci

  @Flag(help: "Keeps the order of the clients' turns: interleavings/*.txt beside the report.")
  var recordInterleavings = false

  @Option(
    name: .long,
    help: """
      A kept order of turns, which every cell takes once more under the stepped schedule; what it leaves of a phase is \
      drawn from the seed.
      """)
  var interleaving: String?

  @Option(name: .long, help: "Seeds keys, values and order, in place of the scenario's seed.")
  var seed: UInt64?

  @Option(
    name: .long,
    help:
      "The folder for the reports, one folder a scenario. Overwrites only what holds a record of a run."
  )
  var output: String = "Reports"

  @Option(
    name: .long,
    help: """
      Cells at a time: more are faster, and make times noisier. (default: the processors' number under the stepped \
      schedule, whose bytes are exact in any case; 1 under the threads schedule)
      """)
  var jobs: Int?

  @Option(
    name: .long,
    help:
      "The folder on whose disk the databases are made (default: the system's for temporary files)."
  )
  var workFolder: String?

  func validate() throws {
    guard 1...1000 ~= repetitions else {
      throw ValidationError("--repetitions must be from 1 to 1000")
    }
    if schedule == .threads, twice || interleaving != nil {
      throw ValidationError(
        "--\(twice ? "twice" : "interleaving") goes with the stepped schedule: no two runs of real threads are alike"
      )
    }
    guard 1...64 ~= jobs ?? 1 else { throw ValidationError("--jobs must be from 1 to 64") }
    for id in engine where !EngineCatalog.ids.contains(id) {
      throw ValidationError(
        "there is no engine \"\(id)\"; there are: \(EngineCatalog.ids.joined(separator: ", "))")
    }
    if let twice = Self.repeated(engine) {
      throw ValidationError("--engine \(twice) is given twice; leave one out")
    }
    if let twice = Self.repeated(arm) {
      throw ValidationError("--arm \(twice) is given twice; leave one out")
    }
  }

  func run() async throws {
    let loaded = try ScenarioFiles.load(scenarios)
    if let name = Self.repeated(loaded.map(\.scenario.name)) {
      let paths = loaded.filter { $0.scenario.name == name }.map(\.path.string)
      throw couldNotRun(
        "\(paths.joined(separator: " and ")) both hold a scenario \"\(name)\", and reports go by "
          + "that name; rename one, or run them one after the other with their own --output")
    }
    let plans = try loaded.map { try plan($0.scenario) }
    for plan in plans where plan.isWithoutEngine {
      throw couldNotRun(
        "\(plan.scenario.name): none of its engines is on this machine"
          + plan.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined())
    }
    let folders: [OutputFolder]
    do {
      folders = try plans.map { plan throws(OutputError) in
        try OutputFolder(checking: FilePath(output).appending(plan.scenario.name))
      }
      for folder in folders { try folder.make() }
    } catch { throw couldNotRun("\(error)") }
    let interrupter = try Interrupter()
    var worst = ExitCode.success
    for (plan, folder) in zip(plans, folders) {
      let code = try await carryOut(plan, folder, interrupter)
      if code == .interrupted { throw code }
      worst = ExitCode(max(worst.rawValue, code.rawValue))
    }
    if worst != .success { throw worst }
  }

  private func plan(_ scenario: Scenario) throws -> ExperimentPlan {
    var scenario = scenario
    if let seed { scenario.seed = seed }
    if !engine.isEmpty { scenario.engines = engine }
    if !policy.isEmpty { scenario.policies = try policy.map { try self.policy($0, in: scenario) } }
    if let name = Self.repeated(scenario.policies.map(\.name)) {
      throw couldNotRun("--policy: \"\(name)\" is given twice; leave one out, or give it a name")
    }
    if !arm.isEmpty { scenario.arms = try arm.map { try self.arm($0, in: scenario) } }
    let engines = scenario.engines.compactMap(EngineCatalog.named)
    var plan = ExperimentPlan(
      scenario.sized(size), engines: engines, schedule: schedule,
      repetitions: twice ? 2 : repetitions)
    plan.keepsInterleavings = recordInterleavings
    plan.interleaving = try interleaving.map(Self.readInterleaving)
    return plan
  }

  private static func readInterleaving(_ path: String) throws -> Interleaving {
    do {
      return try Interleaving(parsing: try FileSystem.readText(FilePath(path)))
    } catch let error as RecordError {
      throw couldNotRun("\(path): \(error)")
    } catch { throw couldNotRun("\(error)") }
  }

  /// The first text that is there before.
  private static func repeated(_ texts: [String]) -> String? {
    var seen: Set<String> = []
    return texts.first { !seen.insert($0).inserted }
  }

  private func arm(_ name: String, in scenario: Scenario) throws -> ArmSpec {
    guard let arm = scenario.arms.first(where: { $0.name == name }) else {
      let names = scenario.arms.map(\.name).joined(separator: ", ")
      throw couldNotRun("--arm: \(scenario.name) has no arm \"\(name)\"; it has: \(names)")
    }
    return arm
  }

  private func policy(_ text: String, in scenario: Scenario) throws -> Policy {
    if let known = scenario.policies.first(where: { $0.name == text }) { return known }
    do { return try Policy(parsing: text) } catch {
      throw couldNotRun("--policy: \(error.report)")
    }
  }

  /// Runs one scenario and leaves its report.
  private func carryOut(
    _ plan: ExperimentPlan, _ folder: OutputFolder, _ interrupter: Interrupter
  ) async throws -> ExitCode {
    let scenario = plan.scenario
    Console.print(
      "\(scenario.name) · \(scenario.engines.count) engines × \(scenario.policies.count) policies "
        + "· \(plan.schedule.rawValue) schedule, seed \(plan.seed)")
    for engine in plan.absentEngines {
      Console.error("\(engine.id) is not on this machine and is left out: \(engine.reason)")
    }
    let startedAt = Clock.wallTimeText()
    let outcome: RunOutcome
    do { outcome = try await run(plan, interrupter) } catch { throw couldNotRun("\(error)") }
    if outcome.interrupted, outcome.cells.allSatisfy(\.repetitions.isEmpty) {
      Console.error(
        "compaction-lab: interrupted before anything was done; \(folder.path) stays as it was")
      return .interrupted
    }
    let record = RunRecord(
      scenario: scenario,
      provenance: try provenance(plan, startedAt: startedAt, interrupted: outcome.interrupted),
      cells: outcome.cells)
    let files = ReportFiles(record: record, samples: outcome.samples)
    do {
      try files.writeData(timings: outcome.timings, to: folder)
      try InterleavingFiles.write(outcome.interleavings, of: scenario, seed: plan.seed, to: folder)
      try await files.writeReport(to: folder)
    } catch { throw couldNotRun("\(error)") }
    let code = try Self.tell(files.analysis, folder, outcome)
    guard twice, code == .success || code == .expectationFailed else { return code }
    return Self.tellTwice(files.analysis.determinism, record.provenance) ? code : .differs
  }

  private func run(
    _ plan: ExperimentPlan, _ interrupter: Interrupter
  ) async throws -> RunOutcome {
    let work = try FileSystem.makeTemporaryFolder(
      prefix: "compaction-lab", in: workFolder.map { FilePath($0) })
    defer { try? FileSystem.removeTree(work) }
    let run = ExperimentRun(
      plan, executable: try ProcessMetrics.executablePath(), workFolder: work,
      jobs: jobs ?? (schedule == .stepped ? Machine.current().processorCount : 1))
    let display = ProgressDisplay(
      totalCommits: plan.scenario.clientCommits, launches: plan.scenario.launches)
    defer { display.finish() }
    return await interrupter.run { await run.run { display.show($0) } }
  }

  private func provenance(
    _ plan: ExperimentPlan, startedAt: String, interrupted: Bool
  ) throws -> Provenance {
    let machine = Machine.current()
    let work = FilePath(workFolder ?? "/tmp")
    var versions: [String: String] = [:]
    var notes: [String: EngineNote] = [:]
    for case .available(let engine) in plan.scenario.engines.compactMap(EngineCatalog.named) {
      versions[engine.id] = engine.capabilities.version
      notes[engine.id] = engine.capabilities.note
    }
    return Provenance(
      toolVersion: CompactionLab.version, command: command, schedule: plan.schedule,
      seed: plan.seed, repetitions: plan.repetitions, startedAt: startedAt,
      operatingSystem: machine.system, processor: machine.processor,
      cores: machine.processorCount, memory: ByteCount(machine.memoryBytes),
      fileSystem: (try? FileSystem.typeName(at: work)) ?? "unknown", engineVersions: versions,
      engineNotes: notes,
      interrupted: interrupted)
  }

  /// The command that repeats the run; quoted where a shell needs it.
  private var command: String {
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
  private static func tell(
    _ analysis: ScenarioAnalysis, _ folder: OutputFolder, _ outcome: RunOutcome
  ) throws -> ExitCode {
    let report = folder.path.appending(ReportMarkdown.fileName)
    Console.print(TerminalSummary.text(analysis, reportPath: report.string))
    if outcome.interrupted {
      Console.error("interrupted: the report holds what was done before")
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

extension Schedule: ExpressibleByArgument {}
extension ScenarioSize: ExpressibleByArgument {}
