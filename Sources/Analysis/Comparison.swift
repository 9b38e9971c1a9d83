// The savings and costs of a policy compared with `never`, on the same engine and arm.
package import MetricModel
package import RecordModel
package import Statistics

package struct Comparison: Sendable, Equatable {
  package let key: CellKey
  /// The cell to compare with.
  package let baseline: CellKey
  /// The figure of `never` minus that of this policy: positive if the policy saves.
  package let savedHighWater: ByteCount
  package let savedFinal: ByteCount
  package let savedTimeWeighted: ByteCount
  /// The figure of this policy minus that of `never`.
  package let extraRewritten: ByteCount?
  package let extraWritten: ByteCount?
  /// Nanoseconds at all launches together: the difference of the medians.
  package let extraBlockedAtLaunch: Double
  /// The same as a ratio of runs paired by their index; nil if a run took no time.
  package let blockedAtLaunchRatio: PairedRatio?
  package let commitP99Ratio: PairedRatio?

  init?(_ cell: CellAnalysis, never: CellAnalysis) {
    guard cell.key != never.key, cell.isMeasured, never.isMeasured else { return nil }
    key = cell.key
    baseline = never.key
    func difference(_ metric: SummaryMetric) -> ByteCount? {
      guard let a = never.value(metric), let b = cell.value(metric) else { return nil }
      return ByteCount(Int((a - b).rounded()))
    }
    savedHighWater = difference(.highWater) ?? .zero
    savedFinal = difference(.final) ?? .zero
    savedTimeWeighted = difference(.timeWeighted) ?? .zero
    extraRewritten = difference(.rewritten).map { .zero - $0 }
    extraWritten = difference(.written).map { .zero - $0 }
    extraBlockedAtLaunch =
      (cell.value(.blockedAtLaunchTotal) ?? 0) - (never.value(.blockedAtLaunchTotal) ?? 0)
    blockedAtLaunchRatio = Self.ratio(.blockedAtLaunchTotal, cell, never)
    commitP99Ratio = Self.ratio(.commitP99, cell, never)
  }

  /// Returns the ratio of runs with the same index, which ran one after the other and so are pairs.
  private static func ratio(
    _ metric: SummaryMetric, _ cell: CellAnalysis, _ never: CellAnalysis
  ) -> PairedRatio? {
    let others = Dictionary(
      never.record.timedRepetitions.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = cell.record.timedRepetitions.compactMap { run -> (Double, Double)? in
      guard let a = metric.value(run), let b = others[run.index].flatMap(metric.value) else {
        return nil
      }
      return (a, b)
    }
    return PairedRatio(pairs.map(\.0), pairs.map(\.1))
  }
}
