// The engines that a scenario is run on, and those that its file names.

extension Scenario {
  /// Returns the scenario with these engines in place of its own.
  package func choosing(engines chosen: [String]) -> Scenario {
    var scenario = self
    scenario.engines = chosen
    let isStated = chosen.allSatisfy(engines.contains)
    scenario.statedEngines = isStated ? nil : engines
    return scenario
  }

  /// Whether the engine was chosen for the run, and the file does not name it.
  package func isAdded(engine: String) -> Bool {
    statedEngines.map { !$0.contains(engine) } ?? false
  }
}
