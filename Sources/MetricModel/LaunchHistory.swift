// What a policy remembers of earlier launches. An app can count the same, since it needs nothing but what its launches saw.

/// The time at launches since a database was last compacted at one, or since the scenario began.
package struct LaunchHistory: Hashable, Sendable, Codable {
  /// Launches since: 1 at the next launch after the one that compacted.
  package var launches: Int
  package var commits: Int
  package var time: VirtualTime
  /// Bytes of data that compactions wrote again since; nil if not known.
  package var rewritten: ByteCount?
  /// The sum, over launches, of the bytes above `usedBytes` at the launch × the time since the launch before, in
  /// byte-seconds; nil if the engine does not report `usedBytes`.
  package var waste: Double?
  /// The most bytes that were kept only for snapshots at any sample of the previous launch; nil if not known.
  package var peakPinned: ByteCount?

  package init(
    launches: Int, commits: Int, time: VirtualTime, rewritten: ByteCount?, waste: Double?,
    peakPinned: ByteCount?
  ) {
    self.launches = launches
    self.commits = commits
    self.time = time
    self.rewritten = rewritten
    self.waste = waste
    self.peakPinned = peakPinned
  }
}
