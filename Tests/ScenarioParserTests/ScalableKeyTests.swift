// Keys whose amounts are varied: which ones they are, and that a scaled value is one that the key takes.
import Generators
import MetricModel
import ScenarioModel
import ScenarioParser
import TestSupport
import Testing

@Suite("Scalable keys")
struct ScalableKeyTests {
  private static let text = """
    scenario: sample
    question: What does it cost?
    parameters: { rows: 1_000 }
    seed: 71
    data:
      Item: { rows: $rows, value: { size: 256 B } }
    clients:
      writer: { kind: writer, transaction: { insert: 1, update: 10 }, rate: 1 per 2 min }
      holder: { kind: pins, take-every: 50 commits, lifetime: log-normal 200 commits 1.5 }
    arms:
      - usual:
      - fewer:
          clients: { writer: { transaction: { update: 5 } } }
          commits: { work: 40 }
    phases:
      - work: { commits: 100, run: [writer, holder: { take-every: 20 commits }] }
      - trim: { delete: 90 %, launches: 3 }
    launches: { count: 4, gap: log-normal 8 h sigma 1 }
    policies:
      - on-launch: totalBytes > 20 MB
    """

  private static let keys = [
    "data.Item.rows": "1_000", "data.Item.value.size": "256 B",
    "clients.writer.transaction.insert": "1", "clients.writer.transaction.update": "10",
    "clients.writer.rate": "1 per 2 min", "clients.holder.take-every": "50 commits",
    "clients.holder.lifetime": "log-normal 200 commits 1.5",
    "arms.fewer.clients.writer.transaction.update": "5", "arms.fewer.commits.work": "40",
    "phases.work.commits": "100", "phases.work.run.holder.take-every": "20 commits",
    "phases.trim.delete": "90 %", "launches.gap": "log-normal 8 h sigma 1",
  ]

  @Test("amounts of data and work are found under their paths, and nothing else is")
  func found() throws {
    let found = try ScenarioParser.scalableKeys(Self.text, file: "sample.yml")
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.path, $0.text) }) == Self.keys)
    let set = try ScenarioParser.scalableKeys(
      Self.text, file: "sample.yml",
      settings: [ScenarioSetting(option: "--set", name: "rows", value: "50")])
    #expect(set.first { $0.path == "data.Item.rows" }?.text == "50")
  }

  @Test("a value set by such a path is in the scenario, also in an arm and in a phase")
  func set() throws {
    let scenario = try ScenarioParser.parse(
      Self.text, file: "sample.yml",
      settings: Self.keys.map { path, text in
        ScenarioSetting(
          option: "--robustness", name: path,
          value: ScalableKey(path: path, text: text).scaled(by: 1.2, within: 0.2))
      })
    #expect(scenario.tables[0].rows == 1200)
    #expect(scenario.tables[0].valueSize == .fixed(307))
    #expect(scenario.phases.map(\.commits) == [120, 0])
    #expect(scenario.phases[1].deleteShare == 1)
    #expect(scenario.arms[1].commits == ["work": 48])
    guard case .writer(let writer) = scenario.arms[1].clients[0].kind,
      case .pins(let pins)? = scenario.arms[0].inPhases["work"]?.first?.kind
    else {
      Issue.record("there are no such clients")
      return
    }
    #expect(writer.inserts == 0 && writer.updates == 6)
    #expect(writer.load.rate == .perSecond(1.2 / 120))
    #expect(pins.takeEveryCommits == 24)
    #expect(pins.lifetime == .logNormal(median: 240, sigmaPermille: 1500))
  }

  @Test(
    "amounts are multiplied, and spreads, shares of mixtures and the time of a rate are not",
    arguments: [
      ("1_000", 0.85, "850"), ("1", 1.2, "1"), ("3", 1.2, "3"), ("5", 1.2, "6"), ("5", 1.08, "5"),
      ("0", 1.2, "0"), ("80 B to 400 B", 0.8, "64 B to 320 B"), ("81 B", 0.8, "65 B"),
      (
        "68 % 80 B to 400 B and 32 % 1 kB to 4 kB", 1.1,
        "68 % 88 B to 440 B and 32 % 1100 B to 4400 B"
      ),
      ("log-normal 3 kB sigma 0.9 up to 100 kB", 0.8, "log-normal 2400 B sigma 0.9 up to 80000 B"),
      ("histogram sizes.csv", 0.8, "histogram sizes.csv"), ("1.5kB", 0.8, "1200 B"),
      ("8 h", 1.2, "34560000000 us"),
      ("log-normal 3 h sigma 1", 0.8, "log-normal 8640000000 us sigma 1"),
      ("100 per s", 0.9, "90 per s"), ("5 per 10 ms", 0.9, "4.5 per 10 ms"),
      ("30/min", 0.8, "24/min"),
      ("70 % of maximum", 1.2, "84 % of maximum"), ("90 %", 1.2, "100 %"), ("0.9", 1.2, "1"),
      ("30 %", 0.85, "25.5 %"), ("50 commits", 0.8, "40 commits"),
      ("exponential 200 commits", 0.8, "exponential 160 commits"), ("never", 0.8, "never"),
      ("10 to 200 commits", 0.8, "8 to 160 commits"),
      ("pareto 50 commits 1.5", 1.1, "pareto 55 commits 1.5"),
    ])
  func scaled(text: String, factor: Double, expected: String) {
    let key = ScalableKey(path: "x", text: text)
    #expect(key.scaled(by: factor, within: 0.2) == expected)
  }

  @Test("every scalable value of the scenarios that ship is one that its key takes, at both ends")
  func shipped() throws {
    for text in try ShippedScenarios.texts() where !text.contains("histogram ") {
      let keys = try ScenarioParser.scalableKeys(text, file: "a.yml")
      #expect(!keys.isEmpty)
      for factor in [0.8, 1.2] {
        let settings = keys.map {
          ScenarioSetting(
            option: "--robustness", name: $0.path, value: $0.scaled(by: factor, within: 0.2))
        }
        let varied = try ScenarioParser.parse(text, file: "a.yml", settings: settings)
        #expect(varied.launches == (try ScenarioParser.parse(text, file: "a.yml")).launches)
      }
    }
  }

  @Test("the schema marks rows and rates, and neither seeds nor threads")
  func schema() {
    let tables = Dictionary(uniqueKeysWithValues: ScenarioKeys.all.map { ($0.name, $0) })
    for (table, key, isScalable) in [
      ("table", "rows", true), ("writer", "rate", true), ("phase", "delete", true),
      ("scenario", "seed", false), ("queued-writers", "threads", false),
      ("launches", "count", false),
      ("limits", "disk", false), ("sample", "every", false),
    ] {
      #expect(tables[table]?.key(key)?.isScalable == isScalable, "\(table).\(key)")
    }
  }
}
