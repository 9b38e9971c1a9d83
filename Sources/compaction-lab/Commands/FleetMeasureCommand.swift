// Measures the renewal curves of a population's device classes.
import ArgumentParser
import Engines
import Experiments
import FleetModel
import MetricModel
import SystemIO

struct FleetMeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measures how the files of each class of devices grow after a compaction.",
    discussion: """
      Divides the population into classes, runs each on its engine under the stepped schedule at several sizes, checks that \
      a compaction renews its files, and compares devices that were left out with what the curves give. The output folder \
      receives fleet.json. Ctrl-C ends it early with exit code 130; the same command runs the rest, also after it was killed.
      """)

  @Argument(help: "A population file.")
  var population: String

  @Option(help: "The number of sizes at which each class is measured.")
  var sizes: Int = 4

  @Option(
    help: "The largest data that are measured; larger ones grow in proportion to theirs.")
  var maxData: String = "32 MB"

  @Option(
    help: """
      How far each run goes: the bytes written since the compaction ÷ those of all values then.
      """)
  var maxTurnover: Double = 8

  @Option(help: "The years for which data grow.")
  var years: Double = 2

  @Option(help: "The devices of each group that curves are compared with.")
  var leftOut: Int = 3

  @OptionGroup var libraries: EngineLibraries

  @Option(help: "The folder for results; these are in a subfolder.")
  var output: String = "Reports"

  @OptionGroup var part: ShardOption

  @OptionGroup var running: UnsharedOptions

  func validate() throws {
    guard 2...16 ~= sizes else { throw ValidationError("--sizes must be from 2 to 16") }
    guard 0.5...64 ~= maxTurnover else {
      throw ValidationError("--max-turnover must be from 0.5 to 64")
    }
    guard years > 0, years <= 100 else {
      throw ValidationError("--years must be above 0, up to 100")
    }
    guard 0...100 ~= leftOut else { throw ValidationError("--left-out must be from 0 to 100") }
    guard try 100_000...4_000_000_000 ~= largest() else {
      throw ValidationError("--max-data must be from 100 kB to 4 GB")
    }
  }

  private func largest() throws -> Int { try SizeText.bytes(maxData, of: "--max-data").bytes }

  func run() throws {
    let population = try PopulationFiles.load(population)
    for group in population.groups {
      guard case .unavailable(_, let reason)? = EngineCatalog.named(group.engine) else { continue }
      throw couldNotRun("group \(group.name): \(group.engine) is not on this machine: \(reason)")
    }
    let stratification = Stratification(
      sizes: sizes, maxData: Double(try largest()), maxTurnover: maxTurnover, years: years)
    let folder: OutputFolder
    do {
      folder = try OutputFolder(
        below: output, [PopulationFiles.curvesFolder(of: population)], part.shard)
    } catch { throw couldNotRun("\(error)") }
    var plan = FleetPlan(
      population, stratification, leftOut: leftOut, engine: EngineCatalog.named)
    if let shard = part.shard { plan.restrict(to: shard) }
    let code = try FleetMeasureExecution(
      plan: plan, folder: folder, leftOut: leftOut, running: running
    ).carryOut(try Cancellation.onSignals())
    if code != .success { throw code }
  }
}
