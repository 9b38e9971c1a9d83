// `--weight SCENARIO=W` and `--divergence RHO`: how much scenarios count, and how far their mixture may shift.
import ArgumentParser
import PredicateLanguage
import RecordModel
import ScenarioModel

struct MixtureOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      How much a scenario counts, each of its arms alike ("chat=3"); may be repeated (default: 1 each).
      """, valueName: "scenario=number"))
  var weight: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The largest Kullback-Leibler divergence, in nats, of the mixtures of scenarios among which the worst is reported; inf \
      for the worst scenario.
      """, valueName: "number"))
  var divergence: Double = WorkloadMixture.usualDivergence

  func validate() throws {
    // NaN is no number from 0 on either.
    guard divergence >= 0 else {
      throw ValidationError("--divergence must be a number from 0 on, or inf")
    }
    _ = try weights()
  }

  /// Returns the weights by the names of scenarios.
  private func weights() throws -> [String: Double] {
    var weights: [String: Double] = [:]
    for text in weight {
      let (name, value) = try SettingOption.split(text, option: "--weight", example: "chat=3")
      guard let number = Double(value), number >= 0, number.isFinite else {
        throw ValidationError(
          "--weight \(abbreviated(name)) must be a number from 0 on, not \"\(abbreviated(value))\"")
      }
      guard weights.updateValue(number, forKey: name) == nil else {
        throw ValidationError("--weight \(abbreviated(name)) is given twice; leave one out")
      }
    }
    return weights
  }

  /// Returns the mixture of these scenarios.
  func mixture(of scenarios: [Scenario]) throws -> WorkloadMixture {
    let names = scenarios.map(\.name)
    let weights = try weights()
    for name in weights.keys.sorted() where !names.contains(name) {
      let near = nearest(to: name, in: names).map { "did you mean \"\($0)\"?" }
      throw couldNotRun(
        "--weight: there is no scenario \"\(abbreviated(name))\"; "
          + (near ?? "there are: \(names.joined(separator: ", "))"))
    }
    guard names.contains(where: { weights[$0] != 0 }) else {
      throw couldNotRun("--weight: all weights are zero, so that nothing counts")
    }
    return WorkloadMixture(
      maxDivergence: divergence.isFinite ? divergence : nil, weights: weights)
  }
}
