// calibration.csv: one row for each measurement, with the prediction of the model of its kind.
package import Calibration
import MetricModel
import RecordModel

package enum CalibrationCSV {
  package static let fileName = "calibration.csv"

  private static let columns = [
    "engine", "operation", "cache", "live_bytes", "bytes", "held_out", "cached_share",
    "repetitions",
    "measured_ns", "fitted_ns", "fitted_low_ns", "fitted_high_ns", "relative_error",
  ]

  package static func text(_ record: CalibrationRecord) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for costs in record.engines {
      for point in costs.points {
        append(point, costs, to: &line)
        line.endRow()
      }
    }
    return line.bytes
  }

  private static func append(_ point: CostPoint, _ costs: EngineCosts, to line: inout CSVLine) {
    let model = costs.model(point.kind, point.cache)
    let predicted = model?.predicted(point)
    line.append(costs.engine)
    line.append(point.kind.rawValue)
    line.append(point.cache.rawValue)
    line.append(point.live?.bytes)
    line.append(point.bytes.bytes)
    line.append(point.isHeldOut)
    line.append(point.cachedShare.map(SummaryCSV.number) ?? "")
    line.append(point.nanoseconds.count)
    for value in [
      point.time, predicted?.nanoseconds, predicted?.interval.low, predicted?.interval.high,
      model?.error(at: point),
    ] {
      line.append(value.map(SummaryCSV.number) ?? "")
    }
  }
}
