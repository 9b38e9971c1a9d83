// Shows the expanded plan of a scenario file, as text and as a picture.
import ArgumentParser
import ScenarioRendering
import SystemIO

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows what each client of a scenario does when, with all defaults filled in.",
    discussion: "Runs nothing. Times are those of the virtual clock, and approximate.")

  @Argument(help: "A scenario file; - is standard input.")
  var scenario: String

  @OptionGroup var settings: SettingOption

  @Option(help: "Draws the timeline into this SVG file; an existing one is overwritten.")
  var svg: String?

  func run() throws {
    for loaded in try ScenarioFiles.load([scenario], settings: try settings.settings()) {
      let scenario = loaded.scenario.addingComparator()
      Console.write(ScenarioText.text(scenario))
      guard let svg else { continue }
      do {
        try FileSystem.write(text: TimelineSVG.text(scenario), to: FilePath(svg))
      } catch { throw couldNotRun("\(error)") }
      Console.print("timeline: \(svg)")
      return
    }
  }
}
