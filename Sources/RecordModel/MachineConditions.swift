// The machine while timed figures were measured: what else it did, and what was taken from it.
package import MetricModel

/// Conditions of the part of a run that timed figures come from; nil where the system does not report one.
package struct MachineConditions: Sendable, Codable, Equatable {
  /// The load average of a minute, at the beginning and at most.
  package var loadAtBegin: Double?
  package var maxLoad: Double?
  /// Shares of the time of all processors, from 0 to 1: used by other processes, and taken by the host (steal).
  package var others: Double?
  package var steal: Double?
  /// Milliseconds in which a quota of the control group stopped the run.
  package var throttledMilliseconds: Int?
  /// How often processors were slowed down because of heat.
  package var heatThrottles: Int?
  /// Files in memory at the beginning and at the end, and at most of them to be written.
  package var cachedAtBegin: ByteCount?
  package var cachedAtEnd: ByteCount?
  package var maxDirty: ByteCount?
  /// The most bytes of files that were being written at an observation; nil in records of earlier versions.
  package var maxWriteback: ByteCount?

  package init() {}

  /// From these shares on, times are those of a disturbed machine.
  package static let maxSteal = 0.01
  package static let maxOthers = 0.25

  /// Returns what disturbed the run, each as a clause: `the host took 7.2 % of processor time (steal)`.
  package func disturbances(_ percent: (Double) -> String) -> [String] {
    var clauses: [String] = []
    if let steal, steal > Self.maxSteal {
      clauses.append("the host took \(percent(steal)) of processor time (steal)")
    }
    if let throttledMilliseconds, throttledMilliseconds > 0 {
      clauses.append("a quota stopped the run for \(throttledMilliseconds) ms (throttling)")
    }
    if let heatThrottles, heatThrottles > 0 {
      clauses.append("processors were slowed down by heat \(heatThrottles) times (throttling)")
    }
    if let others, others > Self.maxOthers {
      clauses.append("other processes used \(percent(others)) of processor time")
    }
    return clauses
  }
}

/// The timed figures of a second run of a cell within one randomized block, which the A/A check compares with the first.
package struct ControlRun: Sendable, Codable, Equatable {
  /// The index of the repetition that it is compared with.
  package var repetition: Int
  package var timing: TimingSummary

  package init(repetition: Int, timing: TimingSummary) {
    self.repetition = repetition
    self.timing = timing
  }
}
