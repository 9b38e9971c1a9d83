// Writes a scenario to start from.
import ArgumentParser
import ScenarioModel
import SystemIO

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a commented scenario file to start from.",
    discussion:
      "The file is valid and runs in seconds as it is. An existing file is never overwritten.")

  @Argument(
    help: "The scenario's name in kebab-case, or the path of its file.")
  var name: String = "my-scenario"

  func run() throws {
    let given = FilePath(name)
    let isNamed = given.extension == "yml" || given.extension == "yaml"
    let path = isNamed ? given : FilePath(name + ".yml")
    guard let stem = path.stem, ScenarioName.isValid(stem) else {
      throw couldNotRun(
        "\"\(path.stem ?? name)\" is not a valid scenario name: \(ScenarioName.rule)")
    }
    try NewTextFile.write(ScenarioTemplate.text(named: stem), to: path)
    Console.print(
      """
      \(path): a scenario to start from
        compaction-lab validate \(path)
        compaction-lab explain \(path)
        compaction-lab run \(path)
      """)
  }
}
