// The recorded run that a trace describes, as a scenario for the report of a replay.
import MetricModel
import Policies
import ScenarioModel
import TraceFormat

extension TraceSurvey {
  /// Throws where a name in the trace is not one that a recording could have written: names become parts of paths and
  /// lines of reports.
  func checkNames(_ file: String) throws(TraceError) {
    let origin = header.origin
    var scenario = scenario(engines: [origin.engine])
    scenario.policies = [.never]
    scenario.policies[0].name = origin.policy
    let invalid =
      ScenarioName.isValid(origin.scenario)
      ? scenario.invalidName : ("scenario", origin.scenario, ScenarioName.rule)
    guard let (kind, name, rule) = invalid else { return }
    throw TraceError(
      .damaged,
      "\(file): \(name.debugDescription) cannot be the name of its \(kind): \(rule). No recording writes such a trace"
    )
  }

  /// Returns a scenario for the report of a replay; it has no clients, since the operations come from the trace.
  func scenario(engines: [String]) -> Scenario {
    let origin = header.origin
    let names = phases.reduce(into: [String]()) { if !$0.contains($1.name) { $0.append($1.name) } }
    let specs = names.map { name in
      let spans = phases.filter { $0.name == name }
      return PhaseSpec(
        name: name, commits: spans.map(\.commits).max() ?? 0, onlyInLaunches: spans.map(\.launch))
    }
    let tables = header.tables.enumerated().map { index, table in
      let sizes = sizes[index] ?? 0...0
      return TableSpec(
        name: table.name, rows: table.rows,
        valueSize: sizes.count == 1
          ? .fixed(sizes.lowerBound) : .uniform(low: sizes.lowerBound, high: sizes.upperBound))
    }
    return Scenario(
      name: origin.scenario + ScenarioName.replaySuffix,
      question: "What do the operations that were recorded come to here?",
      description: """
        A replay of \(totals.records) operations of \(origin.scenario), arm \(origin.arm), recorded on \(origin.engine) \
        \(origin.engineVersion) under \(origin.policy).
        """,
      seed: header.seed, isDurable: header.durable, tables: tables,
      arms: [ArmSpec(name: origin.arm, clients: [])], phases: specs, launches: max(1, launches),
      gapBetweenLaunches: VirtualTime(microseconds: launches > 1 ? gaps / (launches - 1) : 0),
      engines: engines.isEmpty ? [origin.engine] : engines, policies: [],
      sampling: SamplingSpec(everyCommits: header.sampleEveryCommits))
  }
}
