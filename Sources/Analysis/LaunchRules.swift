// What became of each launch condition: how often it was asked, how often it fired, and why not.
import MetricModel
package import Policies
import PredicateLanguage
import RecordModel

package struct LaunchRuleOutcome: Sendable {
  package let policy: Policy
  package let compacted: Int
  package let declined: Int
  package let skipped: Int
  /// The engine's or the condition's words at the last launch where it did not compact.
  package let lastRefusal: String?

  /// For a policy that decides at launches; nil for others, and where no launch asked.
  init?(_ policy: Policy, _ cell: CellAnalysis) {
    guard policy.onLaunch != .never, let events = cell.first?.events else { return nil }
    let launches = events.filter { $0.event.kind == .onLaunch }
    self.policy = policy
    compacted = launches.count { $0.event.outcome == .finished }
    declined = launches.count { $0.event.outcome == .declined }
    skipped = launches.count { $0.event.outcome == .skipped }
    let refusal = declined > 0 ? CompactionEvent.Outcome.declined : .skipped
    lastRefusal = launches.last { $0.event.outcome == refusal }?.event.reason
    if compacted + declined + skipped == 0 { return nil }
  }

  package var neverFires: Bool { compacted == 0 && declined > 0 }
}
