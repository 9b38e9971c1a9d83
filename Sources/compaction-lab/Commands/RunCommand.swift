// From the command line to the report: plan, run, analyse, write.
import ArgumentParser
import Engines
import Experiments
import RecordModel
import ScenarioModel
import SystemIO

struct RunCommand: ParsableCommand {
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

  @OptionGroup var libraries: EngineLibraries

  @Option(
    name: .long,
    help: """
      A policy to run, in place of the scenario's: one of its names, or a policy such as \
      "on-launch: totalBytes > 20 MB"; may be repeated.
      """
  )
  var policy: [String] = []

  @Option(
    name: .long,
    help: """
      never: runs the policy never too, so that the report can tell what the others save. none: leaves it out unless \
      it is named, and recommends no policy. (default: as the scenario says, which is never unless it has another)
      """)
  var comparator: Comparator?

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
    help:
      "ci: the scenario as its file says. middle: three times the rows and the commits. full: ten times."
  )
  var size: ScenarioSize = .ci

  @Flag(
    help: """
      Leaves the record and the rows beside it, and no report or pictures, which `report` makes of them at any time: for \
      short runs in great number, such as those of compare-builds.
      """
  )
  var recordOnly = false

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
    help: """
      Runs each scenario with so many seeds, from its own on, each with a report of its own in NAME/seed-N: what gate \
      and baseline compare in pairs.
      """)
  var seeds: Int = 1

  @Option(
    name: .long,
    help:
      "The folder for the reports, one folder a scenario. Overwrites only what holds a record of a run."
  )
  var output: String = "Reports"

  @Option(
    name: .long,
    help: """
      Leaves the database files of each cell's first repetition in this folder, which must be absent or empty: \
      SCENARIO/ENGINE/POLICY/ARM, for inspect, verify and compact to look into.
      """)
  var keepFiles: String?

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

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard 1...1000 ~= repetitions else {
      throw ValidationError("--repetitions must be from 1 to 1000")
    }
    if schedule == .threads, twice || interleaving != nil {
      throw ValidationError(
        "--\(twice ? "twice" : "interleaving") goes with the stepped schedule: no two runs of real threads are alike"
      )
    }
    guard 1...1000 ~= seeds else { throw ValidationError("--seeds must be from 1 to 1000") }
    guard 1...64 ~= jobs ?? 1 else { throw ValidationError("--jobs must be from 1 to 64") }
    try Choice.check(engines: engine)
    if let twice = Choice.repeated(arm) {
      throw ValidationError("--arm \(twice) is given twice; leave one out")
    }
  }

  func run() throws {
    let loaded = try ScenarioFiles.load(scenarios)
    if let name = Choice.repeated(loaded.map(\.scenario.name)) {
      let paths = loaded.filter { $0.scenario.name == name }.map(\.path.string)
      throw couldNotRun(
        "\(paths.joined(separator: " and ")) both hold a scenario \"\(name)\", and reports go by "
          + "that name; rename one, or run them one after the other with their own --output")
    }
    let plans = try loaded.flatMap { file in
      try (0..<UInt64(seeds)).map {
        try plan(file.scenario, seed: (seed ?? file.scenario.seed) &+ $0)
      }
    }
    for plan in plans where plan.isWithoutEngine {
      throw couldNotRun(
        "\(plan.scenario.name): none of its engines is on this machine"
          + plan.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined())
    }
    for plan in plans {
      try ResourceNeeds.require(for: plan, jobs: PlanExecution.jobs(jobs, plan))
    }
    let kept: KeptFiles?
    let folders: [OutputFolder]
    do {
      kept = try keepFiles.map { path throws(OutputError) in
        try KeptFiles(checking: FilePath(path))
      }
      folders = try plans.map { plan throws(OutputError) in
        try OutputFolder(
          below: FilePath(output),
          [plan.scenario.name] + (seeds == 1 ? [] : ["seed-\(plan.seed)"]))
      }
      for folder in folders { try folder.make() }
      try kept?.make()
    } catch { throw couldNotRun("\(error)") }
    let cancellation = try Cancellation.byUser()
    var worst = ExitCode.success
    for (plan, folder) in zip(plans, folders) {
      var plan = plan
      plan.keptFiles = kept.map { kept in
        let folder = kept.path.appending(plan.scenario.name)
        return seeds == 1 ? folder : folder.appending("seed-\(plan.seed)")
      }
      var execution = PlanExecution(plan, folder, workFolder: workFolder, jobs: jobs)
      execution.comparesTwice = twice
      execution.leavesReport = !recordOnly
      execution.isQuiet = quiet.isQuiet
      let code = try execution.carryOut(cancellation)
      if code == .interrupted { throw code }
      worst = ExitCode(max(worst.rawValue, code.rawValue))
    }
    if worst != .success { throw worst }
  }

  private func plan(_ scenario: Scenario, seed: UInt64) throws -> ExperimentPlan {
    var scenario = scenario
    scenario.seed = seed
    if !engine.isEmpty { scenario.engines = engine }
    if !policy.isEmpty {
      scenario.policies = try policy.map { try Choice.policy($0, in: scenario) }
    }
    if let name = Choice.repeated(scenario.policies.map(\.name)) {
      throw couldNotRun("--policy: \"\(name)\" is given twice; leave one out, or give it a name")
    }
    scenario.comparator = comparator ?? scenario.comparator
    scenario = scenario.addingComparator()
    if !arm.isEmpty { scenario.arms = try arm.map { try Choice.arm($0, in: scenario) } }
    let engines = scenario.engines.compactMap(EngineCatalog.named)
    scenario = scenario.sized(size)
    if schedule == .threads { scenario = scenario.onThreads() }
    var plan = ExperimentPlan(
      scenario, engines: engines, schedule: schedule,
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
}

extension Schedule: ExpressibleByArgument {}
extension ScenarioSize: ExpressibleByArgument {}
extension Comparator: ExpressibleByArgument {}
