// tune.csv: one row per engine, workload, held-out seed and policy. Exact, so that it is the same bytes wherever it is made.
package import LaunchSchedules
import MetricModel
import Objective
import RecordModel

package enum TuneCSV {
  package static let fileName = "tune.csv"

  private static let columns = [
    "engine", "scenario", "arm", "seed", "policy", "cost_points", "optimum_points",
    "excess_byte_us", "run_us", "rewritten_bytes", "blocked_ns", "compactions", "high_water_bytes",
    "disk_bytes", "limits_exceeded",
  ]

  package static func text(_ analysis: TuneAnalysis) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for engine in analysis.record.engines {
      for run in engine.runs {
        let workload = engine.workloads[run.workload]
        for text in [engine.engine, workload.scenario, workload.arm, "\(run.seed)", run.policy] {
          line.append(text)
        }
        line.append("\(run.cost.points)")
        line.append("\(run.optimum.points)")
        line.append("\(run.figures.excess.byteMicroseconds)")
        line.append(run.figures.time.microseconds)
        line.append(run.figures.rewritten.bytes)
        line.append(run.hasTimes == true ? "\(run.figures.blocked)" : "")
        line.append(run.compactions)
        line.append(run.figures.highWater.bytes)
        line.append(run.figures.peakDisk.bytes)
        line.append(run.exceeded.joined(separator: "; "))
        line.endRow()
      }
    }
    return line.bytes
  }
}
