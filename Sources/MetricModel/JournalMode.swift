// The journal that makes commits atomic.

/// SQLite's journal modes that survive a crash, with SQLite's names.
package enum JournalMode: String, Sendable, Codable, Hashable, CaseIterable {
  /// A write-ahead log: commits write to it, readers read from it, checkpoints move it into the file.
  case writeAhead = "wal"
  /// A rollback journal: pages are copied to it before they are overwritten in the file, and a commit deletes it. Readers
  /// read only the file, so a commit waits until there are no readers.
  case delete
  /// The same, but a commit truncates it to zero bytes.
  case truncate
  /// The same, but a commit overwrites its header, so that it keeps its length.
  case persist
}
