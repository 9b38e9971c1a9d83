// Replays a trace on the given engines under the given policies, and writes a report as `run` does.
import ArgumentParser
import Engines
import Experiments
import MetricModel
import Policies
import RecordModel
import ScenarioModel
import SystemIO
import TraceFormat
import WorkloadRunner

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays the operations of a trace on other engines and under other policies.",
    discussion: """
      The trace is checked as a whole before anything runs. Each cell (engine × policy) runs in a process of its own, in \
      the trace's order, on one thread.
      """)

  @Argument(help: "A trace, as compaction-lab record writes it.")
  var trace: String

  @Option(
    name: .long, help: "An engine; may be repeated (default: the engine of the recording).")
  var engine: [String] = []

  @OptionGroup var libraries: EngineLibraries

  @Option(
    name: .long,
    help: """
      A policy such as "automatic" or "on-launch: totalBytes > 20 MB"; may be repeated (default: the policy of the \
      recording).
      """)
  var policy: [String] = []

  @OptionGroup var exec: ExecOption

  @Option(
    name: .long,
    help: """
      never: replays under the policy never too, so that the report can show what the others save. none: leaves it \
      out unless it is named, and recommends no policy.
      """)
  var comparator: Comparator = .never

  @OptionGroup var objective: ObjectiveOption

  @Option(
    help: ArgumentHelp(
      "The speed: 1 replays in the recorded time, 10 ten times as fast, max without waiting.",
      discussion: "The time between launches is always skipped.", valueName: "factor|max"))
  var speed: Speed = .max

  @OptionGroup var options: SteppedOptions

  @OptionGroup var files: KeepFilesOption

  func validate() throws {
    try Choice.check(engines: engine)
  }

  func run() throws {
    let survey: TraceSurvey
    do throws(TraceError) {
      survey = try TraceSurvey(of: FilePath(trace))
      try survey.checkNames(trace)
    } catch { throw couldNotRun("\(error)") }
    var scenario = survey.scenario(engines: engine)
    scenario.policies = try policies(survey.header.origin, scenario)
    try exec.check(scenario.policies)
    scenario.comparator = comparator
    scenario = scenario.addingComparator()
    // A trace has none; in the record it is the scenario's, so that `report` comes to the same verdict.
    scenario.objective = try objective.objective()
    var plan = ExperimentPlan(
      scenario, engines: scenario.engines.compactMap(EngineCatalog.named), schedule: .stepped,
      repetitions: options.repetitions)
    plan.allowsPrograms = exec.allowExec
    plan.trace = .replay(file: try FileSystem.absolute(FilePath(trace)).string, speed: speed.factor)
    if plan.isWithoutEngine {
      throw couldNotRun(
        "none of the engines is available on this machine"
          + plan.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined())
    }
    plan.keptFiles = try files.path()?.appending(scenario.name)
    let folder: OutputFolder
    let shard = options.running.shard
    do { folder = try OutputFolder(below: options.output, [scenario.name], shard) } catch {
      throw couldNotRun("\(error)")
    }
    if let shard { plan.restrict(to: shard) }
    var execution = PlanExecution(
      plan, folder, workFolder: options.running.workFolder, jobs: options.running.jobs,
      totalCommits: survey.totals.commits)
    execution.isQuiet = options.running.isQuiet
    let journals = try PlanJournals([execution], resume: options.running.resume)
    if !journals.isResuming { _ = try files.makeFolder() }
    do { try folder.make() } catch { throw couldNotRun("\(error)") }
    let cancellation = try Cancellation.onSignals()
    for execution in try journals.begin() {
      let code = try execution.carryOut(cancellation)
      if code != .success { throw code }
    }
  }

  private func policies(
    _ origin: TraceHeader.Origin, _ scenario: Scenario
  ) throws -> [Policy] {
    var recorded: Policy
    do { recorded = try Policy(parsing: origin.policyRule) } catch {
      throw couldNotRun(
        "\(trace): its header names the policy \"\(origin.policyRule)\": \(error.report)")
    }
    recorded.name = origin.policy
    guard !policy.isEmpty else { return [recorded] }
    var known = scenario
    known.policies = [recorded]
    let chosen = try policy.map { try Choice.findPolicy($0, in: known) }
    if let twice = Choice.firstDuplicate(in: chosen.map(\.name)) {
      throw couldNotRun("--policy: \"\(twice)\" is given twice; leave one out")
    }
    return chosen
  }
}

/// The speed of a replay.
struct Speed: ExpressibleByArgument, CustomStringConvertible {
  /// The multiple of the recorded speed; nil for as fast as possible.
  var factor: Double?

  static let max = Speed(factor: nil)

  init(factor: Double?) { self.factor = factor }

  init?(argument: String) {
    if argument == "max" {
      factor = nil
      return
    }
    guard let value = Double(argument), (0.001...1_000_000).contains(value) else { return nil }
    factor = value
  }

  var description: String { factor.map { "\($0)" } ?? "max" }
}
