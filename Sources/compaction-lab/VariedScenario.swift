// A scenario at many points: its amounts of data and work varied together, for the robustness of a rule.
import MetricModel
import RecordModel
import ScenarioModel
import ScenarioParser
import Sweeps

struct VariedScenario {
  /// How far amounts are varied, as a share.
  static let reach = 0.2
  static let percent = Int(100 * reach)

  private let loaded: ScenarioFiles.Loaded
  private let settings: [ScenarioSetting]
  private let choice: CellChoice
  /// Those whose values the reach changes.
  private let keys: [ScalableKey]

  /// - Parameter settings: the user's, in place of the file's values.
  init(
    _ loaded: ScenarioFiles.Loaded, settings: [ScenarioSetting], choice: CellChoice
  ) throws {
    self.loaded = loaded
    self.settings = settings
    self.choice = choice
    keys = try loaded.source.scalableKeys(settings: settings).filter {
      $0.canScale(within: Self.reach)
    }
  }

  /// Returns the values of all keys at each point of the Sobol sequence. With more keys than the sequence has dimensions, every
  /// so many move together.
  func points(_ count: Int) throws -> VariedKeys {
    var varied = VariedKeys(
      scenario: loaded.scenario.name, keys: keys.map(\.path), values: keys.map(\.text), points: [])
    guard !keys.isEmpty, count > 0 else { return varied }
    let dimensions = min(keys.count, SweepPoints.maxSobolAxes)
    let axes = try (0..<dimensions).map { dimension in
      try SweepAxis(
        name: "\(dimension)", parsing: "\(1 - Self.reach)..\(1 + Self.reach) sobol \(count)")
    }
    varied.points = try SweepPoints.all(axes).map { factors in
      keys.enumerated().map { index, key in
        key.scaled(by: Double(factors[index % dimensions]) ?? 1, within: Self.reach)
      }
    }
    return varied
  }

  /// Returns the scenario with these values of the keys.
  func scenario(at values: [String]) throws -> Scenario {
    let varied = zip(keys, values).map { key, value in
      ScenarioSetting(option: "--robustness", name: key.path, value: value)
    }
    // A value that the user gives by its path is varied around that.
    let others = settings.filter { own in !varied.contains { $0.name == own.name } }
    do {
      return try choice.applied(to: try loaded.source.scenario(settings: others + varied))
    } catch let problems as ScenarioProblems {
      Console.error(problems.description)
      throw couldNotRun(
        "\(counted(problems.problems.count, "problem")) where \(loaded.scenario.name) is varied; "
          + "--robustness 0 leaves that out")
    }
  }
}
