// Clients whose purpose is to pin versions: holders of snapshots with lifetimes, observers, queued writers.
package import Generators

/// Takes snapshots and releases each at the end of its lifetime.
package struct PinsSpec: Hashable, Sendable, Codable {
  /// The kind of object that holds a snapshot.
  package enum Holder: String, Hashable, Sendable, Codable, CaseIterable {
    /// The client's own thread.
    case thread
    /// A task for each snapshot, suspended as long as it holds it.
    case tasks
    /// An actor.
    case actor
  }

  package var table: String
  /// The number of commits between two groups of snapshots.
  package var takeEveryCommits: Int
  /// Snapshots of one group, all of the same version.
  package var atOnce: Int
  /// The snapshots held at once; 0 for any number.
  package var maxHeld: Int
  /// `never` is a leak: the snapshot is released only when its launch ends.
  package var lifetime: LifetimeDistribution
  package var heldBy: Holder
  /// Rows read from each snapshot when it is taken.
  package var reads: Int
  package var keys: KeyDistribution

  /// The names of properties in records, which do not change with the language.
  private enum CodingKeys: String, CodingKey {
    case table, takeEveryCommits, atOnce, lifetime, heldBy, reads, keys
    case maxHeld = "most"
  }

  package init(
    table: String, takeEveryCommits: Int = 10, atOnce: Int = 1, maxHeld: Int = 0,
    lifetime: LifetimeDistribution, heldBy: Holder = .thread, reads: Int = 1,
    keys: KeyDistribution = .uniform
  ) {
    self.table = table
    self.takeEveryCommits = takeEveryCommits
    self.atOnce = atOnce
    self.maxHeld = maxHeld
    self.lifetime = lifetime
    self.heldBy = heldBy
    self.reads = reads
    self.keys = keys
  }
}

/// Observers of a table. Each holds the version that it reported last; after a commit it takes the newest, compares some
/// rows, and holds both versions until its callback returns.
package struct ObserverSpec: Hashable, Sendable, Codable {
  package var table: String
  package var observers: Int
  /// Commits that others make while a callback runs.
  package var callbackCommits: Int
  /// The commit of the phase from which on nothing is delivered; nil if the observer never stalls.
  package var stallsAfterCommits: Int?
  /// … for so many commits; nil for the rest of the phase.
  package var stallsForCommits: Int?
  /// Rows read from both versions at each delivery.
  package var reads: Int
  package var keys: KeyDistribution

  package init(
    table: String, observers: Int = 1, callbackCommits: Int = 0, stallsAfterCommits: Int? = nil,
    stallsForCommits: Int? = nil, reads: Int = 1, keys: KeyDistribution = .uniform
  ) {
    self.table = table
    self.observers = observers
    self.callbackCommits = callbackCommits
    self.stallsAfterCommits = stallsAfterCommits
    self.stallsForCommits = stallsForCommits
    self.reads = reads
    self.keys = keys
  }
}

/// Threads that queue for the write lock, first come, first served. Where they read before they wait, each pins the
/// version that it read until it has the lock.
package struct QueuedWriterSpec: Hashable, Sendable, Codable {
  package var writer: WriterSpec
  package var threads: Int
  /// Whether a thread holds a snapshot while it waits.
  package var holdsWhileQueued: Bool

  package init(writer: WriterSpec, threads: Int = 16, holdsWhileQueued: Bool = true) {
    self.writer = writer
    self.threads = threads
    self.holdsWhileQueued = holdsWhileQueued
  }
}
