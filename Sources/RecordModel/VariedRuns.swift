// What a tuned rule came to where a scenario's amounts of data and work were varied.
package import Objective

/// The runs of policies at points around the scenarios.
package struct VariedRuns: Hashable, Sendable, Codable {
  /// How far amounts were varied, as a share.
  package var reach: Double
  /// The seed of all runs, so that points differ by their values only.
  package var seed: UInt64
  package var scenarios: [VariedKeys]
  package var runs: [VariedRun]
  /// The points without runs, each with the reason: limits may be out of reach there.
  package var absences: [String]

  package init(reach: Double, seed: UInt64) {
    self.reach = reach
    self.seed = seed
    (scenarios, runs, absences) = ([], [], [])
  }
}

/// The keys of a scenario that were varied, and their values at each point.
package struct VariedKeys: Hashable, Sendable, Codable {
  package var scenario: String
  /// By their paths, as `--set` takes them.
  package var keys: [String]
  /// The scenario's own values.
  package var values: [String]
  /// By point, then in the order of the keys.
  package var points: [[String]]

  package init(scenario: String, keys: [String], values: [String], points: [[String]]) {
    self.scenario = scenario
    self.keys = keys
    self.values = values
    self.points = points
  }
}

/// A run of a policy at a point.
package struct VariedRun: Hashable, Sendable, Codable {
  /// The index among the engine's workloads.
  package var workload: Int
  /// The index among the points of the workload's scenario.
  package var point: Int
  package var policy: String
  package var cost: Cost
  /// The cost of the cheapest schedule at the point.
  package var optimum: Cost
  /// The limits that were exceeded, in words.
  package var exceeded: [String]

  package init(
    workload: Int, point: Int, policy: String, cost: Cost, optimum: Cost, exceeded: [String]
  ) {
    self.workload = workload
    self.point = point
    self.policy = policy
    self.cost = cost
    self.optimum = optimum
    self.exceeded = exceeded
  }
}
