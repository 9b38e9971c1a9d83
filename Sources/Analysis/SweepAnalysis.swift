// The analysis of a sweep: the figures of each cell at each point, and the best policy among all points that share their
// data, by the rule of the verdict.
import MetricModel
package import Objective
import Policies
package import RecordModel

package struct SweepAnalysis: Sendable {
  package let record: SweepRecord
  /// The analysis of each group, without curves, since a sweep stores no samples.
  package let groups: [ScenarioAnalysis]

  /// - Parameter objective: nil for that of the scenario, or the default.
  package init(_ record: SweepRecord, _ objective: Objective? = nil) {
    self.record = record
    groups = record.groups.map {
      ScenarioAnalysis(
        record: RunRecord(
          scenario: $0.scenario, provenance: record.provenance, cells: $0.cells), samples: [],
        objective: objective)
    }
  }

  /// A cell at a point.
  package struct Entry: Sendable {
    package let point: Int
    /// The index of the policy in the scenario.
    package let slot: Int
    package let cell: CellAnalysis
  }

  /// All cells at all points: by point, engine, policy and arm.
  package var entries: [Entry] {
    let cells = groups.map { group in
      Dictionary(uniqueKeysWithValues: group.cells.map { ($0.key, $0) })
    }
    return record.points.enumerated().flatMap { index, point -> [Entry] in
      let scenario = record.groups[point.group].scenario
      return scenario.engines.flatMap { engine in
        point.policies.enumerated().flatMap { slot, policy in
          scenario.arms.compactMap { arm in
            cells[point.group][CellKey(engine: engine, policy: policy, arm: arm.name)]
              .map { Entry(point: index, slot: slot, cell: $0) }
          }
        }
      }
    }
  }

  /// The recommendation for one engine among the points of one group.
  package struct Best: Sendable {
    package let choice: PolicyChoice
    /// The indexes of the points that the recommendation is for: those whose policies include the one that is recommended,
    /// or all of the group.
    package let points: [Int]
    /// The indexes of the group's points.
    package let group: [Int]
  }

  package var best: [Best] {
    groups.indices.flatMap { group in
      let members = record.points.indices.filter { record.points[$0].group == group }
      return groups[group].choices.map { choice in
        guard case .compact(let policy, _) = choice.advice else {
          return Best(choice: choice, points: members, group: members)
        }
        let points = members.filter { record.points[$0].policies.contains(policy.name) }
        return Best(choice: choice, points: points, group: members)
      }
    }
  }

  /// The policies of the scenario by their index: the name, where it is the same at all points, and else what differs left
  /// open.
  package var slotNames: [String] {
    guard let first = record.points.first else { return [] }
    return first.policies.indices.map { slot in
      let names = Set(record.points.map { $0.policies[slot] })
      guard names.count > 1 else { return first.policies[slot] }
      return Self.commonText(names.sorted())
    }
  }

  /// Returns the texts' common beginning and end with `…` for what differs.
  private static func commonText(_ texts: [String]) -> String {
    let words = texts.map { $0.split(separator: " ") }
    let count = words.map(\.count).min() ?? 0
    let start = (0..<count).prefix { index in words.allSatisfy { $0[index] == words[0][index] } }
      .count
    let end = (0..<(count - start)).prefix { index in
      words.allSatisfy { $0[$0.count - 1 - index] == words[0][words[0].count - 1 - index] }
    }.count
    return
      (words[0].prefix(start).map(String.init) + ["…"] + words[0].suffix(end).map(String.init))
      .joined(separator: " ")
  }
}
