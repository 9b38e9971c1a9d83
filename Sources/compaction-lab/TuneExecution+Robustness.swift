// The robustness of a shipped rule: launch matrices at points around the scenarios, with the rule and the scenarios' own
// policies beside them.
import Experiments
import LaunchSchedules
import Policies
import RecordModel

extension TuneExecution {
  /// Returns what the policies came to at each point; nil where it was interrupted.
  func vary(_ engine: TunedEngine, _ runs: TuneRuns) throws -> VariedRuns? {
    let rules = engine.families.filter { !$0.hasMemory }.prefix(1)
    let policies = try TuneContenders.policies(Array(rules), scenarios, vendors: [])
    var result = VariedRuns(
      reach: VariedScenario.reach, seed: engine.heldOutSeeds.first ?? scenarios[0].seed)
    var first = 0
    for (scenario, varied) in zip(scenarios, varied)
    where scenario.engines.contains(engine.engine) {
      let keys = try varied.points(seeds.points(engine.engine))
      result.scenarios.append(keys)
      for (point, values) in keys.points.enumerated() {
        let request = TuneRuns.Request(
          scenario: try varied.scenario(at: values), engine: engine.engine, seed: result.seed,
          policies: policies, part: OutputFolder.robustnessFolder, name: "point \(point + 1)")
        guard let cells = try runs.cells(request) else { return nil }
        for (index, cell) in cells.enumerated() {
          let run = TuningRun(workload: first + index, seed: result.seed, cell: cell)
          do throws(TuningError) { result.runs += try variedRuns(run, point) } catch {
            result.absences.append("\(scenario.name), point \(point + 1): \(error)")
          }
        }
      }
      first += scenario.arms.count
    }
    return result
  }

  private func variedRuns(_ run: TuningRun, _ point: Int) throws(TuningError) -> [VariedRun] {
    try run.heldOut(objective).map {
      VariedRun(
        workload: $0.workload, point: point, policy: $0.policy, cost: $0.cost,
        optimum: $0.optimum, exceeded: $0.exceeded)
    }
  }
}
