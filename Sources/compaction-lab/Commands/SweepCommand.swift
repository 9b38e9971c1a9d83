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

  @OptionGroup var choice: CellChoice

  @OptionGroup var figure: FigureOption

  @Option(name: .long, help: "Seeds keys, values and order, in place of the scenario's seed.")
  var seed: UInt64?

  @OptionGroup var options: SteppedOptions

  func validate() throws {
    do { _ = try SweepPoints.all(try axes()) } catch let error as SweepError {
      throw ValidationError("--vary \(error)")
    }
  }

  func run() throws {
    let axes = try axes()
    let scenarios = try scenarios(axes)
    var plan = SweepPlan(
      scenarios, names: axes.map(\.name),
      engines: { $0.engines.compactMap(EngineCatalog.named) }, repetitions: options.repetitions)
    if let first = plan.groups.first, plan.groups.allSatisfy(\.isWithoutEngine) {
      throw couldNotRun(
        "none of the engines is available on this machine"
          + first.absentEngines.map { "\n  \($0.id): \($0.reason)" }.joined())
    }
    let folder: OutputFolder
    do {
      folder = try OutputFolder(
        below: options.output,
        ["\(scenarios[0].scenario.name)\(SweepExecution.folderSuffix)"], options.running.shard)
    } catch { throw couldNotRun("\(error)") }
    plan.allowPrograms(choice.exec.allowExec)
    if let shard = options.running.shard { plan.restrict(to: shard) }
    let execution = SweepExecution(
      plan: plan,
      axes: zip(axes, vary).map { axis, text in
        SweepRecord.Axis(
          name: axis.name, text: Self.valuesText(text), isLogarithmic: axis.isLogarithmic)
      }, folder: folder, workFolder: options.running.workFolder,
      jobs: options.running.jobs ?? Machine.current().processorCount, metric: try figure.metric(),
      resume: options.running.resume, isQuiet: options.running.isQuiet)
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
        return (values, try choice.applied(to: scenario))
      } catch let problems as ScenarioProblems {
        Console.error(problems.description)
        let point = zip(axes, values).map { "\($0.name)=\($1)" }.joined(separator: ", ")
        throw couldNotRun("\(counted(problems.problems.count, "problem")) at \(point)")
      }
    }
  }
}
