// How large a scenario is run. The files have the size that shows the trouble in seconds; the same curves over ten times
// the rows and commits, with ten times the room where that is limited, are for a night. Ages and intervals stay: pins are
// as old, and there are more of them.

package enum ScenarioSize: String, Hashable, Sendable, Codable, CaseIterable {
  case ci
  case full

  var factor: Int { self == .ci ? 1 : 10 }
}

extension Scenario {
  package func sized(_ size: ScenarioSize) -> Scenario {
    var scenario = self
    scenario.expectations.removeAll { $0.size != nil && $0.size != size }
    for index in tables.indices { scenario.tables[index].rows *= size.factor }
    for index in phases.indices { scenario.phases[index].commits *= size.factor }
    for index in arms.indices {
      scenario.arms[index].commits = arms[index].commits?.mapValues { $0 * size.factor }
      scenario.arms[index].limits?.disk = arms[index].limits?.disk.map { $0 * size.factor }
      scenario.arms[index].limits?.addressSpace = arms[index].limits?.addressSpace.map {
        $0 * size.factor
      }
    }
    return scenario
  }
}
