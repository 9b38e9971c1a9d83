// The engine's own compaction, in the words that scenarios, adapters and reports share.

/// How an engine that has more than one way compacts by itself.
package enum AutomaticPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// As the documents describe it: only while nobody reads.
  case documented
  /// As Realm Core does it: in every commit; the disk gets its space back at the next opening.
  case realmCompatible = "realm-compatible"
  /// In every commit; the disk gets its space back as soon as nobody can see it.
  case eager
  /// As eager, and on its own as long as nobody writes.
  case idle
}

/// What automatic compaction is doing.
package enum AutomaticStage: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing to do, or not allowed to begin.
  case idle
  /// Commits move data towards the beginning of the file.
  case evacuating
  /// All is moved, or nobody may move now; the file is cut when no pin is in the way any more.
  case waiting
  /// It gave up, and lets commits pass before it looks again.
  case blocked
}
