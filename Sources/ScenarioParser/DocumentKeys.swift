// The keys of a scenario itself, of its tables, and of how it is measured.
import Generators
import MetricModel
import Objective
import ScenarioModel

/// The keys of a scenario. Those that refer to other parts are read after these.
struct ScenarioDraft {
  var name: Field?
  var question: String?
  var description = ""
  var sources: [String] = []
  var keywords: [String] = []
  var seed: UInt64 = 1
  var isDurable = false
  var parameters: Field?
  var tables: Field?
  var isSeeded = false
  var clients: Field?
  var arms: Field?
  var phases: Field?
  var launches = LaunchDraft()
  var engines: Field?
  var policies: Field?
  var comparator: Comparator?
  var sampling = SamplingSpec()
  var objective: Objective?
  var expectations: Field?
}

extension ScenarioKeys {
  static let scenario = Block("scenario", ScenarioDraft()) {
    Key(
      "scenario", \.name, .later("name in kebab-case", schema: .kebabCase), default: .required,
      "The name in reports; the file is named alike.")
    Key(
      "question", \.question, .text, default: .required,
      "The question that the experiment answers.")
    Key("description", \.description, .text, "How the problem comes about.")
    Key(
      "source", \.sources, .textOrTexts, default: "none", "The documents and threads behind it.")
    Key("keywords", \.keywords, .texts, default: "none", "Words to find the scenario by.")
    Key("seed", \.seed, .seed, "Where all random choices begin.")
    Key(
      "durability", \.isDurable, .choice([("full", true), ("none", false)]),
      "Whether a commit is on disk when it returns.")
    Key(
      "parameters", \.parameters,
      .later(
        "mapping: name → value",
        schema: .mapping(.object(("type", .list([.text("string"), .text("number")]))))),
      default: "none",
      "Values that are used as `$name` in other keys, and that `--set` and `sweep` vary.")
    Key(
      "data", \.tables,
      .later("mapping: name → table", schema: .mapping(.ref(table.table.name))),
      default: .required, "The tables and what they begin with.")
    Key(
      "seed-file", \.isSeeded, .flag,
      "Whether the first launch finds the tables' rows in a compacted copy, as an app ships with one."
    )
    Key(
      "clients", \.clients,
      .later(
        "mapping: name → client",
        schema: .mapping(.anyOf(clientKinds.map { SchemaNode.ref($0.name) }))), default: .required,
      "The clients that work on the database.")
    Key(
      "arms", \.arms,
      .later(
        "list of name: arm",
        schema: .listOf(.single(.anyOf([.ref(arm.table.name), .object(("type", .text("null")))])))),
      default: "one arm, `default`, with the clients as they are",
      "Ways in which the clients behave; the first is what users do, the others are mitigations.")
    Key(
      "phases", \.phases,
      .later("list of name: phase", schema: .listOf(.single(.ref(phase.table.name)))),
      default: .required, "The parts of a launch, in order.")
    Key(
      "launches", \.launches, .launchPlan,
      "How often the phases are gone through; the database is closed and opened in between.")
    Key(
      "engines", \.engines,
      .later(
        "list of engines",
        schema: .oneOrMore(
          .object(("enum", .list(ScenarioParser.engines.map(SchemaNode.text) + [.null]))))),
      default: .words("`[\(ScenarioParser.defaultEngines.joined(separator: ", "))]`"),
      "The engines that the scenario is replayed on.")
    Key(
      "policies", \.policies, .later("list of policies", schema: .listOf(PolicyReader.schema)),
      default: .required, "When the database is compacted, one after the other.")
    Key(
      "comparator", \.comparator, .choice, default: "`never`",
      "What the policies are compared with; `never` is run even where `policies` lacks it.")
    Key(
      "objective", \.objective, .block(objective), default: "the prices below, without limits",
      "What the verdict, `optimum` and `tune` rank policies by.")
    Key(
      "sample", \.sampling, .block(sample), default: "every 50 commits, 100 ms",
      "How often to measure.")
    Key(
      "expect", \.expectations,
      .later("list of expectations", schema: .listOf(.ref(expectation.table.name))),
      default: "none", "Sentences that the run may prove false.")
  }

  static let table = Block("table", TableSpec(name: "", rows: 1, valueSize: .fixed(1))) {
    Key(
      "rows", \.rows, .count(1...Limits.rows).scalable, default: .required,
      "Rows loaded before the first phase of the first launch.")
    Key("value", \.valueSize, .block(value), default: .required, "What the rows hold.")
    Key(
      "shape", \.shape, .shape, default: "none",
      "What each row has besides, as the objects of an app's model have it.")
  } check: { table, keys in
    if Double(table.rows) * table.valueSize.reckoned > Limits.tableBytes {
      keys.report("the table may hold more than 4 GiB", hint: "use fewer or smaller rows")
    }
  }

  static let value = Block("value", SizeDistribution.fixed(1)) {
    Key("size", \.self, .sizes.scalable, default: .required, "Bytes of each value.")
  }

  static let sample = Block("sample", SamplingSpec()) {
    Key(
      "every", \.everyCommits, .commits(1...1_000_000),
      "Commits between two rows of samples.csv; phases begin and end with one.")
    Key(
      "wall", \.everyMilliseconds, .milliseconds(1000...3_600_000_000),
      "Time between two rows of timings.csv, on the wall clock.")
  }
}

extension ValueType where Value == RowShape {
  fileprivate static var shape: Self {
    .phrases([
      .number("links n", 1...64) { .links($0) },
      .words("list", .list),
      .number("tree of n", 1...16) { .tree($0) },
      .number("indexes n", 1...4) { .indexes($0) },
    ])
  }
}

extension SchemaNode {
  fileprivate static let kebabCase = object(
    ("type", .text("string")), ("pattern", .text("^[a-z0-9]+(-[a-z0-9]+)*$")),
    ("maxLength", .number(ScenarioName.maxLength)))
}

extension ValueType where Value == UInt64 {
  fileprivate static var seed: Self {
    Self(
      "whole number", schema: .ref("count"), expected: "a whole number from 0 to 2^64 - 1",
      written: { "\($0)" },
      read: { field, expected in field.quantity(expected) { QuantityText.unsigned($0[...]) } })
  }
}

extension SizeDistribution {
  /// The bytes of a value that count against the limit of a table: the mean if the largest sizes are rare.
  fileprivate var reckoned: Double {
    switch self {
    case .fixed, .uniform: Double(greatest)
    case .logNormal, .mixture, .histogram: mean
    }
  }
}
