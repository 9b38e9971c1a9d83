// Runs one cell of a scenario and records its operations as a trace.
import ArgumentParser
import Engines
import Experiments
import MetricModel
import RecordModel
import ScenarioModel
import SystemIO
import WorkloadRunner

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Runs one cell of a scenario and writes its operations to a trace.",
    discussion: """
      One cell is one engine, policy and arm. The trace contains keys and sizes but no values; compaction-lab \
      replay runs it on any engine under any policy.
      """)

  @Argument(help: "A scenario file.")
  var scenario: String

  @Argument(help: "The trace to write; an existing file is never overwritten.")
  var trace: String

  @OptionGroup var settings: SettingOption

  @Option(help: "The engine (default: the scenario's first that is available).")
  var engine: String?

  @Option(help: "The policy, by name or as in a scenario (default: the scenario's first).")
  var policy: String?

  @OptionGroup var exec: ExecOption

  @Option(help: "The arm (default: the scenario's first).")
  var arm: String?

  @Option(help: "stepped: one thread, seeded order, exact bytes. threads: real concurrency.")
  var schedule: Schedule = .stepped

  @Option(help: "Seeds keys, values and order, in place of the scenario's seed.")
  var seed: UInt64?

  @Option(help: "The folder for reports; the run's report is in a subfolder.")
  var output: String = "Reports"

  @Option(
    help:
      "The folder on whose disk the database is made (default: the system's for temporary files).")
  var workFolder: String?

  @OptionGroup var files: KeepFilesOption

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    if let engine { try Choice.check(engines: [engine]) }
  }

  func run() throws {
    let found = try ScenarioFiles.load([scenario], settings: try settings.settings())
    guard found.count == 1, let loaded = found.first else {
      throw couldNotRun(
        "\(scenario): contains \(counted(found.count, "scenario")); name one of the files")
    }
    guard !FileSystem.exists(FilePath(trace)) else {
      throw couldNotRun("\(trace) exists already; choose another name for the trace")
    }
    var plan = try plan(loaded.scenario)
    plan.keptFiles = try files.makeFolder()?.path.appending(plan.scenario.name)
    let folder = try OutputFolder.make(
      in: output, named: "\(plan.scenario.name)-recorded")
    var execution = PlanExecution(plan, folder, workFolder: workFolder, jobs: 1)
    execution.isQuiet = quiet.isQuiet
    // The trace of a run that was killed is not complete, so nothing of it could be continued.
    execution.usesJournal = false
    let code = try execution.carryOut(try Cancellation.onSignals())
    // Expectations are about the whole matrix: a single cell does not decide them.
    guard code == .success || code == .expectationFailed else { throw code }
    Console.print("trace: \(trace)")
  }

  private func plan(_ scenario: Scenario) throws -> ExperimentPlan {
    var scenario = scenario
    if let seed { scenario.seed = seed }
    let arm = try arm.map { try Choice.findArm($0, in: scenario) } ?? scenario.arms[0]
    if let reason = scenario.unsupportedReason(recording: arm) {
      throw couldNotRun("\(scenario.name): \(reason)")
    }
    scenario.arms = [arm]
    let policy = try policy.map { try Choice.findPolicy($0, in: scenario) }
    scenario.policies = [policy ?? scenario.policies(of: arm)[0]]
    scenario.arms[0].policies = nil
    let engines = [engine].compactMap { $0 }
    let found = (engines.isEmpty ? scenario.engines : engines).compactMap(EngineCatalog.named)
    let plans = found.map { engine in
      scenario.engines = [engine.id]
      return ExperimentPlan(
        scenario, engines: [engine], schedule: schedule == .stepped ? .stepped : .threads,
        repetitions: 1)
    }
    guard var plan = plans.first(where: { $0.cells.contains { $0.status == .measured } }) else {
      throw couldNotRun(
        "nothing can be recorded: "
          + plans.flatMap(\.cells).map { "\($0.key.engine): \($0.status.reason)" }
          .joined(separator: "; "))
    }
    try exec.check(plan.scenario.policies)
    plan.allowsPrograms = exec.allowExec
    plan.trace = .record(
      file: try FileSystem.absolute(FilePath(trace)).string,
      program: "compaction-lab \(CompactionLab.version)")
    return plan
  }
}

extension CellRecord.Status {
  /// The reason why the cell is not measured; empty for a measured cell.
  fileprivate var reason: String {
    switch self {
    case .measured: ""
    case .notApplicable(let reason), .unavailable(let reason), .failed(let reason): reason
    }
  }
}
