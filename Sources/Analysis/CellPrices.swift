// What the cells of one engine and arm come to in the terms of an objective.
import MetricModel
package import Objective
import RecordModel
import Statistics

/// What cells cost by an objective. Times are priced by their medians, beside those of `never`.
///
/// The smallest of several noisy times is smaller than it will be the next time. So a policy is chosen by the times of every
/// second timed run, and what it costs is computed from the times of the others (sample splitting).
package struct CellPrices: Sendable {
  /// The half of the timed runs that times are taken from. Where a cell has none in it, all of them count.
  enum TimedHalf {
    case choosing, scoring

    func contains(_ run: RepetitionRecord) -> Bool {
      run.index.isMultiple(of: 2) == (self == .scoring)
    }
  }

  /// What stands for a freshly compacted file. It is subtracted from every cell alike, so that no rank depends on it.
  package enum Reference: Sendable {
    /// The files of the policy that compacts at every launch.
    case everyLaunch
    /// Live data, where that policy was not measured.
    case liveData
    /// Nothing, where the engine does not report live data either.
    case nothing
  }

  package let objective: Objective
  package let reference: Reference
  /// How long the runs were, on the virtual clock.
  let time: VirtualTime
  private let fresh: ByteTime
  private let never: CellAnalysis

  /// - Returns: nil where the record does not have how long its runs were.
  init?(_ objective: Objective, never: CellAnalysis, everyLaunch: CellAnalysis?) {
    guard let plain = never.space else { return nil }
    self.objective = objective
    time = plain.time
    self.never = never
    if let everyLaunch, everyLaunch.hasCompacted, let space = everyLaunch.space {
      (reference, fresh) = (.everyLaunch, space.area)
    } else if let live = plain.live {
      (reference, fresh) = (.liveData, live)
    } else {
      (reference, fresh) = (.nothing, .zero)
    }
  }

  /// Returns what the cell came to, or why something that the objective asks for is not known.
  func figures(
    of cell: CellAnalysis, timed half: TimedHalf
  ) -> Result<PricedFigures, CellPriceError> {
    guard let space = cell.space else { return .failure(CellPriceError("it has no samples")) }
    var figures = PricedFigures()
    figures.time = space.time
    figures.excess = space.area - fresh
    figures.highWater = Self.bytes(cell.value(.highWater) ?? 0)
    let (prices, limits) = (objective.prices, objective.limits)
    if let rewritten = cell.value(.rewritten) {
      figures.rewritten = Self.bytes(rewritten)
    } else if prices.rewritten > 0 || limits.maxRewritten != nil {
      return .failure(
        CellPriceError(
          "the objective prices rewritten bytes, and the engine does not report those of its automatic compaction"
        ))
    }
    if let peak = cell.value(.peakDisk) {
      figures.peakDisk = Self.bytes(peak)
    } else if limits.maxDisk != nil {
      return .failure(
        CellPriceError("its peak of disk use, which max-disk limits, was not measured"))
    }
    if let blocked = blockedBeyondNever(cell, half),
      let longest = cell.value(.blockedAtLaunchMax)
    {
      figures.blocked = Int(max(0, blocked).rounded())
      figures.longestLaunch = Int(longest.rounded())
    } else if prices.blocked > 0 || limits.maxLaunch != nil {
      return .failure(CellPriceError("its time blocked at launch was not measured"))
    }
    return .success(figures)
  }

  /// Returns the median time blocked at launch in that half of the runs, less that of `never` in the same ones; nil where
  /// either was not measured.
  private func blockedBeyondNever(_ cell: CellAnalysis, _ half: TimedHalf) -> Double? {
    if let blocked = cell.medianBlocked(half), let opening = never.medianBlocked(half) {
      return blocked - opening
    }
    guard let blocked = cell.value(.blockedAtLaunchTotal),
      let opening = never.value(.blockedAtLaunchTotal)
    else { return nil }
    return blocked - opening
  }

  /// Why the cell has no price; nil if it has one.
  func absence(of cell: CellAnalysis) -> String? {
    if case .failure(let error) = figures(of: cell, timed: .scoring) { error.reason } else { nil }
  }

  private static func bytes(_ value: Double) -> ByteCount { ByteCount(Int(value.rounded())) }
}

/// Why a cell has no price.
struct CellPriceError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension CellAnalysis {
  fileprivate func medianBlocked(_ half: CellPrices.TimedHalf) -> Double? {
    let runs = record.timedRepetitions.filter(half.contains)
    return Quantiles.median(runs.compactMap(SummaryMetric.blockedAtLaunchTotal.value))
  }

  /// All files and live data over virtual time, of the run in the middle by its files. Records of earlier versions do not
  /// have them: there they are those of the samples. nil without either.
  fileprivate var space: (area: ByteTime, live: ByteTime?, time: VirtualTime)? {
    var runs = record.repetitions.map(\.exact)
    if runs.contains(where: { $0.area == nil }) {
      runs =
        samples.isEmpty ? [] : [ExactSummary(samples: samples, requested: .zero, operations: 0)]
    }
    let known = runs.compactMap { run in
      run.area.flatMap { area in run.time.map { (area: area, live: run.liveArea, time: $0) } }
    }.sorted { $0.area < $1.area }
    return known.isEmpty ? nil : known[(known.count - 1) / 2]
  }
}
