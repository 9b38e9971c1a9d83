// What clients of lookups did in a repetition: how many transactions, how fast, how long each took, and how old the versions
// became that they read.

/// The lookups of one client over all phases in which it ran.
package struct LookupFigures: Sendable, Codable, Equatable {
  package var client: String
  /// By number, from 0.
  package var threads: [LookupSpan]
  package var together: LookupSpan
  /// Transactions that began before the first compaction of their phase, while one was going on, and after it; nil for
  /// no such transaction, or no compaction.
  package var beforeCompaction: LookupSpan?
  package var duringCompaction: LookupSpan?
  package var afterCompaction: LookupSpan?
  /// Commits of others between the beginning of a snapshot and its end.
  package var snapshotCommits: LatencyPercentiles
  /// The scheduled rate per second of all threads in the last phase; nil in a closed loop.
  package var rate: Double?
  /// The rate without a schedule, measured at the start of that phase, if the scheduled rate is a share of it.
  package var maximumRate: Double?
  /// Reads that found no row, since another client deleted it; nil over an engine that stores none.
  package var missingRows: Int?

  package init(
    client: String, threads: [LookupSpan], together: LookupSpan,
    snapshotCommits: LatencyPercentiles
  ) {
    self.client = client
    self.threads = threads
    self.together = together
    self.snapshotCommits = snapshotCommits
  }
}

/// Some of the transactions of a client of lookups.
package struct LookupSpan: Sendable, Codable, Equatable {
  package var transactions: Int
  /// Rows read by key, and scans.
  package var operations: Int
  /// The time in which they were made, by the machine's clock; nil where that is not a time of their own.
  package var nanoseconds: Int?
  /// From the beginning of each transaction to its end, in nanoseconds.
  package var service: LatencyPercentiles
  /// From the time at which it was scheduled to begin; `none` in a closed loop and on the virtual clock.
  package var intended: LatencyPercentiles

  package init(
    transactions: Int = 0, operations: Int = 0, nanoseconds: Int? = nil,
    service: LatencyPercentiles = .none, intended: LatencyPercentiles = .none
  ) {
    self.transactions = transactions
    self.operations = operations
    self.nanoseconds = nanoseconds
    self.service = service
    self.intended = intended
  }

  /// Transactions per second; nil where their time is not known.
  package var perSecond: Double? {
    guard let nanoseconds, nanoseconds > 0 else { return nil }
    return Double(transactions) * 1e9 / Double(nanoseconds)
  }
}

/// Percentiles of a count of values, correct to a thousandth of each; the maximum is exact.
package struct LatencyPercentiles: Hashable, Sendable, Codable {
  package var count: Int
  package var p50: Int
  package var p90: Int
  package var p99: Int
  package var p999: Int
  package var max: Int

  /// Of nothing.
  package static let none = LatencyPercentiles(count: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0)

  package init(count: Int, p50: Int, p90: Int, p99: Int, p999: Int, max: Int) {
    self.count = count
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.p999 = p999
    self.max = max
  }
}
