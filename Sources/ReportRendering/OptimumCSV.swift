// optimum.csv: one row per engine, arm, prices and policy, the optimum first; launch-matrix.csv: one row per launch and last
// compaction. Both are exact, so that they are the same bytes wherever they are made.
package import LaunchSchedules
import MetricModel
import Objective
import RecordModel

package enum OptimumCSV {
  package static let fileName = "optimum.csv"
  package static let matrixFileName = "launch-matrix.csv"

  private static let columns = [
    "engine", "arm", "work_price_factor", "policy", "basis", "compacted_at", "cost_points",
    "regret", "difference_points", "excess_byte_us", "rewritten_bytes", "high_water_bytes",
    "disk_bytes", "run_us", "limits_exceeded", "first_different_launch", "costliest_launch",
    "costliest_points",
  ]

  package static func text(_ analysis: OptimumAnalysis) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for result in analysis.results {
      guard let names = result.matrix?.names else { continue }
      for ranking in result.rankings {
        for fields in [optimum(ranking, result, names)]
          + ranking.policies.map({ policy($0, names) })
        {
          line.append(result.cell.engine)
          line.append(result.cell.arm)
          line.append(SummaryCSV.number(ranking.factor))
          for field in fields { line.append(field) }
          line.endRow()
        }
      }
    }
    return line.bytes
  }

  private static func optimum(
    _ ranking: PolicyRanking, _ result: OptimumResult, _ names: OpeningNames
  ) -> [String] {
    let lead = ["optimum", basis(result.basis)]
    switch ranking.best {
    case .found(let best):
      return lead + [names.numbers(best.schedule), "\(best.cost.points)", "0", "0"]
        + figures(best.figures) + ["", "", "", ""]
    case .unsatisfiable(let unmet, let schedule):
      return lead
        + [names.numbers(schedule)] + Array(repeating: "", count: 8)
        + ["\(unmet.limit.rawValue) \(unmet.least) > \(unmet.maximum)", "", "", ""]
    }
  }

  private static func policy(_ outcome: PolicyOutcome, _ names: OpeningNames) -> [String] {
    let regret = outcome.regret.map { "\($0)" } ?? ""
    let difference = outcome.difference.map { "\($0.points)" } ?? ""
    let compacted = outcome.schedule.map(names.numbers) ?? ""
    return [outcome.policy, "run", compacted, "\(outcome.cost.points)"]
      + [regret, difference] + figures(outcome.figures)
      + [
        outcome.exceeded.joined(separator: "; "),
        outcome.firstDifference.map(\.number) ?? "",
        outcome.costliest.map(\.number) ?? "",
        outcome.costliest?.loss.map { "\($0.points)" } ?? "",
      ]
  }

  private static func figures(_ figures: PricedFigures) -> [String] {
    [
      "\(figures.excess.byteMicroseconds)", "\(figures.rewritten.bytes)",
      "\(figures.highWater.bytes)", "\(figures.peakDisk.bytes)",
      "\(figures.time.microseconds)",
    ]
  }

  static func basis(_ basis: OptimumBasis) -> String {
    switch basis {
    case .renewal: "matrix"
    case .pricedRenewal: "matrix of costs"
    case .approximate: "approximate matrix"
    case .everySchedule: "all schedules"
    case .someSchedules: "some schedules"
    }
  }

  private static let matrixColumns = [
    "engine", "arm", "last_compaction", "launch", "area_byte_us", "fresh_area_byte_us", "time_us",
    "high_water_bytes", "rewritten_bytes", "bytes_when_asked",
  ]

  /// The figures of each launch by the launch of the last compaction: all that every schedule is put together from.
  package static func matrix(_ analysis: OptimumAnalysis) -> [UInt8] {
    var line = CSVLine()
    for column in matrixColumns { line.append(column) }
    line.endRow()
    for result in analysis.results where result.absence == nil {
      guard let matrix = result.matrix else { continue }
      for last in [0] + matrix.decisions {
        for launch in max(1, last)...matrix.launchCount {
          guard let figures = matrix.figures(of: launch, compactedAt: last) else { continue }
          line.append(result.cell.engine)
          line.append(result.cell.arm)
          line.append(last == 0 ? "0" : matrix.names.number(last))
          line.append(matrix.names.number(launch))
          line.append("\(figures.area.byteMicroseconds)")
          line.append("\(matrix.freshArea(of: launch).byteMicroseconds)")
          line.append(figures.time.microseconds)
          line.append(figures.highWater.bytes)
          line.append(figures.rewritten?.bytes)
          line.append(figures.before?.bytes)
          line.endRow()
        }
      }
    }
    return line.bytes
  }
}
