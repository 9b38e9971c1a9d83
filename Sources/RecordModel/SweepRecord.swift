// The record of a sweep: sweep.json. Runs that only differ in policies share a group, so that a policy that does not depend
// on a varied value is run once.
import MetricModel
package import ScenarioModel

package struct SweepRecord: SealedRecord, Equatable {
  package static let fileName = "sweep.json"
  package static let currentFormat = 1
  package static let formatKey = CodingKeys.sweepFormat.rawValue
  package static let command = "sweep"
  package static let isIndented = true

  package struct Axis: Sendable, Codable, Equatable {
    package var name: String
    /// As the user gave it: `5 MB..200 MB log 7`.
    package var text: String
    package var isLogarithmic: Bool

    package init(name: String, text: String, isLogarithmic: Bool) {
      self.name = name
      self.text = text
      self.isLogarithmic = isLogarithmic
    }
  }

  package struct Point: Sendable, Codable, Equatable {
    /// The values of the axes, as a scenario has them.
    package var values: [String]
    /// The index of its group.
    package var group: Int
    /// The names in the group of the scenario's policies, in their order.
    package var policies: [String]

    package init(values: [String], group: Int, policies: [String]) {
      self.values = values
      self.group = group
      self.policies = policies
    }
  }

  /// The cells of all points that have the same data, clients and phases.
  package struct Group: Sendable, Codable, Equatable {
    /// With the policies of all its points.
    package var scenario: Scenario
    package var cells: [CellRecord]

    package init(scenario: Scenario, cells: [CellRecord]) {
      self.scenario = scenario
      self.cells = cells
    }
  }

  package var sweepFormat = currentFormat
  package var name: String
  package var provenance: Provenance
  package var axes: [Axis]
  package var points: [Point]
  package var groups: [Group]
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey {
    case sweepFormat, name, provenance, axes, points, groups
  }

  package init(
    name: String, provenance: Provenance, axes: [Axis], points: [Point], groups: [Group]
  ) {
    self.name = name
    self.provenance = provenance
    self.axes = axes
    self.points = points
    self.groups = groups
  }
}
