// Fits a population of devices to the launches that an app logged.
import ArgumentParser
import Experiments
import FleetModel
import MetricModel
import PredicateLanguage
import ScenarioModel
import SystemIO

struct FleetFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fits a population to the launches that an app logged.",
    discussion: """
      Reads a CSV file with a row for each launch (device, time, totalBytes, usedBytes) and prints a population file, each \
      figure with its evidence in a comment. Docs/LaunchLogs.md describes what to log. The same log gives the same file.
      """)

  @Argument(help: "A CSV file of launches.")
  var log: String

  @Option(
    name: .long,
    help: "A population whose first group has what no log contains: value, writes, replaced, pins.")
  var like: String?

  @Option(
    help: """
      A folder of fleet measure, whose curves show how many commits free bytes come from: of several groups those that a \
      group of the log is closest to.
      """)
  var curves: String?

  @Option(help: "The population's name in kebab-case.")
  var name: String = "fitted"

  @Option(help: "The share of launches that the log lacks, where it does not show it itself.")
  var missing: Double?

  @Option(help: "The largest number of groups.")
  var groups: Int = 4

  @Option(help: "The only version of the app whose rows count.")
  var appVersion: String?

  @Flag(help: "Passes over wrong rows, and counts them.")
  var skipInvalid = false

  func validate() throws {
    guard missing.map({ 0 <= $0 && $0 < 1 }) ?? true else {
      throw ValidationError("--missing must be from 0 to below 1, as in 0.2")
    }
    guard ScenarioName.isValid(name) else {
      throw ValidationError("--name \(abbreviated(name)) is not valid: \(ScenarioName.rule)")
    }
    guard 1...16 ~= groups else { throw ValidationError("--groups must be from 1 to 16") }
  }

  func run() throws {
    let measured = try curves.map { folder in
      try RecordedFolders.load(FilePath(folder)) as FleetRecord
    }?.curves
    let template =
      try like.map { try PopulationFiles.load($0).groups[0] }
      ?? measured?.population.groups[0] ?? Self.usualGroup
    let read = try launches()
    var options = FitOptions(
      template: template, name: name,
      source:
        "\(FilePath(log).lastComponent?.string ?? log), \(counted(read.devices.count, "device"))")
    options.missingLaunches = missing
    options.maxGroups = groups
    if let measured { options.kinds = try kinds(measured, template) }
    do {
      let fitted = try FleetFit.fit(read, options)
      if let flaw = fitted.roundedPopulation.flaw { throw couldNotRun("\(log): \(flaw)") }
      Console.write(fitted.text)
      for line in fitted.summary + fitted.advice.map({ "to log: \($0)" }) {
        Console.error("  \(line)")
      }
    } catch let error as FitError { throw couldNotRun("\(log): \(error)") }
  }

  /// The measured groups: of one, whatever `--like` has is in place of its own; of several, each has its own.
  private func kinds(_ measured: FleetCurves, _ template: DeviceGroup) throws -> [AppKind] {
    if like != nil, measured.groups.count > 1 {
      throw couldNotRun(
        "--like: the curves are of \(measured.groups.count) groups, which state what no log contains; leave it out"
      )
    }
    return try zip(measured.groups, measured.population.groups).map { curves, own in
      let template = measured.groups.count > 1 ? own : template
      guard let model = MeasuredSpace(curves, of: template) else {
        throw couldNotRun("--curves: a class of group \(curves.group) was refused by fleet measure")
      }
      return AppKind(template: template, model: model)
    }
  }

  private func launches() throws -> LaunchLog {
    var options = LogReader.Options()
    options.skipsInvalid = skipInvalid
    options.version = appVersion
    var reader = LogReader(options: options)
    do {
      var lines = try FileLines(FilePath(log))
      while let line = try lines.next() { try reader.read(line.bytes) }
      return try reader.finish()
    } catch let mistake as LogMistake {
      throw couldNotRun("\(log):\(mistake)")
    } catch let error as SystemError { throw couldNotRun("\(error)") }
  }

  /// What a population needs and no log contains, where the caller states nothing.
  private static let usualGroup = DeviceGroup(
    name: "all", data: .fixed(1), value: .fixed(256), commits: .fixed(1), writes: 4,
    launches: .fixed(1))
}
