// Curves given by formulas, so that what a walk must do with them is known.
import FleetModel

enum SyntheticFleet {
  static let group = DeviceGroup(
    name: "all", data: .logNormal(median: 4e6, sigma: 0.8, activity: 0.3, greatest: 1e9),
    value: .fixed(256), growth: .logNormal(median: 4000, sigma: 0.5, activity: 0.5),
    commits: .logNormal(median: 200, sigma: 0.4), writes: 4, replaced: 0.25,
    launches: .uniform(low: 4, high: 12))

  static func population(_ group: DeviceGroup = group, seed: UInt64 = 11) -> Population {
    Population(name: "synthetic", seed: seed, groups: [group])
  }

  /// Relative sizes: 1.3 after a compaction, 2.3 in the end, larger for small data.
  static func total(_ turnover: Double, _ data: Double) -> Double {
    1.3 + turnover / (turnover + 0.5) + 1e5 / data
  }

  static func used(_ data: Double) -> Double { 1.2 + 5e4 / data }

  /// Where a compaction keeps half-full pages, used bytes grow by up to half of the data.
  static func curve(_ data: Double, keptFill: Double = 0) -> RenewalCurve {
    let points = TurnoverGrid.turnovers.filter { $0 <= 32 }.map { turnover in
      let fill = keptFill > 0 ? 0.5 * turnover / (turnover + 2) : 0
      return CurvePoint(
        turnover: turnover, data: data, totalBytes: (total(turnover, data) + fill) * data,
        usedBytes: (used(data) + fill) * data)
    }
    return RenewalCurve(
      data: data, points: points, rewrittenPerCompacted: 0.95, keptFill: keptFill)
  }

  /// 4 kB a commit, up to 256 kB.
  static let peaks = LaunchPeaks([(16, 65_536), (64, 262_144)])

  static func curves(
    _ population: Population = population(), data: [Double] = [1e6, 1e7, 1e8],
    refusal: String? = nil, keptFill: Double = 0
  ) -> FleetCurves {
    let axes = ClassAxes(values: [256], addShares: [0], rates: [25], data: data)
    let item = ClassCurves(
      name: "all/256 B", parameters: axes.parameters(0),
      curves: refusal == nil ? data.map { curve($0, keptFill: keptFill) } : [], peaks: peaks,
      refusal: refusal)
    let group = GroupCurves(
      group: "all", engine: "native", engineVersion: "1", axes: axes, classes: [item])
    return FleetCurves(
      population: population, stratification: Stratification(), groups: [group])
  }
}
