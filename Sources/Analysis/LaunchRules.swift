// The outcomes of each launch condition on each engine: whether it triggered, and why not; and where it did and the engine
// could not compact.
import MetricModel
package import Policies
import PredicateLanguage
import RecordModel

package struct LaunchRuleOutcome: Sendable {
  package let engine: String
  package let policy: Policy
  /// Whether no launch of any repetition compacted, or was to compact.
  package let neverTriggered: Bool
  /// The reason of the engine or the condition at the last launch without a compaction; nil if no launch evaluated it.
  package let lastRefusal: String?
  /// Launches of the first repetition that were to compact where the engine could not.
  package let skippedCount: Int
  /// The reason of the last of them.
  package let lastSkip: String?

  /// For a policy that decides at launches; nil for others, and for a cell that was not measured.
  init?(_ policy: Policy, _ cell: CellAnalysis) {
    guard policy.onLaunch != .never, cell.isMeasured, let events = cell.first?.events else {
      return nil
    }
    let launches = events.map(\.event).filter { $0.kind == .onLaunch }
    engine = cell.key.engine
    self.policy = policy
    let refusal =
      launches.last { $0.outcome == .declined } ?? launches.last { $0.outcome == .skipped }
    lastRefusal = refusal?.reason
    let skipped = launches.filter(\.isSkippedCompaction)
    skippedCount = skipped.count
    lastSkip = skipped.last?.reason
    let fired = cell.record.repetitions.contains { run in
      run.events.contains {
        $0.event.kind == .onLaunch
          && ($0.event.outcome == .finished || $0.event.isSkippedCompaction)
      }
    }
    // Without automatic compaction, only a compaction at a launch can have rewritten anything.
    neverTriggered = !fired && (policy.automatic || !cell.hasCompacted)
  }
}

extension CompactionEvent {
  /// Whether the policy decided for a compaction at a launch, and the engine could not run it. Of a database that is new the
  /// policy is not asked.
  fileprivate var isSkippedCompaction: Bool { outcome == .skipped && before > .zero }
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
