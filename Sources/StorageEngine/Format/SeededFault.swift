// Seeded faults: mistakes that this engine does not make, each behind a switch that only tests can set. A crash test
// proves little unless it fails for an engine with one of them; `SeededFaultTests` asserts that for each.

/// A deliberate mistake. Each costs one `if` per commit or per opening, outside of any loop over rows.
enum SeededFault: String, CaseIterable, Sendable {
  /// A commit returns without its last sync.
  case droppedSync
  /// The slot of a commit is written before the blocks and the record that it names.
  case slotBeforeData
  /// A commit overwrites blocks that it frees itself and that the previous version still needs.
  case reuseOneCommitEarly
  /// The folder is not synced after a file in it was created or renamed.
  case noFolderSync
  /// The file is truncated before the commit that no longer needs its end is durable.
  case truncateEarly
  /// Opening continues from what a killed process left in the page cache without syncing it.
  case noRecoverySync
  /// Opening does not clear the slot of a torn commit.
  case tornSlotKept
}
