// The record of `fleet measure`: fleet.json, with the curves and what they were measured with.
package import FleetModel
package import RecordModel

package struct FleetRecord: SealedRecord, Equatable {
  package static let fileName = "fleet.json"
  package static let currentFormat = 2
  package static let formatKey = CodingKeys.fleetFormat.rawValue
  package static let command = "fleet measure"
  package static let isIndented = false

  package var fleetFormat = currentFormat
  package var provenance: Provenance
  package var curves: FleetCurves
  /// Of the rows of each run, in their order.
  package var digests: [String]
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey { case fleetFormat, provenance, curves, digests }

  package init(provenance: Provenance, curves: FleetCurves, digests: [String]) {
    self.provenance = provenance
    self.curves = curves
    self.digests = digests
  }

  package var flaw: String? {
    curves.flaw ?? curves.population.flaw.map { "has a population that cannot be: \($0)" }
  }
}

/// The record of `fleet simulate`: simulation.json, with what its report is made of.
package struct SimulationRecord: SealedRecord, Equatable {
  package static let fileName = "simulation.json"
  package static let currentFormat = 3
  package static let formatKey = CodingKeys.simulationFormat.rawValue
  package static let command = "fleet simulate"
  package static let isIndented = false

  package var simulationFormat = currentFormat
  package var toolVersion: String
  /// The command that gives the same figures again.
  package var repeatedBy: String
  package var summary: FleetSummary
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey {
    case simulationFormat, toolVersion, repeatedBy, summary
  }

  package init(toolVersion: String, repeatedBy: String, summary: FleetSummary) {
    self.toolVersion = toolVersion
    self.repeatedBy = repeatedBy
    self.summary = summary
  }
}

/// The record of `fleet agreement`: fleet-agreement.json, with every device as it was simulated and as it was.
package struct AgreementRecord: SealedRecord, Equatable {
  package static let fileName = "fleet-agreement.json"
  package static let currentFormat = 1
  package static let formatKey = CodingKeys.agreementFormat.rawValue
  package static let command = "fleet agreement"
  package static let isIndented = false

  package var agreementFormat = currentFormat
  package var provenance: Provenance
  /// The command that gives the same figures again.
  package var repeatedBy: String
  package var agreement: FleetAgreement
  /// Of the rows of each run, in their order.
  package var digests: [String]
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey {
    case agreementFormat, provenance, repeatedBy, agreement, digests
  }

  package init(
    provenance: Provenance, repeatedBy: String, agreement: FleetAgreement, digests: [String]
  ) {
    self.provenance = provenance
    self.repeatedBy = repeatedBy
    self.agreement = agreement
    self.digests = digests
  }

  package var flaw: String? { agreement.flaw }
}
