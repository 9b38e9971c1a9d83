// A session and its transactions: the part of the contract that every engine fulfills. SessionCapabilities declares
// what only some engines can do.
package import MetricModel
package import SystemIO

/// A table's position in the list of names with which the session was opened.
package typealias TableIndex = Int

/// One process's open database. Safe to use from many threads unless a member is documented otherwise.
package protocol EngineSession: AnyObject, Sendable {
  /// Begins a read transaction on the newest committed version. `label` names its holder in diagnostics.
  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot

  /// Begins the one write transaction, waiting for another to end. It must end on the thread that began it.
  func beginWrite() throws(EngineError) -> any EngineTransaction

  /// Returns the space in the database's files by use, as of the newest commit. Not to be called within a write transaction
  /// of the same thread.
  func spaceUsage() throws(EngineError) -> SpaceUsage

  /// The bytes that the engine wrote since it was opened, as it counts them itself; nil if it does not count them.
  var bytesWritten: ByteCount? { get }

  /// Returns and removes the compactions begun, ended or abandoned since the last call, oldest first. Launch compaction is
  /// not among them.
  func drainEvents() -> [CompactionEvent]

  /// Writes a compacted copy to `path`, which must not exist; its size is a measure of the live data.
  func writeCompactedCopy(to path: FilePath) throws(EngineError)

  /// Ends the session. Snapshots still held are an error (`snapshotsHeld`) and the session stays open.
  func close() throws(EngineError)

  /// Returns the session as a value of that capability protocol; nil if the engine lacks the capability. A session that
  /// wraps another returns the other's.
  func capability<Capability>(_ type: Capability.Type) -> Capability?
}

/// A read transaction: one version, pinned until `end`. Used by one thread at a time; may move between threads.
package protocol EngineSnapshot: EngineRows {
  /// Calls `body` with up to `limit` rows in key order from `key` on, and returns how many there were.
  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int

  /// Returns the number of rows that the table has in this version.
  func count(_ table: TableIndex) throws(EngineError) -> Int

  /// Moves to the newest version, as ending and beginning again would.
  func refresh() throws(EngineError)

  /// Ends the read transaction. Calling it again does nothing.
  func end()

  /// The label under which `pins()` lists the snapshot; nil if it is the label that it was begun with.
  var pinLabel: String? { get }
}

/// A write transaction. Used by the thread that began it only.
package protocol EngineTransaction: AnyObject {
  /// Inserts the row or replaces it.
  func put(_ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer) throws(EngineError)

  /// Deletes the row; returns whether there was one.
  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool

  /// Calls `body` with the row's bytes, with the transaction's own changes, and returns true; false if there is no such row.
  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool

  /// Ends the transaction with its changes visible, and durable under `Durability.full`. After an error it has ended
  /// without them.
  func commit() throws(EngineError)

  /// Ends the transaction without its changes. Calling it again, or after `commit`, does nothing.
  func rollBack()
}
