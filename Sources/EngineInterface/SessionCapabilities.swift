// What sessions of some engines can do beyond the contract's core: one protocol for each capability, and an engine
// declares it by conforming. Callers ask a session for it by `capability`.
package import MetricModel
package import SystemIO

extension EngineSession {
  package func capability<Capability>(_ type: Capability.Type) -> Capability? {
    self as? Capability
  }

  /// The session with a capability that the caller cannot do without. Error `unsupported` where the engine lacks it.
  package func require<Capability>(
    _ type: Capability.Type, for action: @autoclosure () -> String
  ) throws(EngineError) -> Capability {
    if let capable = capability(type) { return capable }
    throw EngineError(
      engine: "\(Self.self)", code: .unsupported,
      message: "\(action()): this engine cannot do that; leave it out, or take another")
  }
}

/// Reports how many versions are readable.
package protocol VersionCounting {
  /// Versions that are readable, the newest among them; nil where the session has no record of them.
  func liveVersions() throws(EngineError) -> Int?
}

/// Reports which pin keeps which space from being reused.
package protocol PinInspecting {
  /// All pins, oldest version first.
  func pins() throws(EngineError) -> [EnginePin]
}

/// A pin and what is retained for it, exactly.
package struct EnginePin: Sendable, Equatable {
  /// The label given to `beginSnapshot`, or the snapshot's `pinLabel`.
  package var label: String
  /// Retained for this pin: with others, and for it alone. Ending it frees the latter.
  package var retained: ByteCount
  package var exclusive: ByteCount

  package init(label: String, retained: ByteCount, exclusive: ByteCount) {
    self.label = label
    self.retained = retained
    self.exclusive = exclusive
  }
}

/// Frees the entries of dead processes in a reader table when it is asked to.
package protocol DeadReaderFreeing {
  /// Frees the entries of readers whose process is dead, and returns how many there were.
  func freeDeadReaders() throws(EngineError) -> Int
}

/// Stores versions by name in the file, over closing, until they are dropped.
package protocol SavepointStoring {
  /// Makes a savepoint of the newest version.
  func makeSavepoint(_ name: String) throws(EngineError)

  /// Drops the savepoint of that name.
  func dropSavepoint(_ name: String) throws(EngineError)
}

/// A session whose engine has a log beside the file.
package protocol Checkpointing {
  /// Moves what the log holds into the file, as far as `mode` goes, and waits for no reader. Not within a write
  /// transaction of the calling thread. Error `unsupported` where the session was opened without a log.
  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome
}

/// Reports what automatic compaction is doing.
package protocol AutomaticCompactionReporting {
  /// Why automatic compaction is not at work now, with the values that decide; nil where it is, or was not asked for.
  func automaticRefusal() throws(EngineError) -> String?

  /// Returns the stage of automatic compaction; nil if the engine has no stages, or does not compact automatically.
  func automaticStage() throws(EngineError) -> AutomaticStage?
}

/// Continues automatic compaction between commits, in the thread that would write.
package protocol IdleCompacting {
  /// Continues automatic compaction until nothing is left to do or something stands in the way. Only called under the
  /// preset `idle`, while there is no writer.
  func compactWhileIdle() throws(EngineError)
}

/// Shortens its file while it is open.
package protocol Shortenable {
  /// Shortens the file now, by so much at most; nil for as much as possible. Returns nil where this file, or this version
  /// of the engine, cannot be shortened. Not within a write transaction of the calling thread.
  func shorten(by max: ByteCount?) throws(EngineError) -> Shortening?
}

/// Reports how full the pages of its tables are.
package protocol PageInspecting {
  /// The figures of each table, or why there are none.
  func pageStatistics() throws(EngineError) -> PageStatistics
}

/// Encrypts its file, and can do so under another key.
package protocol Rekeyable {
  /// Writes a compacted copy to `path`, which must not exist, encrypted under that key, whatever the database's is.
  func writeCompactedCopy(to path: FilePath, underKey key: [UInt8]) throws(EngineError)

  /// Replaces the open file by a compacted copy under that key, which is the database's from then on. Returns
  /// `compacted`, or `skipped` with the reason.
  func compact(underKey key: [UInt8]) throws(EngineError) -> LaunchOutcome
}

/// Migrates its tables as classes of objects.
package protocol Migrating {
  /// Carries out the migration of all tables in one transaction. Error `snapshotsHeld` while there are snapshots.
  func migrate(_ migration: RowMigration) throws(EngineError)
}

/// Holds versions in more ways than by a snapshot.
package protocol VersionHolding {
  /// Holds the newest version in that way.
  func hold(_ holding: Holding, label: String) throws(EngineError) -> any EngineSnapshot
}

/// Holds and observes versions as programs of the engine's own object API do.
package protocol InstanceHolding: VersionHolding {
  /// An observer of the table, which holds the newest version from now on.
  func observe(_ table: TableIndex, label: String) throws(EngineError) -> any EngineObserver
}

/// A snapshot with which one thread reads version after version: what it takes to read (an entry in the reader table, a
/// connection) is kept from one to the next.
package protocol RenewableSnapshot: EngineSnapshot {
  /// Ends the read transaction, so that no version is held. Nothing can be read until `refresh` has begun the next one.
  func reset()
}
