// Finds scenario files by the paths that a user gives, and reads them, or says all that is wrong with them.
import ScenarioModel
import ScenarioParser
import SystemIO

enum ScenarioFiles {
  /// A file as the user named it and what it says.
  struct Loaded {
    var path: FilePath
    var text: String
    var scenario: Scenario
  }

  /// The scenario files among the paths: files as they are, folders by the `.yml` files in them, sorted by name.
  static func find(_ paths: [String]) throws -> [FilePath] {
    var found: [FilePath] = []
    for path in paths.map({ FilePath($0) }) {
      guard FileSystem.exists(path) else {
        throw couldNotRun("\(path): there is no such file or folder")
      }
      guard FileSystem.isFolder(path) else {
        found.append(path)
        continue
      }
      let names = try FileSystem.list(path).filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
      guard !names.isEmpty else { throw couldNotRun("\(path): holds no scenario file (*.yml)") }
      found += names.map { path.appending($0) }
    }
    return found
  }

  /// Reads all files; prints every problem of every file and ends with 2 where there is one. With `namedAsFile` it is a
  /// problem that a scenario has another name than its file.
  static func load(_ paths: [String], namedAsFile: Bool = false) throws -> [Loaded] {
    var loaded: [Loaded] = []
    var problems = 0
    for path in try find(paths) {
      let text: String
      do { text = try FileSystem.readText(path) } catch { throw couldNotRun("\(error)") }
      do {
        let scenario = try ScenarioParser.parse(
          text, file: path.string, namedAsFile: namedAsFile,
          companion: { try companion($0, of: path) })
        loaded.append(Loaded(path: path, text: text, scenario: scenario))
      } catch {
        Console.error(error.description)
        problems += error.problems.count
      }
    }
    guard problems == 0 else {
      throw couldNotRun(problems == 1 ? "1 problem" : "\(problems) problems")
    }
    return loaded
  }

  /// The text of a file in the scenario's folder. Large ones are refused before they are read.
  private static func companion(_ name: String, of path: FilePath) throws -> String {
    let file = path.removingLastComponent().appending(name)
    guard try FileSystem.size(of: file).bytes <= 1 << 20 else {
      throw couldNotRun("larger than 1 MiB")
    }
    return try FileSystem.readText(file)
  }
}
