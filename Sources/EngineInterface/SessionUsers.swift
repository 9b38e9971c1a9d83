// The users of a session: the snapshots and write transactions that must have ended before it is closed. Called at the
// beginning and end of transactions, never for a row.

/// A version that a reader holds.
package struct HeldVersion: Sendable {
  package var label: String
  package var version: Int

  package init(label: String, version: Int) {
    self.label = label
    self.version = version
  }
}

/// A session's snapshots and write transactions. The session guards it with a mutex.
package struct SessionUsers {
  private let engine: String
  private var held: [Int: HeldVersion] = [:]
  private var begunSnapshots = 0
  private var openWrites = 0
  /// Snapshots that a thread renews without the session: where they are is not known.
  private var renewedSnapshots = 0

  package init(of engine: String) { self.engine = engine }

  /// The versions that the snapshots hold.
  package var versions: [HeldVersion] { Array(held.values) }

  /// Whether there is no snapshot, and no write transaction but so many.
  package func isEmpty(butForWrites writes: Int) -> Bool {
    held.isEmpty && renewedSnapshots == 0 && openWrites == writes
  }

  /// Adds a snapshot of that version, and returns its number in the session.
  package mutating func addSnapshot(label: String, version: Int) -> Int {
    begunSnapshots += 1
    held[begunSnapshots] = HeldVersion(label: label, version: version)
    return begunSnapshots
  }

  package mutating func moveSnapshot(_ number: Int, to version: Int) {
    held[number]?.version = version
  }

  package mutating func removeSnapshot(_ number: Int) { held[number] = nil }

  /// Removes a snapshot from the list, since a thread renews it from now on without telling the session.
  package mutating func beginRenewing(_ number: Int) {
    held[number] = nil
    renewedSnapshots += 1
  }

  package mutating func endRenewing() { renewedSnapshots -= 1 }

  package mutating func addWrite() { openWrites += 1 }

  package mutating func removeWrite() { openWrites -= 1 }

  /// Throws while a snapshot is held or a write transaction is open, which a session must not be closed under.
  package func checkNone() throws(EngineError) {
    let snapshots = held.count + renewedSnapshots
    if snapshots > 0 { throw .snapshotsHeld(snapshots, of: engine) }
    if openWrites > 0 { throw .writeUnderWay(of: engine) }
  }
}
