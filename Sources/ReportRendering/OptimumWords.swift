// The results of an optimum as text, for its page and the terminal.
import LaunchSchedules
import MetricModel
import Objective
import RecordModel

enum OptimumWords {
  /// `12 %`, or the difference where the optimum costs nothing; `–` where the optimum is not known.
  static func regret(_ outcome: PolicyOutcome) -> String {
    if let regret = outcome.regret { return "\((regret * 100).threeDigits) %" }
    return outcome.difference.map { "+ \($0.words)" } ?? "–"
  }

  static func factor(_ factor: Double) -> String {
    factor == factor.rounded() ? "\(Int(factor)) ×" : "\(factor) ×"
  }

  static func unmet(
    _ unmet: UnmetLimit, _ schedule: LaunchSchedule, _ names: OpeningNames
  ) -> String {
    let (key, figure) =
      switch unmet.limit {
      case .highWater: ("max-size", "the files reach")
      case .peakDisk: ("max-disk", "the files and a copy take")
      case .longestLaunch: ("max-launch", "a launch takes")
      case .rewritten: ("max-rewritten", "a run rewrites")
      }
    return "no schedule meets the limits: at most \(unmet.text(unmet.maximum)) by \(key), but "
      + "\(figure) \(unmet.text(unmet.least)) even if compacted \(names.phrase(schedule))"
  }

  /// What the optimum rests on.
  static func basis(_ result: OptimumResult) -> String {
    let renewal = result.cell.renewal
    switch result.basis {
    case .renewal:
      return
        "predicted: \(counted(renewal?.rows ?? 0, "row")) of \(counted(renewal?.runs ?? 0, "run")), "
        + "\(counted(renewal?.schedules ?? 0, "schedule")) with two compactions or more among them, are as the launch "
        + "matrix predicts, to the byte"
    case .pricedRenewal:
      let why = renewal?.difference.map { ", though \(difference($0))" } ?? ""
      return
        "predicted: in all rows of \(counted(renewal?.runs ?? 0, "run")), "
        + "\(counted(renewal?.schedules ?? 0, "schedule")) with two compactions or more among them, whatever a cost is made "
        + "of is as the launch matrix predicts, to the byte\(why)"
    case .approximate(let error):
      let why = renewal?.difference.map { ", since \(difference($0))" } ?? ""
      return
        "predicted: the launch matrix misses the costs of \(counted(renewal?.runs ?? 0, "run")) by "
        + (error < 0.000_01 ? "less than 0.001 %" : "at most \((error * 100).threeDigits) %") + why
    case .everySchedule:
      let count = result.matrix?.scheduleCount ?? 0
      let all = "run: all \(grouped(count)) schedules"
      return renewal?.difference.map { "\(all), since \(difference($0))" } ?? all
    case .someSchedules:
      let why = renewal?.difference.map { ", since \(difference($0))" } ?? ""
      return "not known\(why); the cheapest of the schedules that were run is shown"
    }
  }

  static func difference(_ difference: RowDifference) -> String {
    "a compaction does not forget what was before it: in launch \(difference.launch), phase "
      + "\(difference.phase), commit \(grouped(difference.commit)) of \(difference.policy), "
      + "\(difference.column) is \(difference.measured) and \(difference.predicted) was predicted"
  }

  /// `declined at launch 3 (16.2 MB): totalBytes 15.0 MB <= 20 MiB`.
  static func decision(_ decision: PolicyDecision) -> String {
    let size = decision.size.map { " (\($0))" } ?? ""
    let verb = decision.compacts ? "compacted" : "did not compact"
    return "\(verb) \(decision.phrase)\(size)"
      + (decision.reason.map { ": \($0)" } ?? "")
  }
}
