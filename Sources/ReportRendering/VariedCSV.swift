// tune-robustness.csv: one row per engine, workload, point and policy, with the values of the point. Exact, as tune.csv.
package import LaunchSchedules
import MetricModel
import Objective
import RecordModel

package enum VariedCSV {
  package static let fileName = "tune-robustness.csv"

  private static let columns = [
    "engine", "scenario", "arm", "seed", "point", "policy", "cost_points", "optimum_points",
    "limits_exceeded", "values",
  ]

  /// nil where nothing was varied.
  package static func text(_ analysis: TuneAnalysis) -> [UInt8]? {
    guard analysis.record.engines.contains(where: { $0.robustness != nil }) else { return nil }
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for engine in analysis.record.engines {
      guard let varied = engine.robustness else { continue }
      for run in varied.runs { add(run, varied, engine, to: &line) }
    }
    return line.bytes
  }

  private static func add(
    _ run: VariedRun, _ varied: VariedRuns, _ engine: TunedEngine, to line: inout CSVLine
  ) {
    let workload = engine.workloads[run.workload]
    for text in [engine.engine, workload.scenario, workload.arm, "\(varied.seed)"] {
      line.append(text)
    }
    line.append(run.point + 1)
    line.append(run.policy)
    line.append("\(run.cost.points)")
    line.append("\(run.optimum.points)")
    line.append(run.exceeded.joined(separator: "; "))
    line.append(varied.settings(of: run, engine).joined(separator: "; "))
    line.endRow()
  }
}
