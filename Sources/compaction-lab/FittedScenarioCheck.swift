// Holds a fitted scenario against its traces: how far its growth is from that of their replays.
import ArgumentParser
import EngineInterface
import Engines
import Experiments
import MetricModel
import RecordModel
import ScenarioFitting
import ScenarioModel
import SystemIO
import TraceFormat

struct FittedScenarioCheck {
  let engine: any Engine
  let workFolder: String?
  let isQuiet: Bool
  let cancellation: Cancellation

  /// Returns a sentence for each trace: the distance of the scenario's curve from the trace's, under the policy `never`.
  func sentences(_ scenario: Scenario, _ traces: FittedTraces) throws -> [String] {
    let fitted = try curve(of: scenario, replaying: nil, commits: scenario.plannedCommits)
    return try zip(traces.paths, traces.surveys).map { path, survey in
      let replay = survey.scenario(engines: [engine.id])
      let trace = try curve(of: replay, replaying: path, commits: survey.totals.commits)
      return sentence(CurveDistance(of: trace, fitted), FilePath(path))
    }
  }

  private func sentence(_ distance: CurveDistance, _ path: FilePath) -> String {
    let name = path.lastComponent?.string ?? path.string
    guard distance.points > 0 else {
      return "\(name): \(engine.id) has no file whose size could be compared"
    }
    return
      "\(name): replayed and fitted, under never on \(engine.id) \(engine.capabilities.version), files differ by "
      + "\(Self.percent(distance.mean)) on average over \(counted(distance.points, "sample")), by "
      + "\(Self.percent(distance.greatest)) at most"
      + (distance.greatest > 0 ? ", at commit \(grouped(distance.greatestAt.commits))" : "")
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// Runs the scenario, or replays the trace, in a process of its own, and returns the sizes of all files together.
  private func curve(
    of scenario: Scenario, replaying trace: String?, commits: Int
  ) throws -> [CurveDistance.Point] {
    var scenario = scenario
    scenario.engines = [engine.id]
    scenario.policies = [.never]
    scenario.expectations = []
    for arm in scenario.arms.indices { scenario.arms[arm].policies = nil }
    var plan = ExperimentPlan(
      scenario, engines: [.available(engine)], schedule: .stepped, repetitions: 1)
    if let trace {
      let file = try FileSystem.absolute(FilePath(trace)).string
      plan.trace = .replay(file: file, speed: nil)
    }
    if let reason = plan.cells.compactMap(\.status.failure).first { throw couldNotRun(reason) }
    let outcome = try run(plan, commits: commits)
    if outcome.interrupted { throw ExitCode.interrupted }
    if let reason = outcome.cells.compactMap(\.status.failure).first { throw couldNotRun(reason) }
    return outcome.samples.flatMap(\.rows).map { sample in
      let space = sample.observation.space
      return CurveDistance.Point(
        launch: sample.observation.launch, commits: sample.observation.commits,
        bytes: (space.file + space.sidecar).bytes)
    }
  }

  private func run(_ plan: ExperimentPlan, commits: Int) throws -> RunOutcome {
    let work: WorkFolder
    do { work = try PlanExecution.makeWorkFolder(in: workFolder) } catch {
      throw couldNotRun("\(error)")
    }
    defer { work.remove() }
    let run = ExperimentRun(
      plan, executable: try ProcessMetrics.executablePath(), workFolder: work.path,
      jobs: [.stepped: 1])
    let display = ProgressDisplay(
      totalCommits: commits, launches: plan.scenario.launches, isQuiet: isQuiet)
    defer { display.finish() }
    return run.run(journal: nil, cancellation: cancellation) { display.show($0) }
  }
}

extension CellRecord.Status {
  /// Why the cell was not measured; nil if it was.
  fileprivate var failure: String? {
    switch self {
    case .measured: nil
    case .notApplicable(let reason), .unavailable(let reason), .failed(let reason): reason
    }
  }
}
