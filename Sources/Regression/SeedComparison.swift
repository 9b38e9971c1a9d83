// Comparison of figures that vary with the seed: paired by seed, so that the effect of the seed on both sides cancels out. A
// change that makes some seeds better and some worse by chance is no finding; one that makes most of them worse is.
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

  package var cellLabel: String { "\(scenario) · \(cell.words)" }
}

package enum SeedComparison {
  /// With fewer seeds a rank test cannot reach 5 %, so each seed is compared exactly.
  package static let minSeedCount = 6

  /// Compares the figures that differ for some seed. A figure that differs for none is equal and needs no test. All p-values
  /// are corrected together by Holm's procedure.
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
        guard differing > 0, let metric = Metric.stored(figure) else { continue }
        let allowance = thresholds.allowance(
          scenario: scenario, engine: cell.engine, policy: cell.policy, arm: cell.arm,
          metric: figure)
        series.append(
          paired(values, metric, tolerance: allowance.tolerance(noise: 0)))
        findings.append((cell, figure, values.count, differing, allowance))
      }
    }
    let rules = ComparisonRules(tolerance: 0, alpha: alpha)
    return zip(findings, PairedComparison.compare(series, rules, level: alpha)).map {
      found, comparison in
      SeedFinding(
        scenario: scenario, cell: found.cell, figure: found.figure, seeds: found.seeds,
        differing: found.differing, allowance: found.4, comparison: comparison)
    }
  }

  /// Returns the series; if a value is zero, which has no ratio, one is added to all.
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
