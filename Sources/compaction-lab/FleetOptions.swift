// What `fleet simulate` and `fleet tune` have in common: for how long devices are used, and which curves they walk through.
import ArgumentParser
import FleetModel
import SystemIO

struct FleetOptions: ParsableArguments {
  @Option(help: "The years that each device is used for.")
  var years: Double = 1

  @OptionGroup var calibration: CalibrationOption

  @Option(
    help: ArgumentHelp(
      "The folder of fleet measure (default: that of the population below --output).",
      valueName: "folder"))
  var curves: String?

  @Option(help: "The folder for reports; this one is in a subfolder.")
  var output: String = "Reports"

  @Option(help: "The number of threads (default: the number of processors).")
  var jobs: Int?

  @OptionGroup var quiet: QuietOption

  var outputFolder: FilePath { FilePath(output) }
  var threads: Int { jobs ?? Machine.current().processorCount }

  func validate() throws {
    guard years > 0, years <= 100 else {
      throw ValidationError("--years must be above 0, up to 100")
    }
    guard 1...256 ~= jobs ?? 1 else { throw ValidationError("--jobs must be from 1 to 256") }
  }

  /// Throws where limits of stalls are given without the times of compactions.
  func checkStalls(_ limits: [String]) throws {
    guard !limits.isEmpty, calibration.path == nil else { return }
    throw ValidationError(
      "--stall needs the times of compactions; name a record of calibrate with --calibration")
  }

  func loadCurves(for population: Population) throws -> FleetCurves {
    try FleetCurveFiles.load(
      curves.map { FilePath($0) }
        ?? outputFolder.appending(PopulationFiles.curvesFolder(of: population)),
      for: population)
  }
}
