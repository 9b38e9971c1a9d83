// Reads a population file, or prints every mistake in it.
import FleetModel
import MetricModel
import ScenarioParser
import SystemIO

enum PopulationFiles {
  static func load(_ path: String) throws -> Population {
    let file = FilePath(path)
    guard FileSystem.isFile(file) else {
      throw couldNotRun(
        "\(path): no such file; Docs/Fleets.md shows how a population is described")
    }
    do {
      let bytes = try FileSystem.read(file, atMost: ScenarioParser.largestFile + 1)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw couldNotRun("\(path): is not UTF-8 text, and so no population; is it another file?")
      }
      return try PopulationParser.parse(text, file: path) { name in
        try FileSystem.readText(file.removingLastComponent().appending(name))
      }
    } catch let problems as ScenarioProblems {
      Console.error(problems.description)
      throw couldNotRun(counted(problems.problems.count, "problem"))
    } catch let error as SystemError { throw couldNotRun("\(error)") }
  }

  /// The name of the folder with the curves of a population.
  static func curvesFolder(of population: Population) -> String { "\(population.name)-fleet" }
}
