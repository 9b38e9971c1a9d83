// Runs a scenario at many points: its parameters and numbers varied over ranges and lists.
import Analysis
import ArgumentParser
import Engines
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import RunJournal
import ScenarioModel
import ScenarioParser
import Sweeps
import SystemIO

struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Runs a scenario with its numbers varied, and finds the best policy among them.",
    discussion: """
      Every cell at every point runs once under the stepped schedule. Points that differ in policies only share the cells \
      that do not depend on them. The output folder receives sweep.md, sweep.csv (exact figures), sweep-times.csv and \
      pictures. Ctrl-C ends the sweep early with exit code 130; the same command runs the rest, also after it was killed.
      """)

  @Argument(help: "A scenario file.")
  var scenario: String

  @Option(
    help: ArgumentHelp(
      """
      A parameter, or the path of a key, and its values: "limit=5 MB..200 MB log 7", "data.Item.rows=1e3..1e6 log 4", \
      "share=30 %..70 % sobol 32" (lin, log, sobol or log sobol; those of sobol share their points), "share=0.3, 0.5"; \
      may be repeated.
      """, valueName: "name=values"))
  var vary: [String]

  @OptionGroup var settings: SettingOption

  @Option(name: .long, help: "An engine to run, in place of the scenario's; may be repeated.")
  var engine: [String] = []

  @OptionGroup var libraries: EngineLibraries

  @Option(
    help:
      "The figure of the pictures: a column of Reports/Metrics.md (default: time_weighted_bytes).")
  var figure: String?

  @Option(name: .long, help: "Seeds keys, values and order, in place of the scenario's seed.")
  var seed: UInt64?

  @Option(name: .long, help: "The number of runs of each cell.")
  var repetitions: Int = 1

  @Option(help: "The folder for reports; the sweep's is in the subfolder SCENARIO-sweep.")
  var output: String = "Reports"

  @Option(help: "The number of cells that run at a time (default: the number of processors).")
  var jobs: Int?

  @Option(
    help: "The folder for database files (default: the system's folder for temporary files)."
  )
  var workFolder: String?

  @OptionGroup var part: ShardOption

  @OptionGroup var resumption: ResumeOption

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard 1...1000 ~= repetitions else {
      throw ValidationError("--repetitions must be from 1 to 1000")
    }
    guard 1...64 ~= jobs ?? 1 else { throw ValidationError("--jobs must be from 1 to 64") }
    try Choice.check(engines: engine)
    _ = try metric()
    do { _ = try SweepPoints.all(try axes()) } catch let error as SweepError {
      throw ValidationError("--vary \(error)")
    }
  }

  func run() throws {
    let axes = try axes()
    let scenarios = try scenarios(axes)
    var plan = SweepPlan(
      scenarios, names: axes.map(\.name),
      engines: { $0.engines.compactMap(EngineCatalog.named) }, repetitions: repetitions)
    if let first = plan.groups.first, plan.groups.allSatisfy(\.isWithoutEngine) {
      throw couldNotRun(
        "none of the engines is available on this machine"
          + first.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined())
    }
    let folder: OutputFolder
    do {
      folder = try OutputFolder(
        below: output, ["\(scenarios[0].scenario.name)\(SweepExecution.folderSuffix)"], part.shard)
    } catch { throw couldNotRun("\(error)") }
    if let shard = part.shard { plan.restrict(to: shard) }
    let execution = SweepExecution(
      plan: plan,
      axes: zip(axes, vary).map { axis, text in
        SweepRecord.Axis(
          name: axis.name, text: Self.valuesText(text), isLogarithmic: axis.isLogarithmic)
      }, folder: folder, workFolder: workFolder,
      jobs: jobs ?? Machine.current().processorCount, metric: try metric(),
      resume: resumption.resume, isQuiet: quiet.isQuiet)
    let code = try execution.carryOut()
    if code != .success { throw code }
  }

  private func axes() throws -> [SweepAxis] {
    try vary.map { text in
      let (name, values) = try SettingOption.split(
        text, option: "--vary", example: "limit=5 MB..200 MB log 7")
      return try SweepAxis(name: name, parsing: values)
    }
  }

  private static func valuesText(_ text: String) -> String {
    String(text.drop { $0 != "=" }.dropFirst().drop(while: \.isWhitespace))
  }

  private func metric() throws -> SummaryMetric {
    guard let figure else { return .timeWeighted }
    if let metric = SummaryMetric.allCases.first(where: { $0.column == figure }) { return metric }
    throw ValidationError(
      "--figure \(figure): there is no such figure; there are: "
        + SummaryMetric.allCases.map(\.column).joined(separator: ", "))
  }

  /// Returns the scenario at each point. The first point with a mistake ends the command.
  private func scenarios(
    _ axes: [SweepAxis]
  ) throws -> [(values: [String], scenario: Scenario)] {
    let file = try ScenarioFiles.source(scenario)
    let fixed = try settings.settings()
    return try SweepPoints.all(axes).map { values in
      let varied = zip(axes, values).map { axis, value in
        ScenarioSetting(option: "--vary", name: axis.name, value: value)
      }
      do {
        var scenario = try file.scenario(settings: fixed + varied)
        scenario.seed = seed ?? scenario.seed
        if !engine.isEmpty { scenario.engines = engine }
        return (values, scenario.addingComparator())
      } catch let problems as ScenarioProblems {
        Console.error(problems.description)
        let point = zip(axes, values).map { "\($0.name)=\($1)" }.joined(separator: ", ")
        throw couldNotRun("\(counted(problems.problems.count, "problem")) at \(point)")
      }
    }
  }
}
