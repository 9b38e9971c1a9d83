// The part of a launch that an expectation looks at, and what is said of it.
import MetricModel
import RecordModel
import ScenarioModel

/// The samples of the scope within one launch, in order; never empty.
struct Stretch {
  let launch: Int
  /// All samples of the launch, and which of them are in the scope.
  let whole: [Sample]
  let range: Range<Int>

  var samples: [Sample] { Array(whole[range]) }

  /// Where in the launch such events of the scope are.
  func places(of event: Expectation.Event) -> [Int] {
    range.filter { index in
      switch event {
      case .opening: index == 0
      case .compaction: index > 0 && whole[index].compactions > whole[index - 1].compactions
      case .release:
        index > 0 && whole[index].observation.pins == 0 && whole[index - 1].observation.pins > 0
      }
    }
  }
}

/// What came of a check of one stretch.
enum StretchResult {
  case held(String)
  /// With the commit at which it shows.
  case failed(String, at: Int)
  case notApplicable(reason: String)
}

extension Expectation.Condition {
  /// The variable whose curve tells most about it.
  var pictured: String {
    switch self {
    case .plateau(let variable), .grows(let variable), .slope(let variable, _, _),
      .highWater(let variable, _, _), .rise(let variable, _, _), .reclaimed(let variable, _),
      .rebound(let variable, _):
      variable
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
