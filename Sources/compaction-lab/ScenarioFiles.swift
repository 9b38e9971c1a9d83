// Finds scenario files by the given paths, and parses them or prints every problem in them.
import MetricModel
import ScenarioModel
import ScenarioParser
import SystemIO

enum ScenarioFiles {
  /// A scenario file: its path as given, its text, and the scenario parsed from it.
  struct Loaded {
    var path: FilePath
    var text: String
    var scenario: Scenario

    /// The file, to be parsed with other settings.
    var source: Source { Source(path: path, bytes: Array(text.utf8)) }
  }

  /// Returns the scenario files that the paths name: files as they are, and of folders the `.yml` files, sorted by name.
  static func find(_ paths: [String]) throws -> [FilePath] {
    var found: [FilePath] = []
    if paths.count(where: { $0 == "-" }) > 1 {
      throw couldNotRun("-: standard input can be read only once; leave one out")
    }
    for path in paths.map({ FilePath($0) }) {
      guard path != "-" else {
        found.append(standardInput)
        continue
      }
      guard FileSystem.exists(path) else {
        throw couldNotRun("\(path): no such file or folder")
      }
      guard FileSystem.isFolder(path) else {
        found.append(path)
        continue
      }
      let names = try FileSystem.list(path).filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
      guard !names.isEmpty else { throw couldNotRun("\(path): contains no scenario file (*.yml)") }
      found += names.map { path.appending($0) }
    }
    return found
  }

  /// The name of standard input in messages.
  private static let standardInput = FilePath("<stdin>")

  /// A scenario file that is parsed once or more, with other values in place of its own.
  struct Source {
    let path: FilePath
    let bytes: [UInt8]

    func scenario(
      settings: [ScenarioSetting], namedAsFile: Bool = false
    ) throws(ScenarioProblems) -> Scenario {
      try ScenarioParser.parse(
        utf8: bytes, file: path.string, namedAsFile: namedAsFile && path != standardInput,
        settings: settings, companion: { try readCompanion($0, of: path) })
    }

    /// The keys that say how much data and work there is, with their values.
    func scalableKeys(settings: [ScenarioSetting]) throws(ScenarioProblems) -> [ScalableKey] {
      try ScenarioParser.scalableKeys(
        String(decoding: bytes, as: UTF8.self), file: path.string, settings: settings,
        companion: { try readCompanion($0, of: path) })
    }
  }

  /// Reads the one file that the path names.
  static func source(_ path: String) throws -> Source {
    let found = try find([path])
    guard found.count == 1, let file = found.first else {
      throw couldNotRun(
        "\(path): contains \(counted(found.count, "scenario")); name one of the files")
    }
    return try source(file)
  }

  private static func source(_ path: FilePath) throws -> Source {
    do {
      return Source(
        path: path,
        bytes: try path == standardInput
          ? Terminal.readInput(atMost: maxBytes) : readPrefix(of: path))
    } catch { throw couldNotRun("\(error)") }
  }

  /// Reads and parses all files; prints every problem of every file, and throws exit code 2 where there is one. With
  /// `namedAsFile`, a scenario whose name differs from its file's is a problem. The path `-` is standard input.
  static func load(
    _ paths: [String], namedAsFile: Bool = false, settings: [ScenarioSetting] = []
  ) throws -> [Loaded] {
    var loaded: [Loaded] = []
    var problems = 0
    for path in try find(paths) {
      let source = try source(path)
      do {
        let scenario = try source.scenario(settings: settings, namedAsFile: namedAsFile)
        loaded.append(
          Loaded(
            path: path, text: String(decoding: source.bytes, as: UTF8.self), scenario: scenario))
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

  /// The bytes read of a file: one more than the limit, which is enough to reject a larger file.
  private static let maxBytes = ScenarioParser.largestFile + 1

  private static func readPrefix(of path: FilePath) throws -> [UInt8] {
    try FileSystem.read(path, atMost: maxBytes)
  }

  /// Reads a file in the scenario's folder.
  private static func readCompanion(_ name: String, of path: FilePath) throws -> String {
    let file = path.removingLastComponent().appending(name)
    let text = String(decoding: try readPrefix(of: file), as: UTF8.self)
    guard text.utf8.count <= ScenarioParser.largestFile else {
      throw SystemError(
        code: SystemError.inputOutput, call: "read", explanation: "larger than 1 MiB")
    }
    return text
  }
}
