// The runs of `tune`: the launch matrix of a scenario with a seed, with policies beside it, in a folder with a journal of its
// own, so that a command that was killed goes on.
import EngineInterface
import Engines
import Experiments
import LaunchSchedules
import Objective
import Policies
import RecordModel
import RunJournal
import ScenarioModel
import SystemIO

final class TuneRuns {
  private let objective: Objective
  private let calibration: ChosenCalibration?
  private let folder: OutputFolder
  private let running: UnsharedOptions
  private let besideAutomatic: Bool
  private let allowsPrograms: Bool
  private let cancellation: Cancellation
  private let progress: TuneProgress
  /// That of the first runs; nil before there are any.
  private(set) var provenance: Provenance?

  init(_ execution: TuneExecution, _ cancellation: Cancellation, _ progress: TuneProgress) {
    objective = execution.objective
    calibration = execution.calibration
    folder = execution.folder
    running = execution.running
    besideAutomatic = execution.besideAutomatic
    allowsPrograms = execution.allowsPrograms
    self.cancellation = cancellation
    self.progress = progress
  }

  /// What is run.
  struct Request {
    var scenario: Scenario
    var engine: String
    var seed: UInt64
    var policies: [Policy]
    /// The folder of all requests of a kind.
    var part: String
    /// The name among the others of its kind: `seed 3`.
    var name: String
  }

  /// Returns a cell for each arm; nil where it was interrupted.
  func cells(_ request: Request) throws -> [OptimumCell]? {
    let title = "\(request.engine) · \(request.part) · \(request.scenario.name) · \(request.name)"
    progress.begin(title)
    guard let measured = try execution(request).measure(cancellation) else { return nil }
    if measured.hasFailed {
      let reason = measured.record.cells.compactMap(\.absence).first ?? "a run failed"
      throw couldNotRun(
        "\(request.engine), \(request.scenario.name), \(request.name): \(reason)")
    }
    provenance = provenance ?? measured.record.provenance
    progress.end()
    return measured.record.cells
  }

  private func execution(_ request: Request) throws -> OptimumExecution {
    var scenario = request.scenario
    (scenario.seed, scenario.engines) = (request.seed, [request.engine])
    scenario.policies = request.policies
    for index in scenario.arms.indices { scenario.arms[index].policies = nil }
    var plan = OptimumPlan(
      scenario, engines: [EngineCatalog.named(request.engine)].compactMap { $0 }, checks: 1,
      isAutomatic: besideAutomatic)
    plan.allowPrograms(allowsPrograms)
    let name = "\(request.engine)-\(scenario.name)-\(request.name.replacing(" ", with: "-"))"
    let own: OutputFolder
    do {
      own = try OutputFolder(below: folder.path.appending(request.part), [name])
    } catch { throw couldNotRun("\(error)") }
    var execution = OptimumExecution(
      plan: plan, objective: objective, calibration: calibration, folder: own,
      workFolder: running.workFolder,
      jobs: running.jobs ?? Machine.current().processorCount, resume: running.resumption.resume,
      isQuiet: true)
    execution.isPart = true
    return execution
  }
}
