// What became of each launch condition on each engine: how often it was asked, how often it fired, and why not.
import MetricModel
package import Policies
import PredicateLanguage
import RecordModel

package struct LaunchRuleOutcome: Sendable {
  package let engine: String
  package let policy: Policy
  /// Launches of the first repetition, by what became of them.
  package let compacted: Int
  package let declined: Int
  package let skipped: Int
  /// Whether no launch of any repetition compacted.
  package let neverFired: Bool
  /// The engine's or the condition's words at the last launch where it did not compact; nil where no launch asked.
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
    // Only a compaction at a launch can have rewritten anything where there is no other.
    neverFired = !fired && (policy.automatic || !cell.hasCompacted)
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

  /// Whether the sizes of all files are those of the other cell, at the most, at the end, and on average.
  func hasSizes(of other: CellAnalysis) -> Bool {
    [SummaryMetric.highWater, .final, .timeWeighted, .timeWeightedOpen].allSatisfy {
      measure($0).isExact && value($0) == other.value($0)
    }
  }
}
