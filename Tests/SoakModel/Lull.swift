// When nobody reads. A log that begins anew only then, as SQLite's does, would otherwise be as long as the soak, and what a
// checkpoint needs of memory goes with its length. All processes find the moments by the machine's own clock, and nothing is
// wrong where one comes too late: the log is emptied a minute later.

/// Some seconds at the beginning of every so many.
package struct Lull: Sendable {
  private let period: UInt64
  private static let length = 2 * second
  private static let second: UInt64 = 1_000_000_000

  /// nil for none: every 0 seconds.
  package init?(everySeconds: Int) {
    guard everySeconds > 0 else { return nil }
    period = UInt64(everySeconds) * Self.second
    precondition(period > Self.length, "A lull of two seconds is shorter than its period.")
  }

  /// The end of the lull that this moment of the monotonic clock is in; nil in none.
  package func end(at nanoseconds: UInt64) -> UInt64? {
    let since = nanoseconds % period
    return since < Self.length ? nanoseconds - since + Self.length : nil
  }
}
