// Finds the launches at which compacting would have cost the least, and how much more each policy cost.
import Analysis
import ArgumentParser
import Engines
import Experiments
import LaunchSchedules
import MetricModel
import Objective
import ReportRendering
import RunJournal
import ScenarioModel
import SystemIO

struct OptimumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "optimum",
    abstract: "Finds the cheapest launches to compact at, and what each policy costs beside them.",
    discussion: """
      For each engine and arm it runs the scenario without a compaction, with one at each launch, with one at every launch, \
      and under each policy. Where compactions forget what was before them, which is checked row by row, these runs contain \
      all schedules; otherwise it runs every schedule, if there are at most \(OptimumPlan.maxSchedules). The output folder \
      receives optimum.md, optimum.csv, launch-matrix.csv and pictures. Ctrl-C ends it early with exit code 130; the same \
      command runs the rest, also after it was killed. Where no schedule meets the objective's limits, on one engine and \
      arm or more, it names the schedule that comes closest, writes the report, and exits with 2.
      """)

  @Argument(help: "Scenario files, or folders of them.")
  var scenarios: [String]

  @OptionGroup var objective: ObjectiveOption

  @OptionGroup var calibration: CalibrationOption

  @OptionGroup var settings: SettingOption

  @OptionGroup var choice: CellChoice

  @Option(
    help: """
      The number of schedules, drawn from the seed, that are run to compare predicted rows with theirs, beside the optimum's, \
      those of policies, and every launch.
      """
  )
  var checks: Int = 1

  @Flag(
    help:
      "Lets the engine compact automatically as well, as apps do that add a condition at launches.")
  var besideAutomatic = false

  @Flag(help: "Takes scenarios of more than \(OptimumPlan.maxLaunches) launches too.")
  var all = false

  @Option(name: .long, help: "Seeds keys, values and order, in place of the scenario's seed.")
  var seed: UInt64?

  @Option(
    help: """
      The folder for reports; each is in a subfolder. Overwrites only folders with a record.
      """)
  var output: String = "Reports"

  @OptionGroup var running: UnsharedOptions

  func validate() throws {
    guard 0...1000 ~= checks else { throw ValidationError("--checks must be from 0 to 1000") }
    if calibration.path == nil,
      let reason = try objective.objective().flatMap(ObjectiveOption.reasonForCalibration)
    {
      throw ValidationError(reason)
    }
  }

  func run() throws {
    let given = try objective.objective()
    let calibration = try calibration.calibration()
    let loaded = try ScenarioFiles.load(scenarios, settings: try settings.settings())
    var executions: [OptimumExecution] = []
    for file in loaded {
      var scenario = file.scenario
      scenario.seed = seed ?? scenario.seed
      scenario = try choice.applied(to: scenario)
      executions.append(try execution(scenario, given, calibration))
    }
    let cancellation = try Cancellation.onSignals()
    var worst = ExitCode.success
    for execution in executions {
      let code = try execution.carryOut(cancellation)
      if code == .interrupted { throw code }
      if code != .success { worst = code }
    }
    if worst != .success { throw worst }
  }

  private func execution(
    _ scenario: Scenario, _ given: Objective?, _ calibration: ChosenCalibration?
  ) throws -> OptimumExecution {
    let objective = given ?? scenario.objective ?? Objective()
    if calibration == nil, let reason = ObjectiveOption.reasonForCalibration(objective) {
      throw couldNotRun("\(scenario.name): \(reason)")
    }
    guard scenario.launches >= 2 else {
      throw couldNotRun(
        "\(scenario.name) has one launch, so there is nothing to decide between; give it more, as in launches: 8"
      )
    }
    if let reason = OptimumPlan.reasonAgainst(scenario) { throw couldNotRun(reason) }
    guard all || scenario.openings.count <= OptimumPlan.maxLaunches else {
      throw couldNotRun(
        "\(scenario.name) has \(scenario.openingWords), and as many runs of all of them for each engine and "
          + "arm; --all runs them")
    }
    var plan = OptimumPlan(
      scenario, engines: scenario.engines.compactMap(EngineCatalog.named), checks: checks,
      isAutomatic: besideAutomatic)
    plan.allowPrograms(choice.exec.allowExec)
    if plan.plan.isWithoutEngine {
      throw couldNotRun(
        "none of the engines is available on this machine"
          + plan.plan.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined())
    }
    let folder: OutputFolder
    do {
      folder = try OutputFolder(
        below: FilePath(output), ["\(scenario.name)\(OptimumExecution.folderSuffix)"])
    } catch { throw couldNotRun("\(error)") }
    return OptimumExecution(
      plan: plan, objective: objective, calibration: calibration, folder: folder,
      workFolder: running.workFolder,
      jobs: running.jobs ?? Machine.current().processorCount, resume: running.resumption.resume,
      isQuiet: running.quiet.isQuiet)
  }
}

extension Scenario {
  /// `201 launches`, `120 launches and 119 moments in the background`.
  var openingWords: String {
    let moments = openings.count - launches
    return counted(launches, "launch", "launches")
      + (moments == 0 ? "" : " and \(counted(moments, "moment")) in the background")
  }
}

/// Options of commands whose runs depend on each other, so that no shard can have a part of them.
struct UnsharedOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "The number of cells that run at a time (default: the number of processors).")
  var jobs: Int?

  @Option(
    name: .long,
    help: "The folder for database files (default: the system's folder for temporary files).")
  var workFolder: String?

  @OptionGroup var resumption: ResumeOption

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard 1...64 ~= jobs ?? 1 else { throw ValidationError("--jobs must be from 1 to 64") }
  }
}
