// Carries out `fleet agreement`: runs what is missing, compares, writes the files.
import ArgumentParser
import Experiments
import FleetModel
import MetricModel
import RecordModel
import ReportRendering
import RunJournal
import ScenarioModel
import SystemIO

struct FleetAgreementExecution {
  let plan: AgreementPlan
  /// Where times of compactions are from; nil where they are not known.
  let costs: String?
  /// The comparison whose runs are taken; nil to run all devices.
  let earlier: AgreementRecord?
  let folder: OutputFolder
  let running: UnsharedOptions

  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    var result: FleetRuns.Result?
    if let sweep = plan.sweep {
      let runs = FleetRuns(
        noun: "comparison", axis: "device", sweep: sweep, folder: folder, running: running)
      let devices = counted(plan.deviceCount, "device")
      let end = try runs.carryOut(
        title: "\(plan.simulation.curves.population.name) · \(devices)", keepsSamples: false,
        cancellation)
      guard case .ran(let own) = end else { return .interrupted }
      result = own
    }
    let measurement = AgreementMeasurement(plan, result?.outcome)
    if let result, !measurement.failures.isEmpty { throw result.failure(measurement.failures) }
    guard let provenance = result?.provenance ?? earlier?.provenance else {
      throw couldNotRun("there is no device to run")
    }
    let agreement: FleetAgreement
    do throws(SimulationError) { agreement = try measurement.agreement(costs: costs) } catch {
      throw couldNotRun("\(error)")
    }
    let record = AgreementRecord(
      provenance: provenance, repeatedBy: PlanExecution.command, agreement: agreement,
      digests: (earlier?.digests ?? []) + measurement.digests)
    try FleetAgreementFiles(record: record).writeResults(to: folder)
    result?.journal.end(hasFailed: false)
    Console.print(FleetAgreementText.text(agreement, isBrief: running.quiet.isQuiet))
    Console.print("\n  page: \(folder.path.appending(FleetAgreementMarkdown.fileName))\n")
    return agreement.misses.isEmpty ? .success : .differs
  }
}

/// The files of a comparison, rendered of its record.
struct FleetAgreementFiles: RecordFiles {
  static let page = FleetAgreementMarkdown.fileName
  static let tables = [FleetAgreementCSV.fileName]
  static let pictures: [String] = []

  let record: AgreementRecord

  func writeRendered(to folder: OutputFolder) throws {
    let page = FleetAgreementMarkdown.text(record.agreement, repeatedBy: record.repeatedBy)
    try folder.write(Array(page.utf8), to: FleetAgreementMarkdown.fileName)
    try folder.write(FleetAgreementCSV.text(record.agreement), to: FleetAgreementCSV.fileName)
  }
}
