// The plan of a sweep: the scenario at each point, with the points that only differ in policies in one plan.
package import EngineInterface
import Policies
package import RecordModel
package import ScenarioModel
package import SystemIO

package struct SweepPlan: Sendable {
  package let points: [SweepRecord.Point]
  /// One plan for each group of points, under the stepped schedule.
  package internal(set) var groups: [ExperimentPlan]

  /// - Parameters:
  ///   - points: the values of the axes at each point, and the scenario that they make.
  ///   - names: the names of the axes, which tell policies of one name apart.
  package init(
    _ points: [(values: [String], scenario: Scenario)], names: [String],
    engines: (Scenario) -> [EngineAvailability], repetitions: Int
  ) {
    var groups: [Scenario: Int] = [:]
    var members: [[(values: [String], scenario: Scenario)]] = []
    var order: [(group: Int, member: Int)] = []
    for point in points {
      let workload = Self.workload(point.scenario)
      let group = groups[workload] ?? members.count
      if group == members.count {
        groups[workload] = group
        members.append([])
      }
      order.append((group, members[group].count))
      members[group].append(point)
    }
    let merged = members.map { Self.merged($0, names: names) }
    self.points = zip(points, order).map { point, index in
      SweepRecord.Point(
        values: point.values, group: index.group,
        policies: merged[index.group].policies[index.member])
    }
    self.groups = merged.map {
      ExperimentPlan(
        $0.scenario, engines: engines($0.scenario), schedule: .stepped, repetitions: repetitions)
    }
  }

  /// Whether policies may start programs.
  package mutating func allowPrograms(_ isAllowed: Bool) {
    for index in groups.indices { groups[index].allowsPrograms = isAllowed }
  }

  /// Finds out how to start cells with a limited disk, as `ExperimentPlan` does.
  package mutating func prepareLimitedDisks(executable: FilePath) {
    for index in groups.indices { groups[index].prepareLimitedDisks(executable: executable) }
  }

  /// The number of runs.
  package var runCount: Int {
    groups.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.runs.count } }
  }

  /// The scenario without its policies and what depends on them.
  private static func workload(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.policies = []
    scenario.parameters = nil
    scenario.expectations = []
    return scenario
  }

  /// Returns one scenario with the policies of all points, and for each point the names that its policies have there.
  private static func merged(
    _ points: [(values: [String], scenario: Scenario)], names: [String]
  ) -> (scenario: Scenario, policies: [[String]]) {
    var scenario = workload(points[0].scenario)
    let varied = names.indices.filter { axis in
      points.contains { $0.values[axis] != points[0].values[axis] }
    }
    // Policies to which the user gave one name, and which differ in a value, go by their values too.
    let slots = points[0].scenario.policies.indices
    let isAmbiguous = slots.map { slot in
      let policies = Set(points.map { $0.scenario.policies[slot] })
      return policies.count > Set(policies.map(\.name)).count
    }
    var renamed: [[String]] = []
    for point in points {
      let suffix = varied.map { "\(names[$0])=\(point.values[$0])" }.joined(separator: ", ")
      let own = point.scenario.policies.enumerated().map { slot, policy in
        var policy = policy
        if isAmbiguous[slot] { policy.name += " (\(suffix))" }
        return policy
      }
      for policy in own where !scenario.policies.contains(where: { $0.name == policy.name }) {
        scenario.policies.append(policy)
      }
      renamed.append(own.map(\.name))
    }
    let original = points[0].scenario
    for index in scenario.arms.indices {
      guard let restricted = original.arms[index].policies else { continue }
      var names: [String] = []
      for (point, own) in zip(points, renamed) {
        for (policy, name) in zip(point.scenario.policies, own)
        where restricted.contains(policy.name) && !names.contains(name) {
          names.append(name)
        }
      }
      scenario.arms[index].policies = names
    }
    if let added = original.addedComparator,
      let slot = original.policies.firstIndex(where: { $0.name == added })
    {
      scenario.addedComparator = renamed[0][slot]
    }
    return (scenario, renamed)
  }
}
