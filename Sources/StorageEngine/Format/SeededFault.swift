// Mistakes that this engine does not make, each behind a switch that only tests can reach. A crash test that passes
// proves little unless it fails for an engine with one of these: `SeededFaultTests` asserts that for every one.

/// A mistake to make on purpose. Each is one `if` per commit, or per opening, outside of any loop over rows.
enum SeededFault: String, CaseIterable, Sendable {
  /// A commit returns without its last sync.
  case droppedSync
  /// The slot of a commit is written before the blocks and the record that it names.
  case slotBeforeData
  /// A commit writes blocks over those that it frees itself; the version before still needs them.
  case reuseOneCommitEarly
  /// Names that were made or moved are not made durable.
  case noFolderSync
  /// The file is cut before the commit that no longer needs its end is durable.
  case truncateEarly
  /// Opening builds on what a killed process left in the page cache without making it durable.
  case noRecoverySync
  /// Opening leaves the slot of a torn commit as it is.
  case tornSlotKept
}
