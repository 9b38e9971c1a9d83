// Reads the document from top to bottom. Every part is read even if another is wrong. The names that parts refer to are
// taken from their keys alone, so that one mistake does not cause others.
import Generators
import MetricModel
import Policies
import ScenarioModel

struct ScenarioReader {
  let knownEngines: [String]
  /// The name that the scenario must have because of its file's; nil if any is accepted.
  var fileName: String?

  /// Returns the scenario; nil after a report.
  func read(_ root: Field) -> Scenario? {
    guard let keys = ScenarioKeys.scenario.read(root)?.model else { return nil }
    let collector = root.collector
    let launches = keys.launches
    var lifecycle = launches.lifecycle
    lifecycle.isSeeded = keys.isSeeded
    let tables = keys.tables.flatMap(readTables)
    collector.known = KnownNames(
      tables: tables?.map(\.name), phases: PhaseChange.names(keys.phases),
      launches: launches.count)
    let clients = keys.clients?.namedMapping("client") ?? []
    let (policies, arePoliciesClean) = watched(root) {
      keys.policies.flatMap(readPolicies) ?? []
    }
    let policyNames = arePoliciesClean ? policies.map(\.name) : nil
    let arms = ArmReader(
      clients: clients, policies: policyNames, changes: PhaseChange.all(keys.phases),
      lifecycle: lifecycle
    ).read(keys.arms)
    let (phases, arePhasesClean) = watched(root) {
      PhaseReader(
        arms: arms, clients: clients.map(\.name.keyText), launches: launches.count,
        moments: (lifecycle.background ?? []).map(\.moment.rawValue)
      ).read(keys.phases)
    }
    if arePhasesClean { reportUnused(clients, in: phases) }
    let (engines, areEnginesClean) = watched(root) {
      keys.engines.flatMap(readEngines) ?? ScenarioParser.defaultEngines
    }
    let expectations = ExpectationReader(
      phases: keys.phases?.holds(phases.count) ?? false ? phases : nil, launches: launches.count,
      engines: areEnginesClean ? engines : nil, optionalEngines: ScenarioParser.optionalEngines,
      policies: policyNames,
      arms: keys.arms?.holds(arms.count) ?? true ? arms : nil
    ).read(keys.expectations)
    guard let name = keys.name.flatMap(readName), let question = keys.question else { return nil }
    var scenario = Scenario(
      name: name, question: question, description: keys.description, sources: keys.sources,
      keywords: keys.keywords, seed: keys.seed, isDurable: keys.isDurable,
      tables: tables ?? [],
      arms: arms, phases: phases, launches: launches.count,
      gapBetweenLaunches: launches.gap.median,
      engines: engines, policies: policies,
      sampling: keys.sampling, expectations: expectations)
    scenario.lifecycle = lifecycle
    ShapeCheck(scenario: scenario, tables: keys.tables, phases: keys.phases, clients: keys.clients)
      .report()
    scenario.comparator = keys.comparator
    scenario.objective = keys.objective
    return scenario
  }

  /// Returns the name, which must equal the file's.
  private func readName(_ field: Field) -> String? {
    guard let name = field.text("a name") else { return nil }
    if !ScenarioName.isValid(name) {
      field.report("\"\(shortened(name))\" is no name in kebab-case", hint: ScenarioName.rule)
    }
    if let fileName, name != fileName {
      field.report(
        "the scenario \"\(shortened(name))\" is in a file called \"\(shortened(fileName))\"",
        hint: "name both alike: reports go by the scenario's name")
    }
    return name
  }

  /// Returns what `read` returns, and whether it did so without reporting a mistake. Names that were not read cleanly are
  /// not compared with references to them.
  private func watched<Value>(_ root: Field, _ read: () -> Value) -> (Value, isClean: Bool) {
    let reportedBefore = root.collector.count
    let value = read()
    return (value, root.collector.count == reportedBefore)
  }

  private func readTables(_ field: Field) -> [TableSpec]? {
    field.namedMapping("table")?.map { name, value in
      var table =
        ScenarioKeys.table.read(value)?.model
        ?? TableSpec(name: "", rows: 1, valueSize: .fixed(1))
      table.name = name.keyText
      return table
    }
  }

  private func readEngines(_ field: Field) -> [String]? {
    field.uniqueNames("engine", among: knownEngines, "a list of engines")
  }

  private func readPolicies(_ field: Field) -> [Policy]? {
    guard let elements = field.list("a list of policies") else { return nil }
    var policies: [Policy] = []
    for element in elements {
      let reportedBefore = element.collector.count
      guard let policy = PolicyReader.read(element) else { continue }
      if policies.contains(where: { $0.name == policy.name }),
        element.collector.count == reportedBefore
      {
        element.report(
          "policy \"\(shortened(policy.name))\" is there already", hint: "give one a name:")
      }
      policies.append(policy)
    }
    return policies
  }

  private func reportUnused(_ clients: [(name: Field, value: Field)], in phases: [PhaseSpec]) {
    // Without phases there is a report already.
    guard !phases.isEmpty else { return }
    for (name, _) in clients where !phases.contains(where: { $0.clients.contains(name.keyText) }) {
      name.report("client \"\(shortened(name.keyText))\" runs in no phase", hint: "name it in run:")
    }
  }
}

extension Field {
  /// Whether every element of the list was read, so that all names are known.
  fileprivate func holds(_ count: Int) -> Bool { node.sequence?.count == count }
}

/// Limits that keep a run within the memory and time of a usual machine.
enum Limits {
  static let elements = 1000
  /// The maximum number of tables, of clients, of arms and of phases.
  static let named = 200
  static let expectations = 10_000
  static let rows = 10_000_000
  static let commits = 10_000_000
  static let commitCounts = 1...commits
  static let valueBytes = 16 << 20
  static let tableBytes = Double(4 << 30)
  static let gapMicroseconds = 3650 * 86_400 * 1_000_000
}
