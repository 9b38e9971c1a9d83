// The outcomes of each launch condition on each engine: how often it was evaluated, how often it triggered, and why not.
import MetricModel
package import Policies
import PredicateLanguage
import RecordModel

package struct LaunchRuleOutcome: Sendable {
  package let engine: String
  package let policy: Policy
  /// Launches of the first repetition, by outcome.
  package let compacted: Int
  package let declined: Int
  package let skipped: Int
  /// Whether no launch of any repetition compacted.
  package let neverTriggered: Bool
  /// The reason of the engine or the condition at the last launch without a compaction; nil if no launch evaluated it.
  package let lastRefusal: String?

  /// For a policy that decides at launches; nil for others, and for a cell that was not measured.
  init?(_ policy: Policy, _ cell: CellAnalysis) {
    guard policy.onLaunch != .never, cell.isMeasured, let events = cell.first?.events else {
      return nil
    }
    let launches = events.filter { $0.event.kind == .onLaunch }
    engine = cell.key.engine
    self.policy = policy
    compacted = launches.count { $0.event.outcome == .finished }
    declined = launches.count { $0.event.outcome == .declined }
    skipped = launches.count { $0.event.outcome == .skipped }
    let refusal = declined > 0 ? CompactionEvent.Outcome.declined : .skipped
    lastRefusal = launches.last { $0.event.outcome == refusal }?.event.reason
    let fired = cell.record.repetitions.contains { run in
      run.events.contains { $0.event.kind == .onLaunch && $0.event.outcome == .finished }
    }
    // Without automatic compaction, only a compaction at a launch can have rewritten anything.
    neverTriggered = !fired && (policy.automatic || !cell.hasCompacted)
  }
}

extension CellAnalysis {
  /// Whether any repetition compacted anything, as far as the engine reports it.
  var hasCompacted: Bool {
    record.repetitions.contains { run in
      (run.exact.rewritten ?? .zero) > .zero
        || run.events.contains {
          [.started, .resumed, .shortened, .finished].contains($0.event.outcome)
        }
    }
  }

  /// Returns whether the sizes of all files equal those of the other cell: maximum, final, and time-weighted.
  func hasSizes(of other: CellAnalysis) -> Bool {
    [SummaryMetric.highWater, .final, .timeWeighted, .timeWeightedOpen].allSatisfy {
      measure($0).isExact && value($0) == other.value($0)
    }
  }
}
