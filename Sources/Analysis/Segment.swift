// The part of a launch in the scope of an expectation, and the result of a check.
import MetricModel
import RecordModel
import ScenarioModel

/// The samples of the scope within one launch, in order; never empty.
struct Segment {
  let launch: Int
  /// All samples of the launch, and the range of those in the scope.
  let launchSamples: [Sample]
  let range: Range<Int>

  var samples: [Sample] { Array(launchSamples[range]) }

  /// Returns the indices in the launch of such events within the scope.
  func indices(of event: Expectation.Event) -> [Int] {
    range.filter { index in
      switch event {
      case .opening: index == 0
      case .compaction:
        index > 0 && launchSamples[index].compactions > launchSamples[index - 1].compactions
      case .release:
        index > 0 && launchSamples[index].observation.pins == 0
          && launchSamples[index - 1].observation.pins > 0
      }
    }
  }
}

/// The result of a check on one segment.
enum CheckResult {
  case held(String)
  /// With the commit at which the failure shows.
  case failed(String, at: Int)
  case notApplicable(reason: String)
}

extension Expectation.Condition {
  /// The variable whose curve explains the condition best.
  var pictured: String {
    switch self {
    case .plateau(let variable), .grows(let variable), .slope(let variable, _, _),
      .highWater(let variable, _, _), .rise(let variable, _, _), .reclaimed(let variable, _),
      .rebound(let variable, _):
      variable
    case .figure: "allBytes"
    case .always(let predicate), .never(let predicate), .eventually(let predicate, _),
      .following(_, let predicate, _):
      predicate.variables.first { ObservedVariable.named($0)?.unit == .bytes }
        ?? predicate.variables.first ?? "allBytes"
    }
  }
}

extension Expectation.Comparison {
  func holds(_ value: Double, _ bound: Double) -> Bool {
    switch self {
    case .atMost: value <= bound
    case .below: value < bound
    case .atLeast: value >= bound
    case .above: value > bound
    }
  }
}
