// What a policy saves and costs beside doing nothing, on the same engine and arm.
package import MetricModel
package import RecordModel
package import Statistics

package struct Comparison: Sendable, Equatable {
  package let key: CellKey
  /// The cell that it is compared with.
  package let baseline: CellKey
  /// `never`'s figure less this policy's: above zero is saved.
  package let savedHighWater: ByteCount
  package let savedFinal: ByteCount
  package let savedTimeWeighted: ByteCount
  /// This policy's figure less `never`'s.
  package let extraRewritten: ByteCount?
  package let extraWritten: ByteCount?
  /// Nanoseconds at all launches together: the difference of the medians.
  package let extraBlockedAtLaunch: Double
  /// The same as a ratio of runs paired by their index; nil where a run took no time.
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

  /// Runs with the same index stood beside each other in time, so they are pairs.
  private static func ratio(
    _ metric: SummaryMetric, _ cell: CellAnalysis, _ never: CellAnalysis
  ) -> PairedRatio? {
    let others = Dictionary(
      never.record.repetitions.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = cell.record.repetitions.compactMap { run -> (Double, Double)? in
      guard let a = metric.value(run), let b = others[run.index].flatMap(metric.value) else {
        return nil
      }
      return (a, b)
    }
    return PairedRatio(pairs.map(\.0), pairs.map(\.1))
  }
}
