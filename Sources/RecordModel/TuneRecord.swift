// The record of `tune`: tune.json. It holds which rules were found on the training seeds, and what they and the policies beside
// them came to in runs on other seeds.
import MetricModel
package import Objective
package import ScenarioModel

package struct TuneRecord: SealedRecord, Equatable {
  package static let fileName = "tune.json"
  package static let currentFormat = 1
  package static let formatKey = CodingKeys.tuneFormat.rawValue
  package static let command = "tune"
  package static let isIndented = false

  package var tuneFormat = currentFormat
  package var provenance: Provenance
  package var objective: Objective
  /// nil in records that were written before scenarios had weights: all count equally.
  package var mixture: WorkloadMixture?
  /// With the seed of the first training run.
  package var scenarios: [Scenario]
  /// What the times of launches are predicted by; nil where they are not.
  package var calibration: String?
  package var engines: [TunedEngine]
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey {
    case tuneFormat, provenance, objective, mixture, scenarios, calibration, engines
  }

  package init(
    provenance: Provenance, objective: Objective, mixture: WorkloadMixture = WorkloadMixture(),
    scenarios: [Scenario], engines: [TunedEngine]
  ) {
    self.provenance = provenance
    self.objective = objective
    self.mixture = mixture
    self.scenarios = scenarios
    self.engines = engines
  }
}

/// What was found for an engine.
package struct TunedEngine: Sendable, Codable, Equatable {
  package var engine: String
  /// Why there is no result; nil if there is one.
  package var absence: String?
  package var trainingSeeds: [UInt64]
  package var heldOutSeeds: [UInt64]
  /// A scenario and an arm each.
  package var workloads: [TunedWorkload]
  /// The best rule of each family on the training seeds, the best first.
  package var families: [TunedFamily]
  /// The runs on the held-out seeds.
  package var runs: [HeldOutRun]
  /// The runs where the scenarios' amounts were varied; nil where they were not.
  package var robustness: VariedRuns?

  package init(
    engine: String, absence: String? = nil, trainingSeeds: [UInt64] = [],
    heldOutSeeds: [UInt64] = [], workloads: [TunedWorkload] = [], families: [TunedFamily] = [],
    runs: [HeldOutRun] = []
  ) {
    self.engine = engine
    self.absence = absence
    self.trainingSeeds = trainingSeeds
    self.heldOutSeeds = heldOutSeeds
    self.workloads = workloads
    self.families = families
    self.runs = runs
  }
}

package struct TunedWorkload: Hashable, Sendable, Codable {
  package var scenario: String
  package var arm: String
  /// The first row that is not as predicted from the launch matrix in a column that costs are made of, in words: then look-ups
  /// and optimum are approximate. nil if there is none.
  package var difference: String?

  package init(scenario: String, arm: String, difference: String? = nil) {
    self.scenario = scenario
    self.arm = arm
    self.difference = difference
  }
}

/// The best rule of a family.
package struct TunedFamily: Hashable, Sendable, Codable {
  package var family: String
  package var hasMemory: Bool
  /// The rule as a policy of a scenario file.
  package var policy: String
  /// As numbers: bytes, percents, launches or hours.
  package var thresholds: [Int]
  /// The number of rules that were tried.
  package var candidates: Int
  /// The cost above the optimum as a share of it, by look-ups on the training seeds; nil where the optimum costs nothing.
  package var trainingRegret: Double?
  /// The same on training seeds that the rule was not chosen on: each fold with the rule chosen on the others. Families are
  /// ordered by it. nil with a single seed.
  package var validatedRegret: Double?
  /// The least regret of the family's rules on the held-out seeds, by look-ups: with hindsight, so that no rule reaches it
  /// for certain.
  package var hindsightRegret: Double?
  /// The number of training runs in which a limit is exceeded.
  package var violations: Int

  package init(
    family: String, hasMemory: Bool, policy: String, thresholds: [Int], candidates: Int,
    trainingRegret: Double?, validatedRegret: Double?, violations: Int
  ) {
    self.family = family
    self.hasMemory = hasMemory
    self.policy = policy
    self.thresholds = thresholds
    self.candidates = candidates
    self.trainingRegret = trainingRegret
    self.validatedRegret = validatedRegret
    self.violations = violations
  }
}

/// What a policy came to on a held-out seed.
package struct HeldOutRun: Hashable, Sendable, Codable {
  /// The index among the engine's workloads.
  package var workload: Int
  package var seed: UInt64
  package var policy: String
  package var figures: PricedFigures
  package var cost: Cost
  /// The cost of the cheapest schedule of the same seed.
  package var optimum: Cost
  package var compactions: Int
  /// The limits that were exceeded, in words.
  package var exceeded: [String]
  /// Whether the times among the figures were predicted; nil in records without times.
  package var hasTimes: Bool?
  /// The costs of the cheapest schedules at the prices of work times `Objective.otherFactors`; nil in older records.
  package var otherOptima: [Cost]?

  package init(
    workload: Int, seed: UInt64, policy: String, figures: PricedFigures, cost: Cost, optimum: Cost,
    compactions: Int, exceeded: [String]
  ) {
    self.workload = workload
    self.seed = seed
    self.policy = policy
    self.figures = figures
    self.cost = cost
    self.optimum = optimum
    self.compactions = compactions
    self.exceeded = exceeded
  }
}
