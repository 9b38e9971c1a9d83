// Where a test can make the engine leave out a step that makes data durable. A crash test proves little unless it fails
// for an engine that makes such a mistake. The mistakes themselves are in the tests; here is only the question whether to
// perform a step, asked once a sync.

/// A step without which a crash may lose data.
enum DurabilityStep: Sendable {
  /// The last sync of a commit.
  case commitSync
  /// The sync of what a killed process left in the page cache, when the file is opened.
  case recoverySync
  /// The sync of what the opening of a closed file has found, before the first durable commit.
  case deferredSync
  /// The sync of the folder after a file in it was created or renamed.
  case folderSync
  /// Clearing the slot of a torn commit when the file is opened.
  case tornSlotClearing
}

/// Mistakes that the engine is to make. No production code conforms to it.
protocol SeededFaults: AnyObject, Sendable {
  func leavesOut(_ step: DurabilityStep) -> Bool
}

extension DatabaseOptions {
  /// Returns true, except in a test that seeds a fault.
  @inline(__always)
  func performs(_ step: DurabilityStep) -> Bool {
    guard let seededFaults else { return true }
    return !seededFaults.leavesOut(step)
  }
}
