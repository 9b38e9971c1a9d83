// Periods without a reader. SQLite restarts its log only then. Without them the log would grow throughout the soak, and with
// it the memory that a checkpoint needs. All processes find these periods by the machine's clock. If one is late, the log is
// emptied a minute later.

/// Two seconds without a reader at the beginning of every period.
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
