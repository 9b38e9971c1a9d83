// Finds the engines, policies and arms that options name, with a suggestion where there is none of that name.
import ArgumentParser
import Engines
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel

/// Engines, policies and arms that options name.
enum Choice {
  static func findPolicy(_ text: String, in scenario: Scenario) throws -> Policy {
    if let known = scenario.policies.first(where: { $0.name == text }) { return known }
    do { return try Policy(parsing: text) } catch {
      let names = scenario.policies.map(\.name)
      // The parser's own suggestion is the better one.
      let isOpen = error.code == .unknownPolicy && error.hint?.hasPrefix("did you mean") != true
      let near = isOpen ? nearest(to: text, in: names) : nil
      throw couldNotRun(
        "--policy: \(error.report)"
          + (near.map { "\n\(scenario.name) has a policy \"\($0)\"; did you mean that?" } ?? ""))
    }
  }

  static func findArm(_ name: String, in scenario: Scenario) throws -> ArmSpec {
    guard let arm = scenario.arms.first(where: { $0.name == name }) else {
      let names = scenario.arms.map(\.name).joined(separator: ", ")
      let near = nearest(to: name, in: scenario.arms.map(\.name))
      throw couldNotRun(
        "--arm: \(scenario.name) has no arm \"\(abbreviated(name))\"; "
          + (near.map { "did you mean \"\($0)\"?" } ?? "it has: \(names)"))
    }
    return arm
  }

  static func check(engines: [String]) throws {
    for id in engines where !EngineCatalog.ids.contains(id) {
      let near = nearest(to: id, in: EngineCatalog.ids).map { "did you mean \"\($0)\"?" }
      throw ValidationError(
        "there is no engine \"\(abbreviated(id))\"; "
          + (near ?? "there are: \(EngineCatalog.ids.joined(separator: ", "))"))
    }
    if let twice = firstDuplicate(in: engines) {
      throw ValidationError("--engine \(twice) is given twice; leave one out")
    }
  }

  /// Returns the first text that occurs twice.
  static func firstDuplicate(in texts: [String]) -> String? {
    var seen: Set<String> = []
    return texts.first { !seen.insert($0).inserted }
  }
}
