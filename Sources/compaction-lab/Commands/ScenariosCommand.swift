// Lists scenarios with the question that each answers.
import ArgumentParser

struct ScenariosCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenarios", abstract: "Lists scenarios and the questions they answer.")

  @Argument(help: "Scenario files, or folders of them.")
  var scenarios: [String] = ["Scenarios"]

  func run() throws {
    for loaded in try ScenarioFiles.load(scenarios) {
      let scenario = loaded.scenario
      Console.print(
        """
        \(scenario.name)
          \(scenario.question)
          arms: \(scenario.arms.map(\.name).joined(separator: ", "))
          policies: \(scenario.policies.map(\.name).joined(separator: "; "))
          engines: \(scenario.engines.joined(separator: ", "))
          \(scenario.clientCommits) commits in \(scenario.launches) launches; \(loaded.path)
        """)
    }
  }
}
