// Carries out `fleet tune`: tries rules on some devices, and reports the best on others.
import ArgumentParser
import Experiments
import FleetModel
import LaunchSchedules
import Policies
import RecordModel
import ReportRendering
import SystemIO

struct FleetTuneExecution {
  let curves: FleetCurves
  let limits: [QuantileLimit]
  let devices: Int
  let years: Double
  let calibration: ChosenCalibration?
  let output: FilePath
  let threads: Int
  let isQuiet: Bool

  /// Rules that are walked together: their counts take half a megabyte each and thread.
  private static let batch = 48

  private func stalls() throws -> [StallModel?]? {
    try calibration.map { try FleetCurveFiles.stalls($0.record, of: curves) }
  }

  /// Rules around the best are tried this often.
  private static let refinements = 2

  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    let folder: OutputFolder
    do {
      folder = try OutputFolder(below: output, ["\(curves.population.name)-fleet-tune"])
      try folder.make()
    } catch { throw couldNotRun("\(error)") }
    guard let tuning = try search(cancellation) else { return interrupted }
    guard let best = tuning.best else {
      let closest = tuning.closest.map { "; closest is \($0.candidate.policy.rule)" } ?? ""
      Console.error(
        "\(curves.population.name): none of \(tuning.scores.count) rules keeps the limits\(closest), with "
          + FleetText.limits(limits, tuning.closest?.values ?? []))
      return .differs
    }
    var policies = [best.candidate.policy]
    policies[0].name = "tuned"
    policies += VendorDefault.all.compactMap { try? Policy(parsing: $0.text) }
      .filter { !$0.automatic }
    let simulation = try simulation(
      of: policies, moments: FleetSimulation.usualMoments)
    // Devices of other numbers than those that the rule was chosen on.
    let heldOut = simulation.run(
      devices: devices..<(2 * devices), threads: threads, cancellation: cancellation,
      progress: { _ in })
    guard let heldOut else { return interrupted }
    let summary = simulation.summary(heldOut, devices: devices, costs: calibration?.source)
    let record = SimulationRecord(
      toolVersion: CompactionLab.version, repeatedBy: PlanExecution.command, summary: summary)
    do {
      try folder.whileLocked {
        try SimulationFiles(record: record).write(to: folder)
        try folder.write(FleetCSV.front(tuning.front, limits), to: FleetCSV.frontName)
      }
    } catch { throw couldNotRun("\(error)") }
    let values = limits.map { $0.value(of: heldOut[0]) }
    Console.print(FleetText.tuned(best, limits, heldOut: values, tried: tuning.scores.count))
    Console.print("")
    Console.print(FleetText.simulation(summary, isBrief: isQuiet))
    if !isQuiet { Console.print("\n" + FleetText.code(best.candidate)) }
    Console.print("\n  report: \(folder.path.appending(FleetHTML.fileName))\n")
    return .success
  }

  private var interrupted: ExitCode {
    Console.error("interrupted: nothing was written; the same command begins again")
    return .interrupted
  }

  private func simulation(of policies: [Policy], moments: Int) throws -> FleetSimulation {
    let stalls = try stalls()
    do throws(SimulationError) {
      return try FleetSimulation(
        curves, policies: policies, years: years, moments: moments, stalls: stalls)
    } catch { throw couldNotRun("\(error)") }
  }

  /// nil where it was interrupted.
  private func search(_ cancellation: Cancellation) throws -> FleetTuning? {
    guard let never = try tallies([.never], cancellation) else { return nil }
    let sizes = never[0].sketch(of: .largestSize)
    var tuning = FleetTuning(limits)
    var candidates = FleetCandidate.grid(
      over: (sizes.quantile(0.1) ?? 1)...max(sizes.maximum, 1))
    for _ in 0...Self.refinements {
      for first in stride(from: 0, to: candidates.count, by: Self.batch) {
        let batch = Array(candidates[first..<min(candidates.count, first + Self.batch)])
        guard let found = try tallies(batch.map(\.policy), cancellation) else { return nil }
        tuning.add(batch, found)
      }
      candidates = tuning.nextCandidates
    }
    return tuning
  }

  private func tallies(
    _ policies: [Policy], _ cancellation: Cancellation
  ) throws -> [PolicyTally]? {
    try simulation(of: policies, moments: 1).run(
      devices: 0..<devices, threads: threads, cancellation: cancellation, progress: { _ in })
  }
}
