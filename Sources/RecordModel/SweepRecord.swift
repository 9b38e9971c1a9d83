// The record of a sweep: sweep.json. Runs that only differ in policies share a group, so that a policy that does not depend
// on a varied value is run once.
import Foundation
import MetricModel
package import ScenarioModel

package struct SweepRecord: Sendable, Codable, Equatable {
  package static let fileName = "sweep.json"
  package static let currentFormat = 1

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
  /// The result of checking the digest; not part of the file.
  package private(set) var integrity = RecordIntegrity.verified

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

  /// The file's bytes, ending in a line feed, with a digest of themselves in the first line.
  package func json() throws(RecordError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return RecordSeal.sealed(Array(try encoder.encode(self)) + Array("\n".utf8))
    } catch {
      throw RecordError(code: .malformed, message: "cannot write the record: \(error)")
    }
  }

  /// Reads the record of a sweep; the error explains why it cannot be read.
  ///
  /// - Parameter acceptsChanged: whether a record that was changed after the sweep is read anyway, and marked.
  package init(
    json bytes: [UInt8], name: String = fileName, acceptsChanged: Bool = false
  ) throws(RecordError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw RecordError(
        code: .malformed,
        message: "\(name): not the record of a sweep (it is cut off, or another program's file)")
    }
    guard sweepFormat == Self.currentFormat else {
      throw RecordError(
        code: .otherFormat,
        message:
          "\(name): format \(sweepFormat); this program reads format \(Self.currentFormat). Run the sweep again"
      )
    }
    if RecordSeal.isWhole(bytes) { return }
    guard acceptsChanged else { throw RecordError.changed(name, "was changed after the run") }
    integrity.add(changed: Self.fileName)
  }

  /// Whether the bytes are the record of a sweep, of whatever format.
  package static func isRecord(_ bytes: [UInt8]) -> Bool {
    struct Head: Decodable { var sweepFormat: Int }
    return (try? JSONDecoder().decode(Head.self, from: Data(bytes))) != nil
  }
}
