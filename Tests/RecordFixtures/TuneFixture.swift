// Records of `tune` with held-out runs made by hand: five seeds, of which the optimum costs 100 units each.
import MetricModel
package import Objective
package import RecordModel
import ScenarioModel

package enum TuneFixture {
  /// What a policy comes to in the runs of a workload.
  package struct Outcome {
    package var policy: String
    package var workload = 0
    /// By seed: bytes above a freshly compacted file, bytes written again, milliseconds for which launches are held up.
    package var excess = [0, 0, 0, 0, 0]
    package var rewritten = [0, 0, 0, 0, 0]
    package var blocked = [0, 0, 0, 0, 0]
    /// In units, that of each seed.
    package var cost = 100
    /// Those of each run.
    package var compactions = 1

    package init(
      _ policy: String, workload: Int = 0, excess: [Int] = [0, 0, 0, 0, 0],
      rewritten: [Int] = [0, 0, 0, 0, 0], blocked: [Int] = [0, 0, 0, 0, 0], cost: Int = 100,
      compactions: Int = 1
    ) {
      (self.policy, self.workload, self.cost) = (policy, workload, cost)
      self.compactions = compactions
      (self.excess, self.rewritten, self.blocked) = (excess, rewritten, blocked)
    }
  }

  /// - Parameter workloads: the scenarios, each with one arm.
  package static func engine(
    _ outcomes: [Outcome], workloads: [String] = ["one"], isTimed: Bool = false
  ) -> TunedEngine {
    TunedEngine(
      engine: "native", trainingSeeds: [5, 6], heldOutSeeds: [0, 1, 2, 3, 4],
      workloads: workloads.map { TunedWorkload(scenario: $0, arm: "default") },
      runs: outcomes.flatMap { outcome in (0..<5).map { run(outcome, $0, isTimed) } })
  }

  private static func run(_ outcome: Outcome, _ seed: Int, _ isTimed: Bool) -> HeldOutRun {
    var figures = PricedFigures()
    figures.time = VirtualTime(seconds: 10)
    figures.excess = ByteTime(ByteCount(outcome.excess[seed]), for: figures.time)
    figures.rewritten = ByteCount(outcome.rewritten[seed])
    figures.blocked = outcome.blocked[seed] * 1_000_000
    var run = HeldOutRun(
      workload: outcome.workload, seed: UInt64(seed), policy: outcome.policy, figures: figures,
      cost: Cost(units: Int128(outcome.cost)), optimum: Cost(units: 100),
      compactions: outcome.compactions, exceeded: [])
    run.hasTimes = isTimed ? true : nil
    return run
  }

  package static func record(
    _ engine: TunedEngine, _ mixture: WorkloadMixture = WorkloadMixture(),
    objective: Objective = Objective()
  ) -> TuneRecord {
    let scenarios = engine.workloads.map { workload in
      Scenario(
        name: workload.scenario, question: "Which?", tables: [],
        arms: [ArmSpec(name: workload.arm, clients: [])], phases: [PhaseSpec(name: "work")],
        launches: 4, engines: [engine.engine], policies: [])
    }
    return TuneRecord(
      provenance: Provenance(
        toolVersion: "0", command: "tune", schedule: .stepped, seed: 1, repetitions: 1,
        startedAt: "", operatingSystem: "", processor: "", cores: 2, memory: .zero, fileSystem: "",
        engineVersions: [:]),
      objective: objective, mixture: mixture, scenarios: scenarios, engines: [engine])
  }
}
