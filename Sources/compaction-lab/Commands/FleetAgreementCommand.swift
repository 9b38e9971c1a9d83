// Compares simulated devices with the same ones really run.
import ArgumentParser
import Engines
import Experiments
import FleetModel
import MetricModel
import Policies
import SystemIO

struct FleetAgreementCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agreement",
    abstract: "Runs some devices for real, and shows how far simulated ones agree with them.",
    discussion: """
      Draws devices that fleet measure has not seen, runs each on its engine under every policy with the launches and commits \
      of its walk, and compares sizes, compactions and rewritten bytes with those of the simulation: error and bias of each \
      figure and quantile, and the order of policies. The output folder receives fleet-agreement.json, fleet-agreement.md and \
      fleet-agreement.csv. Ctrl-C ends it early with exit code 130; the same command runs the rest, also after it was killed.

      Exit codes: 0 every figure is within its bar, 1 one is not, 2 could not run, 64 usage, 130 interrupted.
      """)

  @Argument(help: "A population file, of whose classes there are curves.")
  var population: String

  @Option(help: "The number of devices of each engine.")
  var devices: Int = 20

  @Option(help: "The days for which each device is run.")
  var days: Double = 90

  @Option(
    help: ArgumentHelp(
      """
      A policy, as for fleet simulate; may be repeated. (default: never, every launch, a rule of sizes, and one of waste \
      over time)
      """, valueName: "policy"))
  var policy: [String] = []

  @Option(
    help: """
      The largest data of a device on its first day; larger ones are passed over. (default: as for fleet measure)
      """)
  var maxData: String?

  @OptionGroup var calibration: CalibrationOption

  @Option(
    help: ArgumentHelp(
      "The folder of fleet measure (default: that of the population below --output).",
      valueName: "folder"))
  var curves: String?

  @Option(
    help: ArgumentHelp(
      """
      Runs the devices of this engine twice, the second time with rows in another order, and shows how far the two are apart: \
      no simulation can be closer. May be repeated.
      """, valueName: "engine"))
  var twice: [String] = []

  @Option(
    help: ArgumentHelp(
      "The folder of an earlier comparison of the same devices, whose runs are taken: for other curves.",
      valueName: "folder"))
  var runs: String?

  @OptionGroup var libraries: EngineLibraries

  @Option(help: "The folder for reports; this one is in a subfolder.")
  var output: String = "Reports"

  @OptionGroup var running: UnsharedOptions

  func validate() throws {
    guard 1...10_000 ~= devices else {
      throw ValidationError("--devices must be from 1 to 10,000")
    }
    guard days > 0, days <= 3660 else {
      throw ValidationError("--days must be above 0, up to 3,660")
    }
    _ = try largest()
  }

  private func largest() throws -> Double? {
    try maxData.map { Double(try SizeText.bytes($0, of: "--max-data").bytes) }
  }

  private static let policies = [
    "never", "every-launch",
    "size = on-launch: totalBytes > 1 MB && usedBytes / totalBytes < 70 %",
    "waste = on-launch: wasteSinceCompaction >= 240 h * usedBytes",
  ]

  func run() throws {
    let population = try PopulationFiles.load(population)
    let engines = Set(population.groups.map(\.engine))
    if let engine = twice.first(where: { !engines.contains($0) }) {
      throw couldNotRun("--twice \(engine): no group of the population has this engine")
    }
    let policies = try PolicyTexts.parse(policy.isEmpty ? Self.policies : policy)
    let curves = try FleetCurveFiles.load(
      curves.map { FilePath($0) }
        ?? FilePath(output).appending(PopulationFiles.curvesFolder(of: population)),
      for: population)
    let costs = try calibration.calibration()
    let earlier: AgreementRecord? = try runs.map { try RecordedFolders.load(FilePath($0)) }
    guard earlier == nil || costs == nil else {
      throw couldNotRun(
        "--runs has no launches whose stalls could be estimated; leave out --calibration")
    }
    let stalls = try costs.map { try FleetCurveFiles.stalls($0.record, of: curves) }
    let folder: OutputFolder
    let plan: AgreementPlan
    do {
      folder = try OutputFolder(below: FilePath(output), ["\(population.name)-agreement"])
      plan = try AgreementPlan(
        curves, policies: policies, devices: devices, days: days,
        maxData: try largest() ?? curves.stratification.maxData,
        stalls: stalls, twice: twice, earlier: earlier?.agreement,
        engine: EngineCatalog.named)
    } catch { throw couldNotRun("\(error)") }
    let code = try FleetAgreementExecution(
      plan: plan, costs: costs?.source, earlier: earlier, folder: folder, running: running
    ).carryOut(try Cancellation.onSignals())
    if code != .success { throw code }
  }
}
