// One launch of one device, as a log has it. What a log does not have is below zero, so that ten million rows are small.

package struct LaunchRow: Hashable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  package var totalBytes: Int64
  package var usedBytes: Int64
  /// Bytes available on the disk; −1 if they are not logged.
  package var available: Int64 = -1
  /// Write transactions so far; −1 if they are not logged.
  package var commits: Int64 = -1
  /// The number of the launch on its device; −1 if it is not logged.
  package var launch: Int32 = -1
  /// How long opening took, in milliseconds; below 0 if it is not logged.
  package var stall: Float = -1
  package var version: UInt16 = 0
  package var compacted = Compacted.unknown

  /// Whether the launch compacted the file.
  package enum Compacted: UInt8, Sendable { case unknown, no, yes }

  package init(time: Int64, totalBytes: Int64, usedBytes: Int64) {
    self.time = time
    self.totalBytes = totalBytes
    self.usedBytes = usedBytes
  }

  package var freeBytes: Int64 { totalBytes - usedBytes }
  package var days: Double { Double(time) / LogTime.millisecondsPerDay }
}

/// What was read and left out, in counts.
package struct LogCounts: Hashable, Sendable {
  package var rows = 0
  /// Rows that are wrong and were passed over, because the caller allows it.
  package var invalid = 0
  /// Rows with the same device, time and sizes as another.
  package var duplicates = 0
  /// Rows with the device and time of another, and other sizes: the last one counts.
  package var conflicting = 0
  /// Rows after a later one of their device. They are sorted.
  package var outOfOrder = 0
  /// Rows from a clock that was not set: before 2001 or after 2100.
  package var unsetClocks = 0
  /// Rows far from all others of their device, left out.
  package var clockJumps = 0
  /// Rows of each version of the app, in the order in which they appear.
  package var versions: [(name: String, rows: Int)] = []

  package init() {}

  package static func == (a: Self, b: Self) -> Bool { a.comparable == b.comparable }
  package func hash(into hasher: inout Hasher) { hasher.combine(comparable) }

  private var comparable: [String] {
    ["\(rows) \(invalid) \(duplicates) \(conflicting) \(outOfOrder) \(unsetClocks) \(clockJumps)"]
      + versions.map { "\($0.name) \($0.rows)" }
  }
}
