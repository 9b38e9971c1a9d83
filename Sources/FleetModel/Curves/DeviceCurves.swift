// The curves of one device: those of the classes around it, interpolated once, so that a step of its walk reads one row.

/// Reused for one device after the other: nothing is allocated between them.
package struct DeviceCurves {
  /// total and used of each node, relative to the data.
  private static let width = 2
  private static let rowLength = TurnoverGrid.count * width

  private let groups: [GroupTables]
  private var group = 0
  /// A row for each size of the data.
  private var rows: [Double]
  private var rewritten: [Double]
  private var kept: [Double]
  /// By the lengths of launches.
  private var peaks = [Double](repeating: 0, count: LaunchPeaks.lengths.count)
  /// The most that a launch needs beyond the file.
  private(set) var highestPeak = 0.0
  /// The row since the last compaction.
  private var current = [Double](repeating: 0, count: rowLength)
  /// Bytes that a compaction writes ÷ the bytes of the file that it leaves.
  private var rewrittenPerCompacted = 0.0
  /// The part of the growth of used bytes that a compaction keeps.
  package private(set) var keptFill = 0.0
  /// Up to here turnovers were measured.
  package private(set) var maxTurnover = 0.0

  package init(_ curves: FleetCurves) {
    groups = curves.groups.map(GroupTables.init)
    let sizes = groups.map(\.axes.data.count).max() ?? 0
    rows = [Double](repeating: 0, count: sizes * Self.rowLength)
    rewritten = [Double](repeating: 0, count: sizes)
    kept = rewritten
  }

  /// Interpolates between the classes around the device.
  package mutating func load(_ device: Device, writes: Int) {
    group = device.group
    let tables = groups[group]
    let sizes = tables.axes.data.count
    for index in 0..<(sizes * Self.rowLength) { rows[index] = 0 }
    for index in 0..<sizes { (rewritten[index], kept[index]) = (0, 0) }
    for index in peaks.indices { peaks[index] = 0 }
    maxTurnover = .infinity
    let axes = tables.axes
    let value = Self.bracket(device.value, axes.values, isLogarithmic: true)
    let add = Self.bracket(device.addShare(writes: writes), axes.addShares, isLogarithmic: false)
    let rate = Self.bracket(max(1, device.commitsPerLaunch), axes.rates, isLogarithmic: true)
    for corner in 0..<8 {
      let weight = value.weight(corner & 1) * add.weight(corner >> 1 & 1) * rate.weight(corner >> 2)
      guard weight > 0 else { continue }
      let index =
        ((value.low + corner & 1) * axes.addShares.count + add.low + corner >> 1 & 1)
        * axes.rates.count + rate.low + corner >> 2
      blend(tables, index, weight, sizes)
    }
    highestPeak = peaks.max() ?? 0
  }

  private mutating func blend(_ tables: GroupTables, _ index: Int, _ weight: Double, _ sizes: Int) {
    let first = index * sizes * Self.rowLength
    tables.rows.withUnsafeBufferPointer { source in
      rows.withUnsafeMutableBufferPointer { target in
        for offset in 0..<(sizes * Self.rowLength) {
          target[offset] += weight * source[first + offset]
        }
      }
    }
    for size in 0..<sizes {
      rewritten[size] += weight * tables.rewritten[index * sizes + size]
      kept[size] += weight * tables.kept[index * sizes + size]
    }
    for length in peaks.indices { peaks[length] += weight * tables.peaks[index][length] }
    maxTurnover = min(maxTurnover, tables.maxTurnover[index])
  }

  /// Begins anew after a compaction at so many bytes of data.
  package mutating func compact(at data: Double) {
    let at = Self.bracket(data, groups[group].axes.data, isLogarithmic: true)
    let (low, high) = (at.low * Self.rowLength, (at.low + at.step) * Self.rowLength)
    rows.withUnsafeBufferPointer { rows in
      current.withUnsafeMutableBufferPointer { current in
        for offset in 0..<Self.rowLength {
          current[offset] =
            rows[low + offset] + (rows[high + offset] - rows[low + offset]) * at.fraction
        }
      }
    }
    func between(_ values: [Double]) -> Double {
      values[at.low] + (values[at.low + at.step] - values[at.low]) * at.fraction
    }
    (rewrittenPerCompacted, keptFill) = (between(rewritten), between(kept))
  }

  /// Sizes relative to the data at a turnover since the last compaction.
  @inline(__always)
  package func sizes(at turnover: Double) -> (total: Double, used: Double) {
    let (node, fraction) = TurnoverGrid.position(turnover)
    return current.withUnsafeBufferPointer { row in
      let low = node * Self.width
      let high = low + Self.width
      return (
        row[low] + (row[high] - row[low]) * fraction,
        row[low + 1] + (row[high + 1] - row[low + 1]) * fraction
      )
    }
  }

  /// The same in a file whose pages have been filled and emptied for longer: since the turnover `age`.
  @inline(__always)
  package func sizes(at turnover: Double, age: Double) -> (total: Double, used: Double) {
    let sizes = sizes(at: turnover)
    guard age > turnover else { return sizes }
    let aged = self.sizes(at: age).used - sizes.used
    return (sizes.total + aged, sizes.used + aged)
  }

  /// Bytes that a launch of so many commits needs at its worst moment beyond the file that it leaves.
  @inline(__always)
  package func peak(commits: Double) -> Double { LaunchPeaks.value(peaks, commits: commits) }

  /// Bytes that a compaction writes, relative to the data, of a file whose pages have this age.
  package func rewritten(age: Double) -> Double {
    rewrittenPerCompacted * sizes(at: 0, age: keptFill * age).total
  }

  private struct Bracket {
    var low: Int
    /// 1 where there is a next node, 0 on an axis of one.
    var step: Int
    var fraction: Double

    func weight(_ side: Int) -> Double {
      side == 0 ? 1 - fraction : step == 0 ? 0 : fraction
    }
  }

  /// Between which nodes a value is; outside of them it counts as the nearest.
  private static func bracket(
    _ value: Double, _ nodes: [Double], isLogarithmic: Bool
  ) -> Bracket {
    guard nodes.count > 1 else { return Bracket(low: 0, step: 0, fraction: 0) }
    var low = 0
    while low < nodes.count - 2, nodes[low + 1] <= value { low += 1 }
    let scale: (Double) -> Double = { isLogarithmic ? $0.piecewiseLog2 : $0 }
    let (first, last) = (scale(nodes[low]), scale(nodes[low + 1]))
    let fraction = (scale(value) - first) / (last - first)
    return Bracket(low: low, step: 1, fraction: max(0, min(1, fraction)))
  }
}

/// The curves of a group, one behind the other.
private struct GroupTables {
  let axes: ClassAxes
  let rows: [Double]
  let rewritten: [Double]
  let kept: [Double]
  /// By class.
  let peaks: [[Double]]
  let maxTurnover: [Double]

  init(_ group: GroupCurves) {
    axes = group.axes
    let curves = group.classes.flatMap(\.curves)
    rows = curves.flatMap { curve in
      TurnoverGrid.turnovers.indices.flatMap { [curve.total[$0], curve.used[$0]] }
    }
    rewritten = curves.map(\.rewrittenPerCompacted)
    kept = curves.map(\.keptFill)
    peaks = group.classes.map(\.peaks.bytes)
    maxTurnover = group.classes.map { $0.curves.map(\.maxTurnover).min() ?? 0 }
  }
}
