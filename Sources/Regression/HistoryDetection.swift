// Change points of a history. Exact figures need no test: each commit with a new value is reported. Noisy ones are split by
// E-divisive with a permutation test; splits that are significant but too small to matter are left out, and so are those
// whose sides overlap, as in a series with two modes.
import MetricModel
import Statistics

/// A commit from which on a figure has another level.
package struct HistoryChange: Sendable, Equatable {
  package var series: HistorySeriesKey
  /// The first commit with the new level, and the last one before it.
  package var commit: String
  package var previous: String
  /// The value, or the median of the segment, before and after.
  package var before: Double
  package var after: Double
  /// Of the permutation test; nil for an exact figure, for which there is none.
  package var pValue: Double?
  package var isWorse: Bool?
  /// All values of the series, and the index of the change.
  package var values: [Double]
  package var index: Int

  package var share: Double { before == 0 ? .infinity : (after - before) / abs(before) }
}

package struct HistoryDetection: Sendable {
  /// Changes of less than this share are left out; nil: none of exact figures, those below 1 % of noisy ones.
  package var minShare: Double?
  /// The minimum of Cliff's delta between the segments: below it they overlap too much to be two levels.
  package var minDelta: Double
  package var alpha: Double
  package var permutations: Int
  package var seed: UInt64

  package init(
    minShare: Double? = nil, minDelta: Double = 0.5, alpha: Double = 0.01,
    permutations: Int = 199, seed: UInt64 = 1
  ) {
    self.minShare = minShare
    self.minDelta = minDelta
    self.alpha = alpha
    self.permutations = permutations
    self.seed = seed
  }

  /// Returns the changes of all series, by series and then in the order of the file. A commit that occurs twice counts with
  /// its last value.
  package func changes(_ entries: [HistoryEntry]) -> [HistoryChange] {
    var series: [HistorySeriesKey: [(commit: String, value: Double)]] = [:]
    for entry in entries {
      if let twice = series[entry.series]?.firstIndex(where: { $0.commit == entry.commit }) {
        series[entry.series]?[twice].value = entry.value
      } else {
        series[entry.series, default: []].append((entry.commit, entry.value))
      }
    }
    return series.sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }.flatMap {
      key, points in
      key.machine.isEmpty ? steps(key, points) : splits(key, points)
    }
  }

  private func steps(
    _ key: HistorySeriesKey, _ points: [(commit: String, value: Double)]
  ) -> [HistoryChange] {
    points.indices.dropFirst().compactMap { index in
      guard points[index].value != points[index - 1].value else { return nil }
      return significant(
        change(
          key, points, index, before: points[index - 1].value, after: points[index].value,
          pValue: nil))
    }
  }

  private func splits(
    _ key: HistorySeriesKey, _ points: [(commit: String, value: Double)]
  ) -> [HistoryChange] {
    let values = points.map(\.value)
    let found = ChangePoints.detect(
      values, alpha: alpha, permutations: permutations, seed: seed)
    let bounds = [0] + found.map(\.index) + [values.count]
    return found.enumerated().compactMap { number, point in
      let delta =
        EffectSize.cliffsDelta(
          Array(values[point.index..<bounds[number + 2]]),
          Array(values[bounds[number]..<point.index])) ?? 0
      guard abs(delta) >= minDelta else { return nil }
      return significant(
        change(
          key, points, point.index, before: point.before, after: point.after,
          pValue: point.pValue))
    }
  }

  private func significant(_ change: HistoryChange) -> HistoryChange? {
    abs(change.share) >= minShare ?? (change.pValue == nil ? 0 : 0.01) ? change : nil
  }

  private func change(
    _ key: HistorySeriesKey, _ points: [(commit: String, value: Double)], _ index: Int,
    before: Double, after: Double, pValue: Double?
  ) -> HistoryChange {
    let metric = Metric.stored(key.figure)
    let isWorse = metric.flatMap {
      $0.polarity == .neutral ? nil : $0.isBetter(before, than: after)
    }
    return HistoryChange(
      series: key, commit: points[index].commit, previous: points[index - 1].commit,
      before: before, after: after, pValue: pValue, isWorse: isWorse,
      values: points.map(\.value), index: index)
  }
}

/// The changes as text: commit, figure, and the series with a mark under the change.
package enum HistoryText {
  /// Longer series are shown around the change.
  static let width = 60

  package static func text(_ changes: [HistoryChange], series: Int, commits: Int) -> String {
    let compared = "\(grouped(series)) series over \(counted(commits, "commit"))"
    guard !changes.isEmpty else { return "no change in \(compared)." }
    var lines = ["\(counted(changes.count, "change")) in \(compared)."]
    for change in changes {
      let unit = Metric.stored(change.series.figure)?.unit ?? .count
      let word = change.isWorse.map { $0 ? "worse" : "better" } ?? "changed"
      let proof = change.pValue.map { ", p \(($0 * 1000).rounded() / 1000)" } ?? ", exact"
      lines += [
        "", "\(change.commit): \(change.series.words) is \(word)\(proof)",
        "  \(ExactText.change(change.before, change.after, unit)); previous commit: \(change.previous)",
        "  " + curve(change).line, "  " + curve(change).mark,
      ]
    }
    return lines.joined(separator: "\n")
  }

  static func curve(_ change: HistoryChange) -> (line: String, mark: String) {
    let start = max(0, min(change.index - width / 2, change.values.count - width))
    let shown = Array(change.values[start..<min(start + width, change.values.count)])
    let (minimum, maximum) = (shown.min() ?? 0, shown.max() ?? 0)
    let bars = Array("▁▂▃▄▅▆▇█")
    let line = shown.map { value in
      maximum > minimum ? bars[Int((value - minimum) / (maximum - minimum) * 7.999)] : bars[0]
    }
    return (String(line), String(repeating: " ", count: change.index - start) + "^")
  }
}
