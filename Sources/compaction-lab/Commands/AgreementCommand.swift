// Compares our engines with Realm Core: the same operations under the policies that both have.
import Analysis
import ArgumentParser
import EngineInterface
import Engines
import Experiments
import Policies
import RecordModel
import RunJournal
import ScenarioModel
import SystemIO

struct AgreementCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agreement",
    abstract: "Runs scenarios on our engines and on Realm Core, and shows how far they agree.",
    discussion: """
      Every scenario runs once on each engine under the stepped schedule, with automatic compaction as in Realm Core, \
      alone and together with each of the scenario's launch rules. Above the size ci, a scenario whose files stay below \
      \(Agreement.minJudgedSize) runs with a multiple of its rows and of the changes in each transaction. The page \
      agreement.md and the table agreement.csv have every figure. With --records nothing runs: both are rendered from \
      an earlier run of this command.

      Exit codes: 0 they agree, 1 they do not, 2 could not run, 64 usage.
      """)

  @Argument(help: "Scenario files, or folders of them.")
  var scenarios: [String] = []

  @OptionGroup var settings: SettingOption

  @Option(
    help: "The output folder of an earlier run, instead of scenarios; --size must be as it was.")
  var records: String?

  @Option(name: .long, help: "An engine to compare with the reference; may be repeated.")
  var engine: [String] = ["native", "native-objects"]

  @Option(name: .long, help: "The reference engine.")
  var reference = "realm-core"

  @OptionGroup var libraries: EngineLibraries

  @Flag(help: "Runs all arms of each scenario, not only the first.")
  var allArms = false

  @Option(
    name: .long,
    help:
      "ci: the scenario as in its file. middle: three times the rows and commits. full: ten times."
  )
  var size: ScenarioSize = .ci

  @Option(help: "The folder for the page and the records.")
  var output = "agreement"

  @OptionGroup var running: RunningOptions

  func validate() throws {
    try Choice.check(engines: engine + [reference])
    if running.shard != nil, records != nil {
      throw ValidationError("--shard runs cells, and --records none; leave one out")
    }
    if scenarios.isEmpty == (records == nil) {
      throw ValidationError("name either scenarios or, with --records, the output folder of a run")
    }
    if records != nil, !settings.set.isEmpty {
      throw ValidationError("--set changes scenarios, and --records has none")
    }
  }

  func run() throws {
    let analyses: [ScenarioAnalysis]
    if let records {
      analyses = try MeasuredRuns.runs([records]).map {
        ScenarioAnalysis(record: $0.record, samples: $0.samples)
      }
    } else {
      analyses = try replay()
    }
    if running.shard == nil { try AgreementPages(options, analyses).write(to: output) }
  }

  private var options: ShardContent.Agreement {
    ShardContent.Agreement(engines: engine, reference: reference, size: size.rawValue)
  }

  /// Runs the scenarios, and returns their analyses: none for a shard.
  private func replay() throws -> [ScenarioAnalysis] {
    for id in engine + [reference] { _ = try engine(id) }
    let loaded = try ScenarioFiles.load(scenarios, settings: try settings.settings())
    let resume =
      running.resume
      ?? (loaded.contains { hasJournal($0.scenario.name) } ? true : nil)
    let cancellation = try Cancellation.onSignals()
    var analyses: [ScenarioAnalysis] = []
    var hasFailed = false
    for file in loaded {
      let scenario = adapt(file.scenario)
      let times = try findRowMultiplier(scenario, cancellation)
      if times > 1, !running.isQuiet {
        Console.print(
          "\(scenario.name): \(times) times the data, to reach files of \(Agreement.minJudgedSize)")
      }
      let execution = try execution(
        scenario.holding(times: times), on: engine + [reference], in: FilePath(output),
        running.shard)
      let code = try run(execution, resume, cancellation)
      if running.shard == nil {
        analyses.append(try RecordFolder.load(execution.folder.path.string).analysis)
      } else if code != .success {
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.couldNotRun }
    return analyses
  }

  /// Whether an earlier command was stopped in this scenario. Those before it are then done.
  private func hasJournal(_ name: String) -> Bool {
    let folder = FilePath(output).appending(name)
    let own = running.shard.map { folder.appending($0.folderName) } ?? folder
    return FileSystem.exists(own.appending(Journal.fileName))
  }

  /// Returns the factor by which a scenario's rows are multiplied, so that each of its files is large enough to be judged.
  /// Tries factors on the first of our engines alone, which is quick.
  private func findRowMultiplier(_ scenario: Scenario, _ cancellation: Cancellation) throws -> Int {
    var times = 1
    guard size != .ci, let first = engine.first else { return times }
    if !running.isQuiet {
      Console.print("\(scenario.name): on \(first) alone, to measure how large its files become")
    }
    var before = 0
    // Not in the output folder, where it would replace the record of a scenario that an earlier command has finished.
    let work = try PlanExecution.makeWorkFolder(in: running.workFolder)
    defer { work.remove() }
    while true {
      let tried = try run(scenario.holding(times: times), on: [first], in: work.path, cancellation)
      let marks = tried.cells.compactMap { $0.first?.exact.highWater }
      // A file that is hardly larger than with fewer rows does not grow with them.
      guard let smallest = marks.min(), smallest.bytes >= 2 * before,
        let more = Agreement.dataFactorToBeJudged(highWater: smallest)
      else { return times }
      times *= more
      before = smallest.bytes
    }
  }

  private func run(
    _ execution: PlanExecution, _ resume: Bool?, _ cancellation: Cancellation
  ) throws -> ExitCode {
    var code = ExitCode.success
    let journals = try PlanJournals([execution], resume: resume, isPartOfMore: true)
    for execution in try journals.begin() {
      code = try execution.carryOut(cancellation)
      if code == .interrupted { throw code }
    }
    return code
  }

  /// Runs the scenario without a journal, and leaves its record in a subfolder of `folder`.
  private func run(
    _ scenario: Scenario, on engines: [String], in folder: FilePath, _ cancellation: Cancellation
  ) throws -> ScenarioAnalysis {
    var execution = try execution(scenario, on: engines, in: folder)
    execution.usesJournal = false
    if try execution.carryOut(cancellation) == .interrupted { throw ExitCode.interrupted }
    return try RecordFolder.load(execution.folder.path.string).analysis
  }

  private func execution(
    _ scenario: Scenario, on engines: [String], in folder: FilePath, _ shard: Shard? = nil
  ) throws -> PlanExecution {
    var scenario = scenario
    scenario.engines = engines
    var plan = ExperimentPlan(
      scenario, engines: engines.compactMap(EngineCatalog.named), schedule: .stepped,
      repetitions: 1)
    if let shard { plan.restrict(to: shard) }
    let folder = try OutputFolder.make(in: folder.string, named: scenario.name, shard)
    var execution = PlanExecution(plan, folder, workFolder: running.workFolder, jobs: running.jobs)
    execution.writesReport = false
    execution.isQuiet = running.isQuiet
    execution.agreement = options
    return execution
  }

  private func engine(_ id: String) throws -> any Engine {
    do { return try EngineCatalog.available(id) } catch { throw couldNotRun("\(error)") }
  }

  /// Returns the scenario in its size, with the policies that both engines have.
  private func adapt(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.expectations = []
    if !allArms { scenario.arms = Array(scenario.arms.prefix(1)) }
    var policies = [Self.automatic]
    for rule in scenario.policies.map(\.onLaunch)
    where !policies.contains(where: { $0.onLaunch == rule }) {
      var policy = Self.automatic
      policy.onLaunch = rule
      policy.name = policy.rule
      policies.append(policy)
    }
    scenario.policies = policies
    return scenario.sized(size)
  }

  /// Automatic compaction as in Realm Core, where it cannot be switched off.
  private static let automatic: Policy = {
    var policy = Policy(name: "", automatic: true, onLaunch: .never)
    policy.preset = .realmCompatible
    policy.name = policy.rule
    return policy
  }()
}
