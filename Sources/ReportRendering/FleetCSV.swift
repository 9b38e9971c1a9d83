// simulation.csv: one row for each policy, figure and quantile. front.csv: one row for each rule of the Pareto front.
package import FleetModel
import RecordModel

package enum FleetCSV {
  package static let fileName = "simulation.csv"

  package static func text(_ summary: FleetSummary) -> [UInt8] {
    var line = CSVLine()
    for column in ["policy", "figure", "unit", "quantile", "value", "low", "high"] {
      line.append(column)
    }
    line.endRow()
    for policy in summary.policies {
      for figure in policy.figures {
        for quantile in figure.quantiles {
          append(policy, figure, SummaryCSV.number(quantile.share), quantile.value, to: &line)
          line.append(quantile.low.map(SummaryCSV.number) ?? "")
          line.append(quantile.high.map(SummaryCSV.number) ?? "")
          line.endRow()
        }
        append(policy, figure, "worst", figure.worst, to: &line)
        line.append("")
        line.append("")
        line.endRow()
      }
    }
    return line.bytes
  }

  private static func append(
    _ policy: PolicySummary, _ figure: FigureSummary, _ quantile: String, _ value: Double,
    to line: inout CSVLine
  ) {
    line.append(policy.name)
    line.append(figure.figure.rawValue)
    line.append("\(figure.figure.unit)")
    line.append(quantile)
    line.append(SummaryCSV.number(value))
  }

  package static let frontName = "front.csv"

  package static func front(
    _ front: [FleetTuning.Score], _ limits: [QuantileLimit]
  ) -> [UInt8] {
    var line = CSVLine()
    line.append("policy")
    line.append("keeps_limits")
    line.append("rewritten_a_year_mean_bytes")
    for limit in limits {
      line.append(
        "\(limit.figure.rawValue) \(FleetWords.percentile(limit.share)) (\(limit.figure.unit))")
    }
    line.endRow()
    for score in front {
      line.append(score.candidate.policy.rule)
      line.append(score.keepsLimits)
      line.append(SummaryCSV.number(score.rewritten))
      for value in score.values { line.append(SummaryCSV.number(value)) }
      line.endRow()
    }
    return line.bytes
  }
}
