// The digests by which a baseline is one of the same work.
import Foundation
import RecordModel
import ScenarioModel

enum ScenarioDigest {
  /// Returns the digest of everything that decides which operations run and when samples are taken: not engines, policies,
  /// arms, texts, expectations or the seed; nor the objective, unless the figures depend on it.
  static func of(_ scenario: Scenario, withObjective: Bool = false) -> String {
    var scenario = scenario
    (scenario.question, scenario.description) = ("", "")
    (scenario.sources, scenario.keywords, scenario.expectations) = ([], [], [])
    (scenario.engines, scenario.policies, scenario.arms) = ([], [], [])
    scenario.seed = 0
    if !withObjective { scenario.objective = nil }
    return digest(scenario)
  }

  /// Returns the digest of what one arm's clients do: an arm with other clients has another baseline.
  static func of(arm name: String, _ scenario: Scenario) -> String {
    guard var arm = scenario.arms.first(where: { $0.name == name }) else { return "" }
    arm.summary = ""
    arm.policies = nil
    return digest(arm)
  }

  private static func digest(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let bytes = try? encoder.encode(value) else {
      preconditionFailure("a value that was decoded from JSON can be encoded as JSON")
    }
    var digest = SampleDigest()
    digest.feed(bytes)
    return digest.hex
  }
}
