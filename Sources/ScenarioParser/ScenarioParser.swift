// The front door: the text of a scenario file in, a scenario or every mistake in it out. The language is described in
// Docs/Scenarios.md; the keys are in ScenarioKeys.
import MetricModel
package import ScenarioModel

package enum ScenarioParser {
  /// Larger files, in bytes, are refused.
  package static let largestFile = YAMLLimits.length

  /// Engines that a scenario may name, on this machine or not.
  package static let engines = EngineIdentifier.allCases.map(\.rawValue)

  /// The engines of a scenario that names none.
  static let defaultEngines = EngineIdentifier.defaults.map(\.rawValue)

  /// Engines on which a scenario is run only where a user asks for it: variants of the native engine, and those whose
  /// libraries few machines have. A scenario may expect something of them without naming them among its own.
  package static let optionalEngines = EngineIdentifier.allCases.filter(\.isOptional).map(
    \.rawValue)

  /// Reads a scenario. `file` is how messages name the text; with `namedAsFile` a scenario of another name than the
  /// file's is a mistake too. `settings` are values in place of the file's. `companion` returns the text of a file in the
  /// scenario's folder by its name, without a path.
  package static func parse(
    _ text: String, file: String, namedAsFile: Bool = false, engines: [String] = Self.engines,
    settings: [ScenarioSetting] = [],
    companion: @escaping (String) throws -> String = { _ in throw NoCompanion() }
  ) throws(ScenarioProblems) -> Scenario {
    try read(text, file, namedAsFile, engines, settings, companion).scenario
  }

  /// Returns the keys of a scenario that say how much data and work there is, with their values, in the order of the file.
  package static func scalableKeys(
    _ text: String, file: String, settings: [ScenarioSetting] = [],
    companion: @escaping (String) throws -> String = { _ in throw NoCompanion() }
  ) throws(ScenarioProblems) -> [ScalableKey] {
    try read(text, file, false, engines, settings, companion).collector.scalableKeys
  }

  private static func read(
    _ text: String, _ file: String, _ namedAsFile: Bool, _ engines: [String],
    _ settings: [ScenarioSetting], _ companion: @escaping (String) throws -> String
  ) throws(ScenarioProblems) -> (scenario: Scenario, collector: ProblemCollector) {
    let (node, collector) = try YAMLDocument.open(text, file: file, companion: companion)
    var parameters = Parameters(settings, collector)
    let root = Field(node: parameters.applied(to: node), path: "", collector: collector)
    var scenario = ScenarioReader(
      knownEngines: engines, fileName: namedAsFile ? Self.name(of: file) : nil
    ).read(root)
    let problems = collector.sorted
    guard problems.isEmpty else { throw ScenarioProblems(problems) }
    scenario?.parameters = parameters.values
    guard let scenario else { preconditionFailure("A file without mistakes is a scenario.") }
    return (scenario, collector)
  }

  /// `long-reader` of `Scenarios/long-reader.yml`.
  private static func name(of file: String) -> String {
    let last = file.split(separator: "/").last ?? ""
    return String(last.prefix { $0 != "." })
  }
}

/// The text of a scenario is all that there is.
private struct NoCompanion: Error, CustomStringConvertible {
  let description = "no files are read beside this text"
}
