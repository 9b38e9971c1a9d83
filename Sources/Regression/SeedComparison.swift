// Figures that are exact for one seed and others for another: paired by seed, so that what a seed does to both sides falls
// out. A change of the engine that makes some seeds better and some worse by chance is then no finding; one that makes most
// of them worse is.
package import Analysis
import MetricModel
package import RecordModel

/// One figure of one cell over many seeds.
package struct SeedFinding: Sendable, Equatable {
  package var scenario: String
  package var cell: CellKey
  package var figure: String
  package var seeds: Int
  /// Seeds with another value than in the baseline.
  package var differing: Int
  package var allowance: Allowance
  package var comparison: PairedComparison

  package var place: String { "\(scenario) · \(cell.words)" }
}

package enum SeedComparison {
  /// Below so many seeds no difference can be called at 5 % by a rank test: each is then compared as it is.
  package static let minSeedCount = 6

  /// Judges the figures that differ for some seed; what a figure does for each seed is exact, so those that differ for none
  /// are the same and need no test. All are corrected together by Holm.
  package static func findings(
    _ pairs: [(base: BaselineCell, head: BaselineCell)], scenario: String,
    thresholds: Thresholds, alpha: Double = 0.05
  ) -> [SeedFinding] {
    var series: [PairedSeries] = []
    var findings: [(cell: CellKey, figure: String, seeds: Int, differing: Int, Allowance)] = []
    for (cell, seeds) in Dictionary(grouping: pairs, by: \.base.key.cell)
      .sorted(by: { $0.key.words < $1.key.words })
    {
      for figure in Set(seeds.flatMap(\.base.figures.keys)).sorted() {
        let values = seeds.compactMap { pair -> (Double, Double)? in
          guard let base = pair.base.figures[figure], let head = pair.head.figures[figure] else {
            return nil
          }
          return (base, head)
        }
        let differing = values.count { $0.0 != $0.1 }
        guard differing > 0, let metric = Metric.of(column: figure) else { continue }
        let allowance = thresholds.allowance(
          scenario: scenario, engine: cell.engine, policy: cell.policy, arm: cell.arm,
          metric: figure)
        series.append(
          paired(values, metric, tolerance: allowance.tolerance(noise: 0)))
        findings.append((cell, figure, values.count, differing, allowance))
      }
    }
    let rules = ComparisonRules(tolerance: 0, alpha: alpha)
    return zip(findings, PairedComparison.compare(series, rules, level: alpha)).map { found, comparison in
      SeedFinding(
        scenario: scenario, cell: found.cell, figure: found.figure, seeds: found.seeds,
        differing: found.differing, allowance: found.4, comparison: comparison)
    }
  }

  /// A value of zero has no ratio, so where there is one, one is added to all.
  private static func paired(
    _ values: [(Double, Double)], _ metric: Metric, tolerance: Double
  ) -> PairedSeries {
    let shift: Double = values.contains { $0.0 <= 0 || $0.1 <= 0 } ? 1 : 0
    return PairedSeries(
      name: metric.column, unit: metric.unit, polarity: metric.polarity,
      base: values.map { $0.0 + shift }, head: values.map { $0.1 + shift },
      tolerance: tolerance)
  }
}
