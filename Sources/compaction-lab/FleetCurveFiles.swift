// The file with the curves of a population: writes it, loads it, and refuses curves of another population or engine.
import ArgumentParser
import Calibration
import Engines
import Experiments
import FleetModel
import RecordModel
import ReportRendering
import SystemIO

enum FleetCurveFiles {
  /// Returns the curves in the folder, with the devices of the population in place of those that they were measured for.
  static func load(_ folder: FilePath, for population: Population) throws -> FleetCurves {
    let file = folder.appending(FleetRecord.fileName)
    guard FileSystem.exists(file) else {
      throw couldNotRun(
        "\(file): no such file; compaction-lab fleet measure writes it, or name its folder with --curves"
      )
    }
    let record: FleetRecord = try RecordedFolders.load(folder)
    var curves = record.curves
    if let difference = difference(curves.population, population) {
      throw couldNotRun(
        "\(file): was measured for another population: \(difference); run fleet measure again")
    }
    for group in curves.groups {
      guard case .available(let engine)? = EngineCatalog.named(group.engine),
        engine.capabilities.version != group.engineVersion
      else { continue }
      throw couldNotRun(
        "\(file): was measured with \(group.engine) \(group.engineVersion), and this is "
          + "\(engine.capabilities.version); run fleet measure again")
    }
    curves.population = population
    return curves
  }

  /// What curves depend on and the population has otherwise; how its quantities are distributed may change.
  private static func difference(_ measured: Population, _ wanted: Population) -> String? {
    guard measured.groups.map(\.name) == wanted.groups.map(\.name) else {
      return "its groups are \(measured.groups.map(\.name).joined(separator: ", "))"
    }
    for (a, b) in zip(measured.groups, wanted.groups) {
      let parts = [
        ("engine", a.engine == b.engine), ("writes", a.writes == b.writes),
        ("replaced", a.replaced == b.replaced), ("keys", a.keys == b.keys),
        ("pins", a.pins == b.pins),
      ]
      if let other = parts.first(where: { !$0.1 }) {
        return "group \(a.name) had another \(other.0)"
      }
    }
    return nil
  }

  static func failed(_ measurement: FleetMeasurement) -> any Error {
    couldNotRun(
      "runs failed, and the same command runs them again:\n  "
        + Set(measurement.failures).sorted().prefix(5).joined(separator: "\n  "))
  }

  /// Writes the record of a measurement without failures, calls `ended`, and prints what the curves are worth.
  static func write(
    _ measurement: FleetMeasurement, _ provenance: Provenance, to folder: OutputFolder,
    isQuiet: Bool, ended: () -> Void = {}
  ) throws -> ExitCode {
    let curves = measurement.curves(versions: provenance.engineVersions)
    let record = FleetRecord(
      provenance: provenance, curves: curves, digests: measurement.digests)
    do {
      let json = try record.json()
      try folder.whileLocked { try folder.write(json, to: FleetRecord.fileName) }
    } catch {
      throw couldNotRun(
        "\(error)\nthe results are in the journal; the same command writes the file")
    }
    ended()
    Console.print(FleetText.curves(curves, isBrief: isQuiet))
    Console.print("\n  curves: \(folder.path.appending(FleetRecord.fileName))\n")
    for refusal in curves.refusals { Console.error("refused: class \(refusal)") }
    return curves.refusals.isEmpty ? .success : .differs
  }

  /// Returns the times of launches that compact a warm file, by group: that of opening it, and of the compaction; nil for an
  /// engine that the calibration lacks.
  static func stalls(
    _ record: CalibrationRecord, of curves: FleetCurves
  ) throws -> [StallModel?] {
    try curves.groups.map { group in
      guard let costs = record.costs(of: group.engine), costs.model(.compaction, .warm) != nil
      else { return nil }
      guard let writing = costs.writingFit else {
        throw couldNotRun(
          "the calibration has no times of compactions of \(group.engine) by what they wrote, as one of an older version; "
            + "calibrate again")
      }
      // Compactions are measured from the decision on; the file is opened before it.
      let opening = costs.model(.launch, .warm)?.fit.coefficients ?? [0, 0]
      return StallModel(
        constant: writing.coefficients[0] + opening[0],
        perWrittenByte: writing.coefficients[1],
        perTotalByte: writing.coefficients[2] + opening[1],
        nineInTenFactor: writing.nineInTenFactor)
    }
  }
}
