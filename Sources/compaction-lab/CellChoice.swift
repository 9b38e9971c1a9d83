// Options that choose cells of a scenario: engines, policies, arms and the size.
import ArgumentParser
import MetricModel
import ScenarioModel

struct CellChoice: ParsableArguments {
  @Option(name: .long, help: "An engine to run, in place of the scenario's; may be repeated.")
  var engine: [String] = []

  @OptionGroup var libraries: EngineLibraries

  @Option(
    name: .long,
    help: """
      A policy to run, in place of the scenario's: one of its names, or a policy such as \
      "on-launch: totalBytes > 20 MB"; may be repeated.
      """
  )
  var policy: [String] = []

  @OptionGroup var exec: ExecOption

  @Option(
    name: .long,
    help: """
      never: runs the policy never too, so that the report can show what the others save. none: leaves it out unless \
      it is named, and recommends no policy. (default: the scenario's, or never)
      """)
  var comparator: Comparator?

  @Option(name: .long, help: "An arm to run, in place of all; may be repeated.")
  var arm: [String] = []

  @Option(
    name: .long,
    help:
      "ci: the scenario as in its file. middle: three times the rows and commits. full: ten times."
  )
  var size: ScenarioSize = .ci

  func validate() throws {
    try Choice.check(engines: engine)
    if let twice = Choice.firstDuplicate(in: arm) {
      throw ValidationError("--arm \(twice) is given twice; leave one out")
    }
  }

  /// Returns the scenario with the chosen cells, in the chosen size.
  func applied(to scenario: Scenario) throws -> Scenario {
    var scenario = scenario
    if !engine.isEmpty { scenario = scenario.choosing(engines: engine) }
    if !policy.isEmpty {
      scenario.policies = try policy.map { try Choice.findPolicy($0, in: scenario) }
    }
    if let name = Choice.firstDuplicate(in: scenario.policies.map(\.name)) {
      throw couldNotRun("--policy: \"\(name)\" is given twice; leave one out, or give it a name")
    }
    try exec.check(scenario.policies)
    scenario.comparator = comparator ?? scenario.comparator
    scenario = scenario.addingComparator()
    if !arm.isEmpty { scenario.arms = try arm.map { try Choice.findArm($0, in: scenario) } }
    return scenario.sized(size)
  }
}
