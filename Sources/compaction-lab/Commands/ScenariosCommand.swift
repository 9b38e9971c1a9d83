// Lists scenarios and their questions.
import ArgumentParser
import MetricModel
import Policies
import ScenarioModel
import SystemIO

struct ScenariosCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenarios", abstract: "Lists scenarios and their questions.")

  @Argument(help: "Scenario files, or folders of them. (default: Scenarios)")
  var scenarios: [String] = []

  @OptionGroup var output: FormatOption

  func run() throws {
    let loaded = try ScenarioFiles.load(
      scenarios.isEmpty ? [try ShippedScenarios.findFolder()] : scenarios)
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
