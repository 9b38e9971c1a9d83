// What an engine keeps beside its file so that a commit is whole or not at all.

/// SQLite's journal modes that survive a crash, by its names.
package enum JournalMode: String, Sendable, Codable, Hashable, CaseIterable {
  /// A write-ahead log: commits write to it, readers read from it, checkpoints move it into the file.
  case writeAhead = "wal"
  /// A rollback journal: pages are copied to it before they are overwritten in the file, and a commit deletes it. Readers
  /// see the file alone, so that a commit waits until nobody reads.
  case delete
  /// The same, and a commit cuts it to nothing.
  case truncate
  /// The same, and a commit overwrites its beginning: it keeps its length.
  case persist
}
