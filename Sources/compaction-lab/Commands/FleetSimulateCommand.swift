// Walks a fleet of devices through measured curves, under several policies.
import ArgumentParser
import Calibration
import Engines
import Experiments
import FleetModel
import MetricModel
import Policies
import PredicateLanguage
import SystemIO

struct FleetSimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulates policies on any number of devices over years.",
    discussion: """
      Draws devices from the population, walks each over its launches through the curves that fleet measure recorded, under \
      every policy, and reports quantiles over the fleet. The same seed gives the same figures on any number of threads. \
      The output folder receives simulation.json, simulation.html, simulation.md, simulation.csv and pictures.
      """)

  @Argument(help: "A population file, of whose classes there are curves.")
  var population: String

  @Option(help: "The number of devices, such as 20_000 or 1e6.")
  var devices: String = "100_000"

  @Option(
    help: ArgumentHelp(
      """
      A policy such as "never" or "tuned = on-launch: totalBytes > 20 MB"; may be repeated. The others are compared with \
      the first. (default: never and every-launch)
      """, valueName: "policy"))
  var policy: [String] = []

  @Option(
    name: .customLong("above"),
    help: ArgumentHelp(
      """
      A size such as "500 MB": the share of devices whose files were larger is reported; may be repeated.
      """, valueName: "size"))
  var sizes: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      A time such as "400 ms": the share of devices with a longer stall is reported; may be repeated. Needs --calibration.
      """, valueName: "time"))
  var stall: [String] = []

  @OptionGroup var fleet: FleetOptions

  func validate() throws {
    _ = try count()
    _ = try limits()
    try fleet.checkStalls(stall)
  }

  private func count() throws -> Int {
    let text = devices.filter { $0 != "_" }
    guard let number = Double(text), number >= 1, number <= 1e9, number == number.rounded() else {
      throw ValidationError(
        "--devices: \"\(abbreviated(devices))\" is no number of devices; from 1 to 1e9, such as 20_000"
      )
    }
    return Int(number)
  }

  private func limits() throws -> (sizes: [Double], stalls: [Double]) {
    (
      try sizes.map { Double(try SizeText.bytes($0, of: "--above").bytes) },
      try stall.map { Double(try DurationText.nanoseconds($0, of: "--stall", min: 0.000001)) }
    )
  }

  func run() throws {
    let population = try PopulationFiles.load(population)
    let policies = try PolicyTexts.parse(policy.isEmpty ? ["never", "every-launch"] : policy)
    let limits = try limits()
    let record = try fleet.loadCurves(for: population)
    let costs = try fleet.calibration.calibration()
    let folder: OutputFolder
    do {
      folder = try OutputFolder(
        below: fleet.outputFolder, ["\(population.name)-simulation"])
    } catch { throw couldNotRun("\(error)") }
    let stalls = try costs.map { try FleetCurveFiles.stalls($0.record, of: record) }
    let simulation: FleetSimulation
    do throws(SimulationError) {
      simulation = try FleetSimulation(
        record, policies: policies, years: fleet.years,
        stalls: stalls)
    } catch { throw couldNotRun("\(error)") }
    let code = try FleetSimulateExecution(
      simulation: simulation, devices: try count(), sizeLimits: limits.sizes,
      stallLimits: limits.stalls, costs: costs?.source, folder: folder,
      threads: fleet.threads, isQuiet: fleet.quiet.isQuiet
    ).carryOut(try Cancellation.onSignals())
    if code != .success { throw code }
  }
}
