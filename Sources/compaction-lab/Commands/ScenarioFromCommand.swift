// Fits a scenario to traces, and holds it against them.
import ArgumentParser
import EngineInterface
import Engines
import Experiments
import MetricModel
import ScenarioFitting
import ScenarioModel
import ScenarioParser
import SystemIO

struct ScenarioFromCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario-from",
    abstract: "Fits a scenario to traces, and shows how far its growth is from theirs.",
    discussion: """
      Tables, sizes, keys, transactions, pins, phases and launches are fitted; beside each number a comment has the \
      evidence for it. Several traces are those of one app on several devices.
      """)

  @Argument(help: "A trace, as compaction-lab record writes it; several are fitted together.")
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "The scenario to write; an existing file is never overwritten (default: the recorded scenario's name with -fitted).",
      valueName: "file"))
  var output: String?

  @Option(help: "The engine on which traces and scenario are compared.")
  var engine: String = EngineIdentifier.native.rawValue

  @Flag(help: "Neither replays the traces nor runs the scenario.")
  var noCheck = false

  @Option(
    help:
      "The folder on whose disk the databases are made (default: the system's for temporary files)."
  )
  var workFolder: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Choice.check(engines: [engine])
    if let twice = Choice.firstDuplicate(in: traces) {
      throw ValidationError("\(twice) is given twice; leave one out")
    }
  }

  func run() throws {
    let traces = try FittedTraces(traces)
    let path = try path(of: traces)
    let fitted = try traces.scenario(named: path.stem ?? traces.name)
    let scenario = try parse(fitted, path)
    var head = [
      "Fitted by compaction-lab \(CompactionLab.version); each comment has the evidence for what follows it."
    ]
    if !noCheck {
      let check = FittedScenarioCheck(
        engine: try availableEngine(), workFolder: workFolder, isQuiet: quiet.isQuiet,
        cancellation: try Cancellation.onSignals())
      let sentences = try check.sentences(scenario, traces)
      head += sentences
      for sentence in sentences { Console.print(sentence) }
    }
    try NewTextFile.write(fitted.text(head: head), to: path)
    let launches = fitted.launches.count
    Console.print(
      "\(path): \(counted(fitted.tables.count, "table")), \(counted(fitted.clients.count, "client")), "
        + "\(counted(fitted.phases.count, "phase")), \(grouped(launches)) launch\(launches == 1 ? "" : "es")"
    )
    for note in fitted.notes { Console.print("note: \(note)") }
  }

  private func path(of traces: FittedTraces) throws -> FilePath {
    let path = FilePath(output ?? traces.name + ".yml")
    guard let stem = path.stem, ScenarioName.isValid(stem),
      ["yml", "yaml"].contains(path.extension)
    else {
      throw couldNotRun(
        "\(path): is no name of a scenario's file: NAME.yml, with \(ScenarioName.rule)")
    }
    guard !FileSystem.exists(path) else {
      throw couldNotRun("\(path) exists already; choose another name with --output")
    }
    return path
  }

  /// Reads the scenario as `run` would, so that no file is written that is none.
  private func parse(_ fitted: FittedScenario, _ path: FilePath) throws -> Scenario {
    do { return try ScenarioParser.parse(fitted.text(), file: path.string) } catch {
      throw couldNotRun(
        "what was fitted cannot be a scenario:\n\(error)")
    }
  }

  private func availableEngine() throws -> any Engine {
    switch EngineCatalog.named(engine) {
    case .available(let engine): return engine
    case .unavailable(let id, let reason):
      throw couldNotRun(
        "\(id) is not on this machine: \(reason); choose another --engine, or --no-check")
    case nil: preconditionFailure("the engine was checked")
    }
  }
}
