// The runs that an optimum is computed from: one without a compaction, one for each launch at which it is the only one, one
// with a compaction at every launch, a few with several, and the policies.
package import EngineInterface
import Generators
import LaunchSchedules
import MetricModel
import Policies
import RecordModel
package import ScenarioModel
package import SystemIO

package struct OptimumPlan: Sendable {
  /// The scenario, with the policies that the user chose.
  package let scenario: Scenario
  /// Whether the engine compacts by itself, too, under every launch schedule.
  package let isAutomatic: Bool
  /// The runs that begin it.
  package private(set) var plan: ExperimentPlan
  private let engines: [EngineAvailability]
  private let schedules: SchedulePolicies
  /// The runs by the names of their policies.
  private let purposes: [String: ScheduleRun.Purpose]
  /// The policies that another run stands for, by name.
  private let aliases: [String: String]

  /// A scenario has no more launches than this unless the user allows it: the work grows with their square.
  package static let maxLaunches = 200
  /// Where predictions fail, all schedules are run if they are no more than this.
  package static let maxSchedules = 64

  /// - Parameters:
  ///   - checks: the number of schedules, drawn from the seed, that are run to compare predictions with.
  ///   - isAutomatic: whether the engine compacts by itself, too, under every launch schedule.
  package init(
    _ scenario: Scenario, engines: [EngineAvailability], checks: Int, isAutomatic: Bool = false
  ) {
    self.scenario = scenario
    self.isAutomatic = isAutomatic
    self.engines = engines
    let launches = Self.launches(scenario)
    let schedules = SchedulePolicies(scenario.openings, isAutomatic: isAutomatic)
    self.schedules = schedules
    var runs: [(policy: Policy, purpose: ScheduleRun.Purpose)] = []
    let single = launches.count > 1 ? launches.map { [$0] } : []
    for schedule in [[]] + single {
      runs.append((schedules.policy(LaunchSchedule(schedule)), .matrix))
    }
    runs.append((schedules.every, .matrix))
    for schedule in Self.drawn(checks, of: launches, seed: scenario.seed) {
      runs.append((schedules.policy(schedule), .check))
    }
    var aliases: [String: String] = [:]
    for policy in scenario.policies {
      let same = runs.first {
        $0.purpose != .policy && Self.isComparable(policy, isAutomatic)
          && $0.policy.onLaunch == policy.onLaunch
      }
      if let same {
        aliases[policy.name] = same.policy.name
      } else {
        runs.append((policy, .policy))
      }
    }
    self.aliases = aliases
    purposes = Dictionary(
      runs.map { ($0.policy.name, $0.purpose) }, uniquingKeysWith: { first, _ in first })
    plan = Self.plan(scenario, runs.map { ($0.policy, $0.purpose != .policy) }, engines)
  }

  /// Returns why no launch matrix can hold the scenario's schedules; nil where one may.
  package static func reasonAgainst(_ scenario: Scenario) -> String? {
    // Such a run does not report what is written again, and the killed compaction is one that no schedule chose.
    guard !scenario.lifecycle.killedCompactions.isEmpty else { return nil }
    return
      "\(scenario.name) kills compactions (compaction-killed), so that its files depend on more than the last compaction of "
      + "a schedule, and none can be predicted; drop compaction-killed to rank schedules and policies"
  }

  /// The launches at which a policy can decide, and the moments in the background, by their numbers among all openings. The
  /// first makes the database, unless the app ships with one.
  package static func launches(_ scenario: Scenario) -> [Int] {
    let first = scenario.lifecycle.isSeeded ? 1 : 2
    let last = scenario.openings.count
    return first <= last ? Array(first...last) : []
  }

  /// Returns the plan for more schedules of some cells.
  func plan(for schedules: [OptimumCellKey: [LaunchSchedule]]) -> ExperimentPlan {
    let all = Set(schedules.values.joined()).sorted()
    let policies = all.map { (self.schedules.policy($0), true) }
    var plan = Self.plan(scenario, policies, engines)
    let wanted = schedules.mapValues { Set($0.map(self.schedules.name)) }
    plan.retainCells { cell in
      wanted[OptimumCellKey(engine: cell.engine, arm: cell.arm)]?.contains(cell.policy) ?? false
    }
    plan.limitedDisk = self.plan.limitedDisk
    plan.allowsPrograms = self.plan.allowsPrograms
    return plan
  }

  /// Finds out how to start cells with a limited disk, as `ExperimentPlan` does.
  package mutating func prepareLimitedDisks(executable: FilePath) {
    plan.prepareLimitedDisks(executable: executable)
  }

  /// Whether policies may start programs.
  package mutating func allowPrograms(_ isAllowed: Bool) { plan.allowsPrograms = isAllowed }

  func purpose(of policy: String) -> ScheduleRun.Purpose { purposes[policy] ?? .check }

  /// The policies of an arm, with the name of the run that each is measured by.
  func policies(of arm: String) -> [(policy: Policy, run: String)] {
    guard let arm = scenario.arms.first(where: { $0.name == arm }) else { return [] }
    return scenario.policies(of: arm).map { ($0, aliases[$0.name] ?? $0.name) }
  }

  private static func plan(
    _ scenario: Scenario, _ policies: [(policy: Policy, isSchedule: Bool)],
    _ engines: [EngineAvailability]
  ) -> ExperimentPlan {
    var scenario = scenario
    for index in scenario.arms.indices {
      let own = scenario.policies(of: scenario.arms[index]).map(\.name)
      scenario.arms[index].policies = policies.filter {
        $0.isSchedule || own.contains($0.policy.name)
      }.map(\.policy.name)
    }
    scenario.policies = policies.map(\.policy)
    (scenario.comparator, scenario.addedComparator) = (.nothing, nil)
    // What is run does not depend on it, so that a journal serves other prices too.
    (scenario.objective, scenario.expectations) = (nil, [])
    return ExperimentPlan(scenario, engines: engines, schedule: .stepped, repetitions: 1)
  }

  /// Whether the policy's runs are those of a launch schedule: they have the same automatic compaction, or none.
  static func isComparable(_ policy: Policy, _ isAutomatic: Bool) -> Bool {
    policy.automatic == isAutomatic && policy.preset == nil && policy.thresholds == nil
  }

  /// Returns different schedules of two compactions or more, but not of all.
  private static func drawn(
    _ count: Int, of launches: [Int], seed: UInt64
  ) -> [LaunchSchedule] {
    // All subsets but those with no launch, one, or all; more than 2⁶⁰ are as good as any number.
    let possible =
      launches.count > 60 ? Int.max : (1 << launches.count) - launches.count - 2
    var stream = RandomStream(seed: seed, label: "schedules to check")
    var drawn: [LaunchSchedule] = []
    while drawn.count < min(count, possible) {
      let schedule = LaunchSchedule(launches.filter { _ in stream.next(below: 2) == 1 })
      if 2..<launches.count ~= schedule.launches.count, schedule.hasCondition,
        !drawn.contains(schedule)
      {
        drawn.append(schedule)
      }
    }
    return drawn
  }
}

/// The policies that are launch schedules.
private struct SchedulePolicies: Sendable {
  let names: OpeningNames
  let isAutomatic: Bool

  init(_ openings: Openings, isAutomatic: Bool) {
    (names, self.isAutomatic) = (OpeningNames(openings), isAutomatic)
  }

  private var hasMoments: Bool { !names.moments.isEmpty }

  func name(_ schedule: LaunchSchedule) -> String { names.phrase(schedule) }

  func policy(_ schedule: LaunchSchedule) -> Policy {
    // Without moments in the background openings and launches have the same numbers.
    policy(schedule.condition(on: hasMoments ? "opening" : "launch"), name(schedule))
  }

  /// A compaction at each launch, and in each moment in the background.
  var every: Policy {
    hasMoments
      ? policy("opening >= 1", LaunchMatrix.everyOpening)
      : Policy(name: LaunchMatrix.everyLaunch, automatic: isAutomatic, onLaunch: .always)
  }

  private func policy(_ condition: String, _ name: String) -> Policy {
    guard var policy = try? Policy(parsing: "on-launch: \(condition)") else {
      preconditionFailure("the condition of a schedule is a predicate")
    }
    policy.name = name
    policy.automatic = isAutomatic
    return policy
  }
}

/// An engine and an arm of an optimum.
struct OptimumCellKey: Hashable {
  let engine: String
  let arm: String
}
