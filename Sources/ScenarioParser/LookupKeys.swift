// Lookups: threads that read at a rate of their own.
import Generators
import MetricModel
import ScenarioModel

/// A client of lookups as its keys give it.
struct LookupDraft {
  var spec = LookupSpec(table: "")
  var load = LoadDraft()

  init() {}

  /// The draft that gives the client.
  init(_ spec: LookupSpec) {
    self.spec = spec
    load = LoadDraft(spec.load)
  }
}

extension ScenarioKeys {
  static let lookups = Block.client("lookups", LookupDraft(), on: \.spec.table) {
    Key("threads", \.spec.threads, .count(1...64), "Threads that read beside each other.")
    Key(
      "read", \.spec.reads, .count(0...100_000).scalable,
      "Rows read by key in one read transaction.")
    Key(
      "scan", \.spec.scans, .count(0...1_000).scalable,
      "Scans in key order in one read transaction, after its reads.")
    Key("scan-length", \.spec.scanLength, .count(1...1_000_000).scalable, "Rows of one scan.")
    Key.keys(\.spec.keys)
    Key(
      "snapshot", \.spec.transactionsPerSnapshot, .snapshotUse,
      "Whether each transaction reads the newest version, or a thread keeps one for several.")
    Key(
      "timed", \.spec.timing, .choice,
      "What is timed; `each operation` times the transactions as well.")
    Key(
      "rate", \.load.rate, .rateOrShare.scalable, default: "100 per s",
      "Transactions in virtual time: of each thread in a closed loop, of all together by a schedule."
    )
    loadKeys.filter { $0.name != "rate" }.map { $0.within(\.load) }
  } check: { lookups, keys in
    lookups.spec.load = lookups.load.load { keys[$0, of: \.load] }
    if lookups.spec.operations == 0, keys.isClean {
      keys.report("the transactions read nothing", hint: "give it read or scan")
    }
  }
}

extension ValueType where Value == Int {
  /// How many transactions of a thread read one version.
  fileprivate static var snapshotUse: Self {
    .phrases([
      .words("for each transaction", 1),
      .number("kept for n transactions", 2...1_000_000) { $0 },
    ])
  }
}
