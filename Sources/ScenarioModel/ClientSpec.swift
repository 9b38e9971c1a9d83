// The clients of a scenario: one logical stream of operations each.
package import Generators

package struct ClientSpec: Hashable, Sendable, Codable {
  package enum Kind: Hashable, Sendable, Codable {
    case writer(WriterSpec)
    case reader(ReaderSpec)
    case queues(QueueSpec)
    case frozen(FrozenSpec)
    case pins(PinsSpec)
    case observers(ObserverSpec)
    case queuedWriters(QueuedWriterSpec)
    case process(ProcessSpec)
    case savepoint(SavepointSpec)
    case checkpoints(CheckpointSpec)
    case probe(ProbeSpec)
    case lookups(LookupSpec)
  }

  package var name: String
  package var kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// Commits write transactions, one after the other, as long as its phase runs.
package struct WriterSpec: Hashable, Sendable, Codable {
  package var table: String
  /// Operations of one transaction.
  package var inserts: Int
  package var updates: Int
  package var deletes: Int
  package var reads: Int
  /// Scans of `scanLength` rows.
  package var scans: Int
  package var scanLength: Int
  package var keys: KeyDistribution
  /// The oscillation of the table's number of rows; nil if only `inserts` and `deletes` change it.
  package var oscillation: RowOscillation?
  /// The schedule of the transactions.
  package var load: LoadSpec
  /// The sizes of the values that it writes; nil for the table's.
  package var valueSize: SizeDistribution?
  /// Whether each transaction is the table anew; nil for the operations above.
  package var reload: Reload?
  /// Elements appended to lists, each to that of a row; nil for none.
  package var appends: Int?
  /// Elements removed from the front of lists, each from that of a row; nil for none.
  package var removals: Int?

  /// The names of properties in records, which do not change with the language.
  private enum CodingKeys: String, CodingKey {
    case table, inserts, updates, deletes, reads, scans, scanLength, keys, load, valueSize, reload
    case appends, removals
    case oscillation = "sway"
  }

  /// A reload deletes every row and inserts as many as the table began with under new keys.
  package enum Reload: String, Hashable, Sendable, Codable, CaseIterable {
    case inOneTransaction = "in one transaction"
    /// Deleted in one, inserted in the next.
    case inTwoTransactions = "in two transactions"
  }

  package init(
    table: String, inserts: Int = 0, updates: Int = 0, deletes: Int = 0, reads: Int = 0,
    scans: Int = 0, scanLength: Int = 100, keys: KeyDistribution = .uniform,
    rate: Double = LoadSpec.standardRate, load: LoadSpec? = nil
  ) {
    self.table = table
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
    self.reads = reads
    self.scans = scans
    self.scanLength = scanLength
    self.keys = keys
    self.load = load ?? LoadSpec(rate: .perSecond(rate))
  }
}

/// A table that fills and empties repeatedly, as a triangle wave over the writer's commits. It begins full.
package struct RowOscillation: Hashable, Sendable, Codable {
  /// The smallest and the largest number of rows, in thousandths of those that the table begins with.
  package var minPermille: Int
  package var maxPermille: Int
  /// The commits of a period: from full over empty to full again.
  package var periodCommits: Int

  /// The names of properties in records, which do not change with the language.
  private enum CodingKeys: String, CodingKey {
    case minPermille = "leastPermille"
    case maxPermille = "mostPermille"
    case periodCommits
  }

  package init(minPermille: Int, maxPermille: Int, periodCommits: Int) {
    self.minPermille = minPermille
    self.maxPermille = maxPermille
    self.periodCommits = periodCommits
  }

  /// The rows that a table which began with `rows` has after the writer's n-th commit in a phase, n from 1.
  package func rows(of rows: Int, afterCommit commit: Int) -> Int {
    let position = commit % periodCommits
    let distance = min(position, periodCommits - position)
    let span = maxPermille - minPermille
    return rows * (maxPermille * periodCommits - 2 * span * distance) / (1000 * periodCommits)
  }
}

/// Makes a savepoint of its own name when its phase begins, or drops it: a version that no process holds, and that
/// survives closing and crashing.
package struct SavepointSpec: Hashable, Sendable, Codable {
  package enum Action: String, Hashable, Sendable, Codable, CaseIterable {
    case makes, drops
  }

  package var action: Action

  /// The names of properties in records, which do not change with the language.
  private enum CodingKeys: String, CodingKey { case action = "deed" }

  package init(action: Action = .makes) { self.action = action }
}

/// A thread that reads some rows and then blocks on something long: the documents' thread A.
package struct ReaderSpec: Hashable, Sendable, Codable {
  /// The state of the read transaction while the thread is blocked.
  package enum WhileBlocked: Hashable, Sendable, Codable {
    /// The read transaction stays open: its version is pinned until the phase ends.
    case holds
    /// `invalidate()` before blocking: nothing is pinned.
    case invalidates
    /// The thread wakes after every n commits, refreshes to the newest version, reads again, and blocks again.
    case refreshes(everyCommits: Int)
  }

  package var table: String
  /// Rows read after beginning and after each refresh.
  package var reads: Int
  package var keys: KeyDistribution
  package var whileBlocked: WhileBlocked

  package init(
    table: String, reads: Int = 1, keys: KeyDistribution = .uniform,
    whileBlocked: WhileBlocked = .holds
  ) {
    self.table = table
    self.reads = reads
    self.keys = keys
    self.whileBlocked = whileBlocked
  }
}

/// Background jobs on dispatch queues. Each job opens a handle (a snapshot), reads, and ends; `release` says when the handle
/// is released.
package struct QueueSpec: Hashable, Sendable, Codable {
  package enum Release: Hashable, Sendable, Codable {
    /// An explicit pool around the block: the handle is released when the block ends.
    case atEndOfBlock
    /// The queue's pool drains late: after so many more commits.
    case late(afterCommits: Int)
    /// The queue's pool drains once the queue had no job for so many commits.
    case idle(forCommits: Int)
    /// The queue's pool never drains while the phase lasts.
    case never
  }

  package var table: String
  /// Real dispatch queues; jobs go to them in turn.
  package var queues: Int
  package var isConcurrent: Bool
  /// Whether all queues target one serial queue, so that one block of them runs at a time.
  package var isTargeted: Bool
  /// The number of commits between two jobs.
  package var jobEveryCommits: Int
  /// Rows that a job reads.
  package var reads: Int
  package var keys: KeyDistribution
  package var release: Release

  package init(
    table: String, queues: Int = 4, isConcurrent: Bool = false, isTargeted: Bool = false,
    jobEveryCommits: Int = 10,
    reads: Int = 1, keys: KeyDistribution = .uniform, release: Release
  ) {
    self.table = table
    self.queues = queues
    self.isConcurrent = isConcurrent
    self.isTargeted = isTargeted
    self.jobEveryCommits = jobEveryCommits
    self.reads = reads
    self.keys = keys
    self.release = release
  }
}

/// A sliding window of frozen objects: takes a snapshot after every n commits, and releases the oldest when the window is
/// full.
package struct FrozenSpec: Hashable, Sendable, Codable {
  package var table: String
  package var takeEveryCommits: Int
  /// Snapshots held at once; 0 for releasing none while the phase lasts.
  package var window: Int
  package var reads: Int
  package var keys: KeyDistribution

  package init(
    table: String, takeEveryCommits: Int = 10, window: Int, reads: Int = 1,
    keys: KeyDistribution = .uniform
  ) {
    self.table = table
    self.takeEveryCommits = takeEveryCommits
    self.window = window
    self.reads = reads
    self.keys = keys
  }
}
