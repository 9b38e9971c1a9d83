// Threads that read at a rate of their own, beside writers or alone.
package import Generators
package import MetricModel

/// Threads that make short read transactions, one after the other, as long as their phase runs.
package struct LookupSpec: Hashable, Sendable, Codable {
  /// What is timed. Reading the clock takes about as long as the fastest reads.
  package enum Timing: String, Hashable, Sendable, Codable, CaseIterable {
    case transactions = "each transaction"
    /// Also each read and scan of a transaction.
    case operations = "each operation"
  }

  package var table: String
  package var threads: Int
  /// Rows read by key in one transaction.
  package var reads: Int
  /// Scans of `scanLength` rows in one transaction, after its reads.
  package var scans: Int
  package var scanLength: Int
  package var keys: KeyDistribution
  /// When transactions come. A closed loop's rate, on the virtual clock, is that of each thread; an open loop's is that of
  /// all threads together, and the thread that is free first takes the next transaction.
  package var load: LoadSpec
  /// How many transactions of a thread read the same version; 1 for a snapshot of each.
  package var transactionsPerSnapshot: Int
  package var timing: Timing

  package init(
    table: String, threads: Int = 1, reads: Int = 0, scans: Int = 0, scanLength: Int = 100,
    keys: KeyDistribution = .uniform, load: LoadSpec = LoadSpec(),
    transactionsPerSnapshot: Int = 1, timing: Timing = .transactions
  ) {
    self.table = table
    self.threads = threads
    self.reads = reads
    self.scans = scans
    self.scanLength = scanLength
    self.keys = keys
    self.load = load
    self.transactionsPerSnapshot = transactionsPerSnapshot
    self.timing = timing
  }

  /// The operations of one transaction.
  package var operations: Int { reads + scans }
}

/// How long lookups go on in a phase without commits.
package enum LookupExtent: Hashable, Sendable, Codable {
  /// So many read transactions of each client, over its threads.
  case transactions(Int)
  /// On the virtual clock under the stepped schedule, on the machine's under the threads schedule.
  case time(VirtualTime)
}

extension PhaseSpec {
  /// How long lookups go on; nil for until the writers have made their commits.
  package var lookupExtent: LookupExtent? {
    lookupTransactions.map { .transactions($0) } ?? lookupTime.map { .time($0) }
  }
}
