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
      What policies are ranked by, in place of the scenario's objective: prices (space, rewritten, blocked) and limits \
      (max-size, max-disk, max-rewritten, max-launch), as in "space: 3, rewritten: 1, max-size: 40 MB". Optima need a \
      calibration to count time.
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

  /// Returns why an optimum cannot rank by the objective without a calibration; nil if it can.
  static func reasonForCalibration(_ objective: Objective) -> String? {
    let keys =
      (objective.prices.blocked > 0 ? ["blocked"] : [])
      + (objective.limits.maxLaunch != nil ? ["max-launch"] : [])
    guard !keys.isEmpty else { return nil }
    return
      "objective: \(keys.joined(separator: " and ")): stepped runs are no measurement of time; give a calibration of this "
      + "machine to predict it by, made with compaction-lab calibrate: --calibration Reports/calibration"
  }
}
