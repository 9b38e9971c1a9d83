// Finds the rule that a fleet should ship: the least rewritten under limits on quantiles.
import ArgumentParser
import FleetModel
import MetricModel
import PredicateLanguage
import SystemIO

struct FleetTuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract:
      "Finds the rule with the least rewritten that keeps quantiles of a fleet below limits.",
    discussion: """
      Tries rules of two families (size and share; free bytes) on the same devices, coarsely and then around the best, and \
      measures the best on devices that took no part, beside vendors' rules. The output folder receives a report of those, \
      and front.csv with the rules than which no other has less of everything.

      Exit codes: 0 done, 1 no rule keeps the limits, 2 could not run, 64 usage, 130 interrupted.
      """)

  @Argument(help: "A population file, of whose classes there are curves.")
  var population: String

  @Option(
    help: ArgumentHelp(
      """
      What the largest size must not exceed at a quantile, such as "p99 200 MB"; may be repeated.
      """, valueName: "limit"))
  var size: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      What the longest stall must not exceed, such as "p99.9 400 ms"; may be repeated. Needs --calibration.
      """, valueName: "limit"))
  var stall: [String] = []

  @Option(
    help: ArgumentHelp(
      "What compactions must not write again in a year, such as \"p99 1 GB\"; may be repeated.",
      valueName: "limit"))
  var rewritten: [String] = []

  @Option(help: "Devices that rules are tried on; as many others are held out.")
  var devices: Int = 2000

  @OptionGroup var fleet: FleetOptions

  func validate() throws {
    guard 100...10_000_000 ~= devices else {
      throw ValidationError("--devices must be from 100 to 10,000,000")
    }
    guard try !limits().isEmpty else {
      throw ValidationError("there is no limit to keep; give one, such as --size \"p99 200 MB\"")
    }
    try fleet.checkStalls(stall)
  }

  private func limits() throws -> [QuantileLimit] {
    try size.map {
      try limit($0, .largestSize, "--size") { Double(try SizeText.bytes($0, of: $1).bytes) }
    }
      + stall.map {
        try limit($0, .longestStall, "--stall") {
          Double(try DurationText.nanoseconds($0, of: $1, min: 0.000001))
        }
      }
      + rewritten.map {
        try limit($0, .rewritten, "--rewritten") { Double(try SizeText.bytes($0, of: $1).bytes) }
      }
  }

  /// Reads `p99 200 MB`.
  private func limit(
    _ text: String, _ figure: FleetFigure, _ option: String,
    _ value: (String, String) throws -> Double
  ) throws -> QuantileLimit {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, words[0].hasPrefix("p"), let percent = Double(words[0].dropFirst()),
      percent > 0, percent <= 100
    else {
      throw ValidationError(
        "\(option): \"\(abbreviated(text))\" is no limit of a quantile; write one such as \"p99 200 MB\""
      )
    }
    return QuantileLimit(
      figure, share: percent / 100, maximum: try value(words[1], option))
  }

  func run() throws {
    let population = try PopulationFiles.load(population)
    let execution = FleetTuneExecution(
      curves: try fleet.loadCurves(for: population), limits: try limits(), devices: devices,
      years: fleet.years, calibration: try fleet.calibration.calibration(),
      output: fleet.outputFolder, threads: fleet.threads, isQuiet: fleet.quiet.isQuiet)
    let code = try execution.carryOut(try Cancellation.onSignals())
    if code != .success { throw code }
  }
}
