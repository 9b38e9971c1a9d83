// The times of launches, predicted by a calibration: stepped runs are no measurement of time, and the least of many measured
// times would favor the schedule that happened to be measured fast.
package import Calibration
import MetricModel
package import RecordModel

extension OptimumCell {
  /// Predicts the time of each launch in every run, of files in the page cache. A launch with several files has none, since
  /// each is compacted by itself; nor has one whose engine was not calibrated. In the background there is no launch to hold up.
  package mutating func predictTimes(_ calibration: CalibrationRecord) {
    guard let costs = calibration.costs(of: engine) else { return }
    for run in runs.indices {
      for launch in runs[run].launches.indices {
        runs[run].launches[launch].times = LaunchTimes(runs[run].launches[launch], costs)
      }
    }
  }
}

extension LaunchTimes {
  fileprivate init?(_ figures: LaunchFigures, _ costs: EngineCosts) {
    guard figures.moment == nil else {
      self = .zero
      return
    }
    guard let callback = figures.callback,
      let compacting = costs.predictedCompactionTime(
        live: callback.usedBytes, file: callback.totalBytes),
      let opening = costs.predictedLaunchTime(file: callback.totalBytes)
    else { return nil }
    self.init(
      compacting: Int(compacting.nanoseconds.rounded()),
      opening: Int(opening.nanoseconds.rounded()))
  }
}
