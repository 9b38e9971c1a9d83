// The keys of a population file, declared as those of a scenario are.
import FleetModel
import Generators
import MetricModel

package enum PopulationKeys {
  /// The tables of all blocks, in the order of the manual.
  package static let all: [KeyTable] = [population.table, group.table, pins.table]

  static let population = Block("population", PopulationDraft()) {
    Key("population", \.name, .text, default: .required, "The name in reports.")
    Key("source", \.source, .text, "Where the figures are from: logs, or an estimate.")
    Key("seed", \.seed, .populationSeed, "From which every device is drawn.")
    Key(
      "groups", \.groups,
      .later("mapping: name → group", schema: .mapping(.ref("group"))), default: .required,
      "Devices of one kind of use each.")
  }

  static let group = Block("group", DeviceGroup.unspecified) {
    Key(
      "share", \.share, .share, default: "1, so that groups without shares are alike",
      "The group's share of all devices; only the proportions count.")
    Key(
      "engine", \.engine, .choice(ScenarioParser.engines.map { ($0, $0) }), "The engine.")
    Key("data", \.data, .quantity(.bytes), default: .required, "Values on the first day.")
    Key("value", \.value, .quantity(.bytes), default: .required, "The size of one value.")
    Key(
      "growth", \.growth, .quantity(.bytes), default: "0 B",
      "By how much the values grow in a day.")
    Key(
      "commits", \.commits, .quantity(.count), default: .required, "Write transactions in a day.")
    Key("writes", \.writes, .count(1...10_000), "Rows that a transaction writes.")
    Key(
      "replaced", \.replaced, .share, default: "0 %",
      "The share of written rows that replace a deleted one; the rest update rows.")
    Key("keys", \.keys, .keys, "The rows that are written.")
    Key("launches", \.launches, .quantity(.count), default: .required, "Launches in a day.")
    Key("pins", \.pins, .block(pins), default: "none", "Snapshots that readers hold.")
    Key(
      "available", \.available, .quantity(.bytes), default: "no limit",
      "Disk space available beside the database on the first day.")
  }

  static let pins = Block(
    "pins-of-group", PinPattern(takeEveryCommits: 10, lifetime: .never)
  ) {
    Key("take-every", \.takeEveryCommits, .commits(1...1_000_000), "When the next is taken.")
    Key(
      "lifetime", \.lifetime, .lifetime, default: .required,
      "How long each is held, at most until its launch ends.")
  }
}

struct PopulationDraft {
  var name = ""
  var source = ""
  var seed: UInt64 = 1
  var groups: Field?
}

extension DeviceGroup {
  fileprivate static let unspecified = DeviceGroup(
    name: "", data: .fixed(0), value: .fixed(0), commits: .fixed(0), launches: .fixed(0))
}

extension ValueType where Value == UInt64 {
  fileprivate static var populationSeed: Self {
    Self(
      "whole number", schema: .ref("count"), expected: "a whole number from 0 to 2^64 - 1",
      written: { "\($0)" },
      read: { field, expected in field.quantity(expected) { QuantityText.unsigned($0[...]) } })
  }
}
