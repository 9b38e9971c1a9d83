// The figures of a run's summary: each with its unit, the better direction, its repeatability and its meaning.
// Reports/Metrics.md is made from this table.

/// A figure of a repetition.
package struct Metric: Hashable, Sendable {
  package enum Unit: String, Sendable, CaseIterable {
    case bytes
    case nanoseconds = "ns"
    case ratio
    case count
    case perSecond = "per s"
  }

  package enum Polarity: String, Sendable, CaseIterable {
    case lowerIsBetter = "lower"
    case higherIsBetter = "higher"
    /// An amount of work: neither direction is better.
    case neutral = "–"
  }

  package enum Repeatability: String, Sendable, CaseIterable {
    /// Repeats bit for bit under the stepped schedule: any difference is a finding.
    case exact
    /// Depends on the machine's clock or memory: compared as medians with intervals only.
    case noisy
  }

  /// The name of its column in summary.csv, with the unit.
  package let column: String
  /// The name in the report's tables.
  package let title: String
  package let unit: Unit
  package let polarity: Polarity
  package let repeatability: Repeatability
  /// The formula, or the quantity that is counted; for Reports/Metrics.md.
  package let meaning: String

  /// The rule by which two values are compared.
  package enum Comparison: String, Sendable, CaseIterable, Codable {
    /// Compared by subtraction: a difference of one byte is a difference.
    case exact
    /// Exact for each seed, and different between seeds: paired by seed over many of them.
    case seedVarying = "seed-varying"
    /// Side by side in one job only, in randomized blocks; never with a stored value.
    case noisy
  }

  /// Returns the rule for runs of this kind: figures are exact only under the stepped schedule and for one seed.
  package func comparison(isStepped: Bool, seeds: Int) -> Comparison {
    guard repeatability == .exact, isStepped else { return .noisy }
    return seeds > 1 ? .seedVarying : .exact
  }

  /// Returns whether a value is better than another; false if the metric is neutral.
  package func isBetter(_ value: Double, than other: Double) -> Bool {
    switch polarity {
    case .lowerIsBetter: value < other
    case .higherIsBetter: value > other
    case .neutral: false
    }
  }

  /// The metric of a column.
  package static func of(column: String) -> Metric? { all.first { $0.column == column } }

  /// The metric of a figure in a baseline, a history or a threshold: of a run, or of an optimum.
  package static func stored(_ column: String) -> Metric? {
    of(column: column) ?? regrets.first { $0.column == column }
  }
}

extension Metric {
  /// All metrics, in the order of the report.
  package static let all: [Metric] = space + work + times

  /// The figures of a policy in the record of an optimum.
  package static let regrets = [regret, regretPoints]

  package static let regret = Metric(
    column: "regret", title: "regret", unit: .ratio, polarity: .lowerIsBetter,
    repeatability: .exact,
    meaning: "cost above the optimum ÷ the optimum's cost; none where the optimum costs nothing")

  package static let regretPoints = Metric(
    column: "regret_points", title: "regret in points", unit: .count, polarity: .lowerIsBetter,
    repeatability: .exact, meaning: "cost above the optimum, in points of the objective")

  private static let space = [
    Metric(
      column: "high_water_bytes", title: "high-water mark", unit: .bytes,
      polarity: .lowerIsBetter, repeatability: .exact,
      meaning: "largest size of all files in any sample"),
    Metric(
      column: "final_bytes", title: "final size", unit: .bytes, polarity: .lowerIsBetter,
      repeatability: .exact, meaning: "size of all files in the last sample"),
    Metric(
      column: "final_live_bytes", title: "final live bytes", unit: .bytes, polarity: .neutral,
      repeatability: .exact, meaning: "live bytes in the last sample"),
    Metric(
      column: "time_weighted_bytes", title: "time-weighted size", unit: .bytes,
      polarity: .lowerIsBetter, repeatability: .exact,
      meaning: "mean size of all files over virtual time, the time between launches included"),
    Metric(
      column: "time_weighted_open_bytes", title: "time-weighted size while open", unit: .bytes,
      polarity: .lowerIsBetter, repeatability: .exact,
      meaning: "the same over the time within launches only"),
    Metric(
      column: "space_amplification", title: "space amplification", unit: .ratio,
      polarity: .lowerIsBetter, repeatability: .exact, meaning: "final size ÷ final live bytes"),
    Metric(
      column: "peak_disk_bytes", title: "peak disk use", unit: .bytes, polarity: .lowerIsBetter,
      repeatability: .exact,
      meaning:
        "allocated pages of all files at the worst moment, temporary and half-made ones included"
    ),
  ]

  private static let work = [
    Metric(
      column: "rewritten_bytes", title: "bytes rewritten", unit: .bytes, polarity: .lowerIsBetter,
      repeatability: .exact, meaning: "bytes that compactions wrote again"),
    Metric(
      column: "written_bytes", title: "bytes written", unit: .bytes, polarity: .lowerIsBetter,
      repeatability: .exact, meaning: "bytes that the engine passed to the operating system"),
    Metric(
      column: "write_amplification", title: "write amplification", unit: .ratio,
      polarity: .lowerIsBetter, repeatability: .exact,
      meaning: "bytes written ÷ bytes of keys and values that clients wrote"),
    Metric(
      column: "compactions", title: "compactions", unit: .count, polarity: .neutral,
      repeatability: .exact,
      meaning: "compactions that ended, the file shortened or replaced"),
    Metric(
      column: "commits", title: "commits", unit: .count, polarity: .neutral, repeatability: .exact,
      meaning: "write transactions committed"),
    Metric(
      column: "operations", title: "operations", unit: .count, polarity: .neutral,
      repeatability: .exact,
      meaning: "rows inserted, updated, deleted, read, and scans"),
    Metric(
      column: "lookups", title: "lookups", unit: .count, polarity: .neutral,
      repeatability: .exact, meaning: "read transactions of clients of lookups"),
    Metric(
      column: "lookup_snapshot_commits_max", title: "longest life of a lookup's snapshot",
      unit: .count, polarity: .neutral, repeatability: .exact,
      meaning: "most commits of others while a lookup read one version"),
  ]

  private static let times = [
    timed(
      "blocked_at_launch_total_ns", "blocked at launch",
      "time for which opening holds up the launching thread, over all launches"),
    timed("blocked_at_launch_max_ns", "blocked at launch, worst", "longest such time"),
    timed("commit_p50_ns", "commit latency p50", "half of the commits took at most this long"),
    timed("commit_p99_ns", "commit latency p99", "99 of 100 commits took at most this long"),
    timed("commit_max_ns", "commit latency max", "the slowest commit"),
    timed("read_p50_ns", "read latency p50", "half of the reads took at most this long"),
    timed("read_p99_ns", "read latency p99", "99 of 100 reads took at most this long"),
    timed("read_max_ns", "read latency max", "the slowest read"),
    timed("write_p50_ns", "write latency p50", "half of the rows written took at most this long"),
    timed("write_p99_ns", "write latency p99", "99 of 100 rows written took at most this long"),
    timed("write_max_ns", "write latency max", "the slowest row written"),
    timed(
      "intended_p50_ns", "latency from the intended time p50",
      "half of the transactions of open loops were committed at most this long after their time"),
    timed(
      "intended_p99_ns", "latency from the intended time p99",
      "99 of 100 of them were committed at most this long after their time"),
    timed(
      "intended_max_ns", "latency from the intended time max",
      "the transaction committed longest after its time"),
    timed(
      "lock_wait_p50_ns", "wait for the write lock p50",
      "half of the transactions of several writers waited at most this long for the write lock"),
    timed(
      "lock_wait_p99_ns", "wait for the write lock p99",
      "99 of 100 of them waited at most this long"),
    timed("lock_wait_max_ns", "wait for the write lock max", "the longest such wait"),
    Metric(
      column: "lookups_per_s", title: "lookups per second", unit: .perSecond,
      polarity: .higherIsBetter, repeatability: .noisy,
      meaning: "read transactions of all clients of lookups together ÷ the time in which they ran"),
    timed("lookup_p50_ns", "lookup latency p50", "half of the lookups took at most this long"),
    timed("lookup_p99_ns", "lookup latency p99", "99 of 100 lookups took at most this long"),
    timed("lookup_p999_ns", "lookup latency p99.9", "999 of 1,000 lookups took at most this long"),
    timed("lookup_max_ns", "lookup latency max", "the slowest lookup"),
    timed(
      "lookup_intended_p50_ns", "lookup latency from the intended time p50",
      "half of the lookups of open loops ended at most this long after their time"),
    timed(
      "lookup_intended_p99_ns", "lookup latency from the intended time p99",
      "99 of 100 of them ended at most this long after their time"),
    timed(
      "lookup_intended_p999_ns", "lookup latency from the intended time p99.9",
      "999 of 1,000 of them ended at most this long after their time"),
    timed(
      "lookup_intended_max_ns", "lookup latency from the intended time max",
      "the lookup that ended longest after its time"),
    timed("sampling_ns", "sampling time", "time that sampling the database and the machine took"),
    timed("wall_ns", "wall time", "from the start of the cell's process to its end"),
    timed("processor_time_ns", "processor time", "user and system time of the cell's process"),
    Metric(
      column: "peak_memory_bytes", title: "peak memory", unit: .bytes, polarity: .lowerIsBetter,
      repeatability: .noisy, meaning: "largest resident memory of the cell's process"),
    Metric(
      column: "peak_anonymous_memory_bytes", title: "peak anonymous memory", unit: .bytes,
      polarity: .lowerIsBetter, repeatability: .noisy,
      meaning: "largest part of it that belongs to no file, of all readings"),
    Metric(
      column: "peak_file_memory_bytes", title: "peak mapped files in memory", unit: .bytes,
      polarity: .lowerIsBetter, repeatability: .noisy,
      meaning: "largest part of it that is pages of mapped files, of all readings"),
  ]

  private static func timed(_ column: String, _ title: String, _ meaning: String) -> Metric {
    Metric(
      column: column, title: title, unit: .nanoseconds, polarity: .lowerIsBetter,
      repeatability: .noisy,
      meaning: meaning)
  }
}
