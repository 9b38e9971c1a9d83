// Shortening the file on demand, while it is open: for engines that cut free space off its end, or move pages for that.
package import MetricModel

/// The result of `shorten`.
package struct Shortening: Sendable, Hashable {
  /// The file's length in the newest version.
  package var before: ByteCount
  package var after: ByteCount
  /// The maximum number of bytes that can have been rewritten for it.
  package var rewritten: ByteCount

  package init(before: ByteCount, after: ByteCount, rewritten: ByteCount) {
    self.before = before
    self.after = after
    self.rewritten = rewritten
  }
}
