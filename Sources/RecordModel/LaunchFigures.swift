// What a run under one schedule of compactions came to, launch by launch.
package import MetricModel
package import Objective

/// The figures of one launch of a run: from its first sample to that of the next launch. A moment in the background in which
/// the database is opened counts as a launch.
package struct LaunchFigures: Hashable, Sendable, Codable {
  /// What became of the compaction that the policy could ask for at this launch.
  package enum Compaction: String, Hashable, Sendable, Codable {
    case finished
    case declined
    case skipped
    /// Of several files some were compacted.
    case partial
    /// The policy was not asked.
    case none
  }

  /// The number of the opening, from 1.
  package var launch: Int
  /// nil for a launch.
  package var moment: BackgroundMoment?
  package var compaction = Compaction.none
  /// All files together over time.
  package var area = ByteTime.zero
  package var time = VirtualTime.zero
  package var highWater = ByteCount.zero
  /// What compactions wrote again since the last sample of the launch before; nil if one did not report it.
  package var rewritten: ByteCount? = .zero
  /// All files when the policy was asked, and after its compaction; nil if it was not asked.
  package var before: ByteCount?
  package var after: ByteCount?
  /// What the policy was given when it was asked; nil for several files, of which each has its own values.
  package var callback: CallbackValues?
  /// How long this launch takes with and without a compaction; nil where times are not predicted.
  package var times: LaunchTimes?

  package init(launch: Int, moment: BackgroundMoment? = nil) {
    (self.launch, self.moment) = (launch, moment)
  }
}

/// Predicted times of a launch, in nanoseconds.
package struct LaunchTimes: Hashable, Sendable, Codable {
  /// Until the database is open, compacted.
  package var compacting: Int
  /// Until the database is open, as it is.
  package var opening: Int

  package init(compacting: Int, opening: Int) {
    (self.compacting, self.opening) = (compacting, opening)
  }

  /// Of an opening in the background: no launch waits for it.
  package static let zero = LaunchTimes(compacting: 0, opening: 0)

  /// What a compaction adds.
  package var blocked: Int { max(0, compacting - opening) }
}

/// A run of the optimum: a policy, or a schedule of compactions by the numbers of launches.
package struct ScheduleRun: Hashable, Sendable, Codable {
  package enum Purpose: String, Hashable, Sendable, Codable {
    /// At no launch, at one, or at every launch.
    case matrix
    /// To compare its rows with predicted ones.
    case check
    /// A policy of the scenario.
    case policy
  }

  package var policy: String
  package var purpose: Purpose
  /// Whether the engine compacts by itself, too.
  package var isAutomatic: Bool
  package var launches: [LaunchFigures]
  /// The decisions of a policy with the values that it saw; empty for other runs.
  package var reasons: [Int: String] = [:]

  package init(
    policy: String, purpose: Purpose, isAutomatic: Bool, launches: [LaunchFigures],
    reasons: [Int: String] = [:]
  ) {
    self.policy = policy
    self.purpose = purpose
    self.isAutomatic = isAutomatic
    self.launches = launches
    self.reasons = reasons
  }

  /// The launches at which the database was compacted; nil where only some of its files were, at one of them.
  package var schedule: [Int]? {
    if launches.contains(where: { $0.compaction == .partial }) { return nil }
    return launches.filter { $0.compaction == .finished }.map(\.launch)
  }
}
