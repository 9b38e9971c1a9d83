// Lists scenarios with the question that each answers.
import ArgumentParser
import MetricModel
import Policies
import ScenarioModel
import SystemIO

struct ScenariosCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenarios", abstract: "Lists scenarios and the questions they answer.")

  @Argument(help: "Scenario files, or folders of them. (default: Scenarios)")
  var scenarios: [String] = []

  @OptionGroup var output: FormatOption

  func run() throws {
    let loaded = try ScenarioFiles.load(scenarios.isEmpty ? [try Self.shipped()] : scenarios)
    guard !output.isJSON else {
      return Console.print(["scenarios": .list(loaded.map(Self.json))])
    }
    for loaded in loaded {
      let scenario = loaded.scenario
      Console.print(
        """
        \(scenario.name)
          \(scenario.question)
          arms: \(scenario.arms.map(\.name).joined(separator: ", "))
          policies: \(scenario.policies.map(\.name).joined(separator: "; "))
          engines: \(scenario.engines.joined(separator: ", "))
          \(counted(scenario.plannedCommits, "commit")) in \(counted(scenario.launches, "launch")); \(loaded.path)
        """)
    }
  }

  /// The folder of the shipped scenarios: here, or beside or above the program, as in the repository that it was built in.
  private static func shipped() throws -> String {
    let name = "Scenarios"
    if FileSystem.isFolder(FilePath(name)) { return name }
    var folder = try ProcessMetrics.executablePath()
    while folder.removeLastComponent(), !folder.components.isEmpty {
      let found = folder.appending(name)
      if FileSystem.exists(found.appending("scenario.schema.json")) { return found.string }
    }
    throw couldNotRun(
      """
      there is no folder Scenarios here, nor above the program
        compaction-lab scenarios PATH…    lists scenario files, or folders of them
        compaction-lab new my-scenario    writes one to start from
      """)
  }

  private static func json(_ loaded: ScenarioFiles.Loaded) -> JSON {
    let scenario = loaded.scenario
    return [
      "name": .text(scenario.name), "question": .text(scenario.question),
      "path": .text(loaded.path.string), "keywords": .texts(scenario.keywords),
      "seed": .unsigned(scenario.seed), "launches": .integer(scenario.launches),
      "commits": .integer(scenario.plannedCommits),
      "arms": .list(
        scenario.arms.map { ["name": .text($0.name), "summary": .text($0.summary)] }),
      "policies": .list(
        scenario.policies.map { ["name": .text($0.name), "rule": .text($0.rule)] }),
      "engines": .texts(scenario.engines),
    ]
  }
}
