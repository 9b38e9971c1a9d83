// Shows what a scenario file comes to: the expanded plan, as text and as a picture.
import ArgumentParser
import ScenarioRendering
import SystemIO

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows who does what when in a scenario, with all that its file leaves to defaults.",
    discussion: "Runs nothing. Times are those of the virtual clock, and about so long.")

  @Argument(help: "A scenario file; - is standard input.")
  var scenario: String

  @Option(help: "Draws the timeline into this SVG file; one that is there is written over.")
  var svg: String?

  func run() throws {
    for loaded in try ScenarioFiles.load([scenario]) {
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
