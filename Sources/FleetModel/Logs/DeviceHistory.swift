// The launches of one device, cleaned: in order, none twice, none from a clock that jumped.

package struct DeviceHistory: Hashable, Sendable {
  /// The hash of the device's identifier, by which devices are held out.
  package var hash: UInt64
  /// In order of time; at least one.
  package var rows: [LaunchRow]

  /// Rows on the other side of a gap this long may be from another clock.
  static let minJumpDays = 90.0
  /// They are left out if they are at most this share of the device's rows.
  static let maxJumpShare = 0.1

  package init(hash: UInt64, rows: [LaunchRow], counts: inout LogCounts) {
    self.hash = hash
    let ordered = rows.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    var distinct: [LaunchRow] = []
    distinct.reserveCapacity(ordered.count)
    for row in ordered {
      guard let last = distinct.last, last.time == row.time else {
        distinct.append(row)
        continue
      }
      if last.totalBytes == row.totalBytes, last.usedBytes == row.usedBytes {
        counts.duplicates += 1
      } else {
        counts.conflicting += 1
      }
      distinct[distinct.count - 1] = row
    }
    self.rows = Self.withoutJumps(distinct)
    counts.clockJumps += distinct.count - self.rows.count
  }

  /// Returns the largest part between long gaps, if the others are few rows; else all rows: the app was not used for long.
  private static func withoutJumps(_ rows: [LaunchRow]) -> [LaunchRow] {
    var parts: [Range<Int>] = []
    var start = 0
    for index in 1..<max(1, rows.count) where rows[index].days - rows[index - 1].days > minJumpDays
    {
      parts.append(start..<index)
      start = index
    }
    parts.append(start..<rows.count)
    guard parts.count > 1, let largest = parts.max(by: { $0.count < $1.count }),
      Double(rows.count - largest.count) <= maxJumpShare * Double(rows.count)
    else { return rows }
    return Array(rows[largest])
  }

  /// Days from the first launch to the last.
  package var days: Double { (rows.last?.days ?? 0) - (rows.first?.days ?? 0) }
}

/// A log as it was read.
package struct LaunchLog: Sendable {
  /// By their hashes.
  package var devices: [DeviceHistory]
  package var counts: LogCounts
  package var layout: LogLayout
  /// The share of the log's devices that was read: 1, or less where all rows do not fit in memory.
  package var deviceShare: Double

  /// Days from the first launch of any device to the last of any.
  package var days: Double {
    let first = devices.compactMap { $0.rows.first?.days }.min() ?? 0
    let last = devices.compactMap { $0.rows.last?.days }.max() ?? 0
    return last - first
  }
}

extension LogCounts {
  /// What was left out or put in order: `3 duplicates, 1 row from a clock that jumped`; empty if nothing was.
  package var exclusions: String {
    [
      (invalid, "invalid"), (duplicates, "twice in the log"),
      (conflicting, "of one time with different sizes, of which the last counts"),
      (outOfOrder, "out of order, sorted"),
      (unsetClocks, "from a clock that was not set"), (clockJumps, "from a clock that jumped"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
