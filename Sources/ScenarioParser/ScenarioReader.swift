// The document from top to bottom. Every part is read even where another is wrong; the names that parts refer to each
// other by are known from their keys alone, so that one mistake does not bring others in its train.
import Generators
import MetricModel
import Policies
import ScenarioModel

struct ScenarioReader {
  let knownEngines: [String]
  /// The name that the file asks for; nil where any will do.
  var fileName: String?

  /// The scenario, or nil after a report.
  func read(_ root: Field) -> Scenario? {
    guard let keys = MappingReader(root, ScenarioKeys.scenario) else { return nil }
    let tables = keys["data"].flatMap(readTables)
    let launches = LaunchReader(keys["launches"], seedFile: keys["seed-file"])
    let clients = keys["clients"]?.namedMapping("client") ?? []
    let (policies, arePoliciesClean) = watched(root) {
      keys["policies"].flatMap(readPolicies) ?? []
    }
    let policyNames = arePoliciesClean ? policies.map(\.name) : nil
    let arms = ArmReader(
      clients: clients, tables: tables.map { $0.map(\.name) }, policies: policyNames,
      changes: PhaseChange.all(keys["phases"]), phases: PhaseChange.names(keys["phases"]),
      launches: launches.count, lifecycle: launches.lifecycle
    ).read(keys["arms"])
    let (phases, arePhasesClean) = watched(root) {
      PhaseReader(arms: arms, clients: clients.map(\.name.keyText), launches: launches.count)
        .read(keys["phases"])
    }
    if arePhasesClean { reportUnused(clients, in: phases) }
    let (engines, areEnginesClean) = watched(root) {
      keys["engines"].flatMap(readEngines) ?? ["native", "lmdb", "sqlite"]
    }
    let expectations = ExpectationReader(
      phases: keys["phases"]?.holds(phases.count) ?? false ? phases : nil, launches: launches.count,
      engines: areEnginesClean ? engines : nil, guests: ScenarioParser.guests,
      policies: policyNames,
      arms: keys["arms"]?.holds(arms.count) ?? true ? arms : nil
    ).read(keys["expect"])
    let texts = Texts(keys, fileName: fileName)
    guard let name = texts.name, let question = texts.question else { return nil }
    var scenario = Scenario(
      name: name, question: question, description: texts.description, sources: texts.sources,
      keywords: texts.keywords, seed: texts.seed, isDurable: texts.isDurable,
      tables: tables ?? [],
      arms: arms, phases: phases, launches: launches.count, gapBetweenLaunches: launches.gap,
      engines: engines, policies: policies,
      sampling: keys["sample"].map(readSampling) ?? SamplingSpec(), expectations: expectations)
    scenario.lifecycle = launches.lifecycle
    scenario.comparator = keys["comparator"]?.choice([("never", .never), ("none", .nothing)])
    return scenario
  }

  /// What `read` answers, and whether it did so without reporting a mistake. Names that were not read cleanly are not
  /// held against those who refer to them.
  private func watched<Value>(_ root: Field, _ read: () -> Value) -> (Value, isClean: Bool) {
    let told = root.collector.count
    let value = read()
    return (value, root.collector.count == told)
  }

  private func readTables(_ field: Field) -> [TableSpec]? {
    field.namedMapping("table")?.map { name, value in
      var table = TableSpec(name: name.keyText, rows: 1, valueSize: .fixed(1))
      guard let keys = MappingReader(value, ScenarioKeys.table) else { return table }
      if let rows = keys["rows"]?.integer(1...Limits.rows) { table.rows = rows }
      if let size = keys["value"]?.valueSizes() { table.valueSize = size }
      let bytes = Double(table.rows) * table.valueSize.reckoned
      if bytes > Limits.tableBytes {
        keys.report("the table may hold more than 4 GiB", hint: "use fewer or smaller rows")
      }
      return table
    }
  }

  private func readEngines(_ field: Field) -> [String]? {
    field.uniqueNames("engine", among: knownEngines, "a list of engines")
  }

  private func readSampling(_ field: Field) -> SamplingSpec {
    var sampling = SamplingSpec()
    guard let keys = MappingReader(field, ScenarioKeys.sample) else { return sampling }
    if let commits = keys["every"]?.commits(1...1_000_000) { sampling.everyCommits = commits }
    if let span = keys["wall"]?.duration(1000...3_600_000_000) {
      sampling.everyMilliseconds = span / 1000
    }
    return sampling
  }

  private func readPolicies(_ field: Field) -> [Policy]? {
    guard let elements = field.list("a list of policies") else { return nil }
    var policies: [Policy] = []
    for element in elements {
      let told = element.collector.count
      guard let policy = PolicyReader.read(element) else { continue }
      if policies.contains(where: { $0.name == policy.name }), element.collector.count == told {
        element.report(
          "policy \"\(shortened(policy.name))\" is there already", hint: "give one a name:")
      }
      policies.append(policy)
    }
    return policies
  }

  private func reportUnused(_ clients: [(name: Field, value: Field)], in phases: [PhaseSpec]) {
    // Without phases that is the mistake to tell.
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

extension SizeDistribution {
  /// What a value is reckoned with against the limit of a table: the mean where the largest sizes are rare.
  fileprivate var reckoned: Double {
    switch self {
    case .fixed, .uniform: Double(greatest)
    case .logNormal, .mixture, .histogram: mean
    }
  }
}

/// What the machine and the reader's patience allow.
enum Limits {
  static let elements = 1000
  /// Tables, clients, arms and phases.
  static let named = 200
  static let expectations = 10_000
  static let rows = 10_000_000
  static let commits = 10_000_000
  static let valueBytes = 16 << 20
  static let tableBytes = Double(4 << 30)
  static let gapMicroseconds = 3650 * 86_400 * 1_000_000
}

/// The keys that stand for themselves.
private struct Texts {
  var name: String?
  var question: String?
  var description = ""
  var sources: [String] = []
  var keywords: [String] = []
  var seed: UInt64 = 1
  var isDurable = false

  init(_ keys: MappingReader, fileName: String?) {
    name = keys["scenario"].flatMap(Self.kebab)
    if let name, let fileName, name != fileName {
      keys["scenario"]?.report(
        "the scenario \"\(shortened(name))\" is in a file called \"\(shortened(fileName))\"",
        hint: "name both alike: reports go by the scenario's name")
    }
    question = keys["question"]?.text()
    description = keys["description"]?.text() ?? ""
    sources = keys["source"]?.oneOrMore("a list of texts")?.compactMap { $0.text() } ?? []
    keywords = keys["keywords"]?.list("a list of texts")?.compactMap { $0.text() } ?? []
    let parse = { (text: String) in QuantityText.unsigned(text[...]) }
    seed = keys["seed"]?.quantity("a whole number from 0 to 2^64 - 1", parse) ?? 1
    isDurable = keys["durability"]?.choice([("full", true), ("none", false)]) ?? false
  }

  private static func kebab(_ field: Field) -> String? {
    guard let text = field.text("a name") else { return nil }
    if !ScenarioName.isValid(text) {
      field.report("\"\(shortened(text))\" is no name in kebab-case", hint: ScenarioName.rule)
    }
    return text
  }
}
