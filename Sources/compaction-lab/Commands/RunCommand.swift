// From the command line to the report: plan, run, analyze, write.
import ArgumentParser
import Engines
import Experiments
import RecordModel
import ScenarioModel
import SystemIO

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios on the engines and writes a report for each.",
    discussion: """
      Every repetition of every cell (engine × policy × arm) runs in its own process. Ctrl-C ends the run early: the \
      report covers the repetitions that have ended, and the exit code is 130. The same command then runs the rest, also \
      after a run that was killed.
      """)

  @Argument(help: "Scenario files, or folders of them.")
  var scenarios: [String]

  @OptionGroup var settings: SettingOption

  @OptionGroup var choice: CellChoice

  @OptionGroup var objective: ObjectiveOption

  @Option(
    name: .long,
    help: """
      both: each cell once stepped, for exact bytes, and repeatedly on real threads, for times. stepped: one thread, \
      seeded order, exact bytes. threads: real concurrency.
      """)
  var schedule: RunSchedule = .both

  @Option(
    name: .long, help: "The number of runs of each cell; with both schedules, of those on threads.")
  var repetitions: Int = 6

  @Flag(
    help: """
      Runs each cell twice under the stepped schedule, as part of the default or with --schedule stepped alone, and exits \
      with 1 unless both runs give the same bytes in every exact column.
      """)
  var twice = false

  @Flag(
    help: """
      Runs each cell twice in each block on real threads, and checks that the two runs of the same program do not differ \
      (A/A check): the report states whether this machine was fit to measure times.
      """)
  var certify = false

  @Flag(
    inversion: .prefixedNo,
    help: """
      Measures the peak of disk use in stepped runs, where Linux allows it: their files then lie in memory if that is \
      large enough, and their times are not those of a disk. (default: with both schedules)
      """)
  var peakDisk: Bool?

  @Flag(
    help: """
      Writes the record and the samples, and no report or pictures, which `report` can render at any time: for many \
      short runs, such as those of compare-builds.
      """
  )
  var recordOnly = false

  @Flag(help: "Writes the order of the clients' turns to interleavings/*.txt beside the report.")
  var recordInterleavings = false

  @Option(
    name: .long,
    help: """
      A recorded order of turns, which every cell follows under the stepped schedule; where it ends before a phase \
      does, the rest is drawn from the seed.
      """)
  var interleaving: String?

  @Option(name: .long, help: "Seeds keys, values and order, in place of the scenario's seed.")
  var seed: UInt64?

  @Option(
    name: .long,
    help: """
      The number of consecutive seeds, from the scenario's own on. Each seed's report is in NAME/seed-N; gate and \
      baseline compare them in pairs.
      """)
  var seeds: Int = 1

  @Option(
    name: .long,
    help:
      "The folder for reports, one subfolder per scenario. Overwrites only folders with a run's record."
  )
  var output: String = "Reports"

  @OptionGroup var files: KeepFilesOption

  @OptionGroup var running: RunningOptions

  /// What the journal costs is measured beside runs without one: `Benchmarks/journal-cost.sh`.
  @Flag(inversion: .prefixedNo, help: .hidden)
  var journal = true

  func validate() throws {
    try SteppedOptions.check(repetitions: repetitions)
    if running.shard != nil, !journal {
      throw ValidationError("--shard needs the journal, which is its only result")
    }
    if schedule == .threads, twice || interleaving != nil {
      throw ValidationError(
        "--\(twice ? "twice" : "interleaving") requires the stepped schedule: no two runs of real threads are alike"
      )
    }
    if schedule == .threads, peakDisk == true {
      throw ValidationError("--peak-disk requires stepped runs: --schedule both or stepped")
    }
    if schedule == .stepped, certify {
      throw ValidationError("--certify requires runs on real threads: --schedule both or threads")
    }
    guard 1...1000 ~= seeds else { throw ValidationError("--seeds must be from 1 to 1000") }
  }

  /// Returns the plans of which an engine is on this machine: of a catalog the others are left out with the reason. Without
  /// any there is nothing to run.
  private func plansWithEngines(_ plans: [ExperimentPlan]) throws -> [ExperimentPlan] {
    let missing = plans.filter(\.isWithoutEngine)
    for (index, plan) in missing.enumerated() {
      let text =
        "none of its engines is available on this machine"
        + plan.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined()
      guard missing.count < plans.count else { throw couldNotRun("\(plan.scenario.name): \(text)") }
      let isFirst = index == 0 || missing[index - 1].scenario.name != plan.scenario.name
      if isFirst { Console.error("\(plan.scenario.name) is left out: \(text)") }
    }
    return plans.filter { !$0.isWithoutEngine }
  }

  func run() throws {
    let loaded = try ScenarioFiles.load(scenarios, settings: try settings.settings())
    if let name = Choice.firstDuplicate(in: loaded.map(\.scenario.name)) {
      let paths = loaded.filter { $0.scenario.name == name }.map(\.path.string)
      throw couldNotRun(
        "\(paths.joined(separator: " and ")) both contain a scenario \"\(name)\", and reports are "
          + "named after it; rename one, or run them separately, each with its own --output")
    }
    let all = try loaded.flatMap { file in
      try (0..<UInt64(seeds)).map {
        try plan(file.scenario, seed: (seed ?? file.scenario.seed) &+ $0)
      }
    }
    let plans = try plansWithEngines(all)
    for plan in plans {
      try ResourceNeeds.require(
        for: plan, jobs: PlanExecution.jobs(running.jobs, plan).values.max() ?? 1,
        workFolder: running.workFolder)
    }
    let folders: [OutputFolder]
    do {
      folders = try plans.map { plan throws(OutputError) in
        try OutputFolder(below: output, folderNames(plan), running.shard)
      }
    } catch { throw couldNotRun("\(error)") }
    let kept = try files.path()
    let journals = try PlanJournals(
      zip(plans, folders).map { execution($0, $1, kept) }, resume: running.resume)
    if !journals.isResuming { _ = try files.makeFolder() }
    do {
      for folder in folders { try folder.make() }
    } catch { throw couldNotRun("\(error)") }
    let cancellation = try Cancellation.onSignals()
    var worst = ExitCode.success
    for execution in try journals.begin() {
      let code = try execution.carryOut(cancellation)
      if code == .interrupted { throw code }
      worst = ExitCode(max(worst.rawValue, code.rawValue))
    }
    if !running.isQuiet, !recordOnly, running.shard == nil, loaded.count == 1,
      let next = ShippedScenarios.nextCommands(after: loaded[0].path)
    {
      Console.print(next)
    }
    if worst != .success { throw worst }
  }

  /// The names of a plan's folders below that of the output.
  private func folderNames(_ plan: ExperimentPlan) -> [String] {
    [plan.scenario.name] + (seeds == 1 ? [] : ["seed-\(plan.seed)"])
  }

  private func execution(
    _ plan: ExperimentPlan, _ folder: OutputFolder, _ kept: FilePath?
  ) -> PlanExecution {
    var plan = plan
    plan.keptFiles = kept.map { kept in
      let folder = kept.appending(plan.scenario.name)
      return seeds == 1 ? folder : folder.appending("seed-\(plan.seed)")
    }
    if let shard = running.shard { plan.restrict(to: shard) }
    var execution = PlanExecution(plan, folder, workFolder: running.workFolder, jobs: running.jobs)
    execution.folderNames = folderNames(plan)
    execution.comparesTwice = twice
    execution.writesReport = !recordOnly
    execution.requestsPeakDisk = peakDisk == true
    execution.isQuiet = running.isQuiet
    execution.usesJournal = journal
    return execution
  }

  private func plan(_ scenario: Scenario, seed: UInt64) throws -> ExperimentPlan {
    var scenario = scenario
    scenario.seed = seed
    scenario = try choice.applied(to: scenario)
    // In the record it is the scenario's, so that `report` comes to the same verdict.
    scenario.objective = try objective.objective() ?? scenario.objective
    let engines = scenario.engines.compactMap(EngineCatalog.named)
    if schedule == .threads { scenario = scenario.onThreads() }
    var plan = ExperimentPlan(
      scenario, engines: engines, schedule: schedule,
      repetitions: twice && schedule == .stepped ? 2 : repetitions)
    if twice { plan.steppedRepetitions = 2 }
    plan.certifies = certify
    plan.allowsPrograms = choice.exec.allowExec
    plan.keepsInterleavings = recordInterleavings
    plan.measuresPeakDisk = peakDisk ?? (schedule == .both)
    if peakDisk == false { plan.peakDiskAbsence = "--no-peak-disk was given" }
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
}

extension Schedule: ExpressibleByArgument {}
extension RunSchedule: ExpressibleByArgument {}
extension ScenarioSize: ExpressibleByArgument {}
extension Comparator: ExpressibleByArgument {}
