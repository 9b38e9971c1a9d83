// Searches for the rule to ship: on training seeds by look-ups in launch matrices, reported by runs on other seeds.
import ArgumentParser
import Experiments
import LaunchSchedules
import MetricModel
import Objective
import PredicateLanguage
import ReportRendering
import ScenarioModel
import SystemIO

struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract:
      "Finds the rule for launches to ship, with its regret on seeds that it was not chosen on.",
    discussion: """
      For each engine it runs the launch matrix of every training seed and tries the thresholds of each family by look-ups. \
      The best rule of each family, the scenarios' own policies and the rules that vendors ship are then run on held-out \
      seeds, and only these figures are reported. Several scenarios, or arms, count equally unless --weight \
      states otherwise. The output folder receives \
      tune.md, with the rule as code for each language, tune.csv and a picture. Ctrl-C ends it early with exit code 130; \
      the same command runs the rest, also after it was killed.

      Families (--family), with thresholds in capitals:
      \(familyLines)
      """)

  private static let familyLines = PolicyFamily.allCases.map { family in
    "  \(family.rawValue): \(family.form)\n    \(family.meaning)\(family.hasMemory ? ", with memory between launches" : "")"
  }.joined(separator: "\n")

  @Argument(help: "Scenario files, or folders of them.")
  var scenarios: [String]

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      A family of rules to search, in place of all; may be repeated.
      """, valueName: "name"))
  var family: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The number of training seeds, which begin with the first scenario's (default: \(TuneSeeds.ofNative) on native \
      engines, \(TuneSeeds.ofOthers) on others).
      """, valueName: "count"))
  var trainingSeeds: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of held-out seeds, which follow those of training (default: as many).",
      valueName: "count"))
  var heldOutSeeds: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The number of points at which the amounts of data and work in the scenario are varied together by up to \
      \(VariedScenario.percent) %, to find the worst regret of the rule; 0 for none (default: \(TuneSeeds.usualPoints) on \
      native engines unless numbers of seeds are given, else 0).
      """, valueName: "count"))
  var robustness: Int?

  @OptionGroup var mixture: MixtureOption

  @OptionGroup var objective: ObjectiveOption

  @OptionGroup var calibration: CalibrationOption

  @OptionGroup var settings: SettingOption

  @OptionGroup var choice: CellChoice

  @Flag(
    help:
      "Lets the engine compact automatically as well, as apps do that add a condition at launches.")
  var besideAutomatic = false

  @Flag(help: "Takes scenarios of more than \(OptimumPlan.maxLaunches) launches too.")
  var all = false

  @Option(name: .long, help: "The first training seed, in place of the first scenario's seed.")
  var seed: UInt64?

  @Option(
    help: "The folder for reports; each is in a subfolder. Overwrites only folders with a record.")
  var output: String = "Reports"

  @OptionGroup var running: UnsharedOptions

  func validate() throws {
    for (name, count) in [("--training-seeds", trainingSeeds), ("--held-out-seeds", heldOutSeeds)]
    where !(1...1000 ~= count ?? 1) {
      throw ValidationError("\(name) must be from 1 to 1000")
    }
    // One point says nothing of the worst of many.
    guard robustness == nil || robustness == 0 || 2...1000 ~= robustness ?? 0 else {
      throw ValidationError("--robustness must be 0, or from 2 to 1000")
    }
    _ = try families()
  }

  private func families() throws -> [PolicyFamily] {
    if let twice = Choice.firstDuplicate(in: family) {
      throw ValidationError("--family \(twice) is given twice; leave one out")
    }
    let names = PolicyFamily.allCases.map(\.rawValue)
    let chosen = try family.map { name in
      guard let family = PolicyFamily(rawValue: name) else {
        let near = nearest(to: name, in: names).map { "did you mean \"\($0)\"?" }
        throw ValidationError(
          "there is no family \"\(abbreviated(name))\"; "
            + (near ?? "there are: \(names.joined(separator: ", "))"))
      }
      return family
    }
    return chosen.isEmpty ? PolicyFamily.allCases : chosen
  }

  func run() throws {
    let given = try objective.objective()
    let settings = try settings.settings()
    let files = try ScenarioFiles.load(scenarios, settings: settings)
    var loaded = try files.map { try choice.applied(to: $0.scenario) }
    loaded[0].seed = seed ?? loaded[0].seed
    for scenario in loaded {
      guard scenario.launches >= 2 else {
        throw couldNotRun(
          "\(scenario.name) has one launch, so there is nothing to decide between; give it more, as in launches: 8"
        )
      }
      guard all || scenario.openings.count <= OptimumPlan.maxLaunches else {
        throw couldNotRun(
          "\(scenario.name) has \(scenario.openingWords), and as many runs of all of them for each seed; --all "
            + "runs them")
      }
    }
    let objective = try sharedObjective(of: loaded, given)
    let name = loaded.count == 1 ? loaded[0].name : "\(loaded[0].name)-and-\(loaded.count - 1)-more"
    let folder: OutputFolder
    do {
      folder = try OutputFolder(
        below: FilePath(output), ["\(name)\(TuneExecution.folderSuffix)"])
    } catch { throw couldNotRun("\(error)") }
    let execution = TuneExecution(
      scenarios: loaded,
      varied: try files.map { try VariedScenario($0, settings: settings, choice: choice) },
      objective: objective, mixture: try mixture.mixture(of: loaded),
      calibration: try calibration.calibration(),
      families: try families(),
      seeds: TuneSeeds(
        training: trainingSeeds, heldOut: heldOutSeeds ?? trainingSeeds, robustness: robustness),
      folder: folder, running: running, besideAutomatic: besideAutomatic,
      allowsPrograms: choice.exec.allowExec)
    let code = try execution.carryOut(try Cancellation.onSignals())
    if code != .success { throw code }
  }

  private func sharedObjective(of loaded: [Scenario], _ given: Objective?) throws -> Objective {
    let objective = given ?? loaded[0].objective ?? Objective()
    if given == nil,
      let other = loaded.first(where: { ($0.objective ?? Objective()) != objective })
    {
      throw couldNotRun(
        "\(loaded[0].name) and \(other.name) have different objectives; name one with --objective")
    }
    if calibration.path == nil, let reason = ObjectiveOption.reasonForCalibration(objective) {
      throw couldNotRun(reason)
    }
    return objective
  }
}
