// `--objective`: what policies are ranked by, in place of the scenario's.
import ArgumentParser
import Objective
import PredicateLanguage
import ScenarioParser

struct ObjectiveOption: ParsableArguments {
  @Option(
    name: .customLong("objective"),
    help: ArgumentHelp(
      """
      What policies are ranked by, in place of the scenario's objective: prices (space, rewritten, and of runs blocked) and \
      limits (max-size, max-disk, max-rewritten, and of runs max-launch), as in "space: 3, rewritten: 1, max-size: 40 MB".
      """, valueName: "keys"))
  var text: String?

  func validate() throws { _ = try objective() }

  /// Returns the objective; nil if none was given.
  func objective() throws -> Objective? {
    guard let text else { return nil }
    do throws(ScenarioProblems) {
      return try ScenarioParser.objective(text, option: "--objective")
    } catch { throw ValidationError(error.description) }
  }

  /// Returns why `optimum` cannot rank by the objective; nil if it can.
  static func unsupportedReason(_ objective: Objective) -> String? {
    let keys =
      (objective.prices.blocked > 0 ? ["blocked"] : [])
      + (objective.limits.maxLaunch != nil ? ["max-launch"] : [])
    guard !keys.isEmpty else { return nil }
    return
      "objective: \(keys.joined(separator: " and ")): optimum does not price time: it compares exact bytes of stepped runs, "
      + "and the least of many measured times would favor the schedule that happened to be measured fast. Leave it out, and "
      + "compare times with run"
  }
}
