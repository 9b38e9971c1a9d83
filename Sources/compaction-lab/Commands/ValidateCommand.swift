// Parses scenario files and prints every mistake in them.
import ArgumentParser
import Policies
import PredicateLanguage

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Checks scenario files; prints every mistake at once.")

  @Argument(help: "Scenario files, or folders of them; - is standard input.")
  var scenarios: [String]

  @OptionGroup var settings: SettingOption

  func run() throws {
    let loaded = try ScenarioFiles.load(
      scenarios, namedAsFile: true, settings: try settings.settings())
    for loaded in loaded {
      Console.print("\(escaped(loaded.path.string)): valid")
      for warning in loaded.scenario.policies.compactMap(\.warning) {
        Console.print("  warning: \(escaped(warning))")
      }
    }
  }
}
