// Finds scenario files by the paths that a user gives, and reads them, or says all that is wrong with them.
import MetricModel
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
    if paths.count(where: { $0 == "-" }) > 1 {
      throw couldNotRun("-: standard input can be read once only; leave one out")
    }
    for path in paths.map({ FilePath($0) }) {
      guard path != "-" else {
        found.append(standardInput)
        continue
      }
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

  /// How messages name standard input.
  private static let standardInput = FilePath("<stdin>")

  /// Reads all files; prints every problem of every file and ends with 2 where there is one. With `namedAsFile` it is a
  /// problem that a scenario has another name than its file. The path `-` is standard input.
  static func load(_ paths: [String], namedAsFile: Bool = false) throws -> [Loaded] {
    var loaded: [Loaded] = []
    var problems = 0
    for path in try find(paths) {
      let isInput = path == standardInput
      let bytes: [UInt8]
      do { bytes = try isInput ? Terminal.readInput(atMost: maxBytes) : front(of: path) } catch {
        throw couldNotRun("\(error)")
      }
      do {
        let scenario = try ScenarioParser.parse(
          utf8: bytes, file: path.string, namedAsFile: namedAsFile && !isInput,
          companion: { try companion($0, of: path) })
        loaded.append(
          Loaded(path: path, text: String(decoding: bytes, as: UTF8.self), scenario: scenario))
      } catch {
        Console.error(error.description)
        problems += error.problems.count
      }
    }
    guard problems == 0 else {
      throw couldNotRun(counted(problems, "problem"))
    }
    return loaded
  }

  /// So many bytes are read of a file: one more than it may have, which is enough for it to be refused.
  private static let maxBytes = ScenarioParser.largestFile + 1

  private static func front(of path: FilePath) throws -> [UInt8] {
    try FileSystem.read(path, atMost: maxBytes)
  }

  /// The text of a file in the scenario's folder.
  private static func companion(_ name: String, of path: FilePath) throws -> String {
    let file = path.removingLastComponent().appending(name)
    let text = String(decoding: try front(of: file), as: UTF8.self)
    guard text.utf8.count <= ScenarioParser.largestFile else {
      throw SystemError(
        code: SystemError.inputOutput, call: "read", explanation: "larger than 1 MiB")
    }
    return text
  }
}
