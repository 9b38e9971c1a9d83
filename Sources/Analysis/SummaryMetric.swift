// The figures of a run's summary: one table for reports, comparisons and summary.csv.
package import MetricModel
package import RecordModel

/// One figure of a repetition.
package enum SummaryMetric: String, Sendable, CaseIterable, Codable {
  case highWater
  case final
  case finalLive
  case timeWeighted
  case timeWeightedOpen
  case amplification
  case rewritten
  case written
  case writeAmplification
  case compactions
  case commits
  case operations
  case blockedAtLaunchTotal
  case blockedAtLaunchMax
  case commitP50
  case commitP99
  case commitMax
  case readP50
  case readP99
  case readMax
  case writeP50
  case writeP99
  case writeMax
  case intendedP50
  case intendedP99
  case intendedMax
  case sampling
  case wall
  case processorTime
  case peakMemory

  private static let metrics = Dictionary(
    uniqueKeysWithValues: allCases.map { figure in
      guard let metric = Metric.of(column: figure.column) else {
        preconditionFailure("\(figure.column) is not in the table of metrics.")
      }
      return (figure, metric)
    })

  /// Its row in the table of metrics: unit, polarity, repeatability.
  package var metric: Metric { Self.metrics[self]! }

  package var unit: Metric.Unit { metric.unit }

  /// Whether it depends on the wall clock or the machine's memory: noisy under every schedule.
  package var isTimed: Bool { metric.repeatability == .noisy }

  /// The name of its column in summary.csv, with the unit.
  package var column: String {
    switch self {
    case .highWater: "high_water_bytes"
    case .final: "final_bytes"
    case .finalLive: "final_live_bytes"
    case .timeWeighted: "time_weighted_bytes"
    case .timeWeightedOpen: "time_weighted_open_bytes"
    case .amplification: "space_amplification"
    case .rewritten: "rewritten_bytes"
    case .written: "written_bytes"
    case .writeAmplification: "write_amplification"
    case .compactions: "compactions"
    case .commits: "commits"
    case .operations: "operations"
    case .blockedAtLaunchTotal: "blocked_at_launch_total_ns"
    case .blockedAtLaunchMax: "blocked_at_launch_max_ns"
    case .commitP50: "commit_p50_ns"
    case .commitP99: "commit_p99_ns"
    case .commitMax: "commit_max_ns"
    case .readP50: "read_p50_ns"
    case .readP99: "read_p99_ns"
    case .readMax: "read_max_ns"
    case .writeP50: "write_p50_ns"
    case .writeP99: "write_p99_ns"
    case .writeMax: "write_max_ns"
    case .intendedP50: "intended_p50_ns"
    case .intendedP99: "intended_p99_ns"
    case .intendedMax: "intended_max_ns"
    case .sampling: "sampling_ns"
    case .wall: "wall_ns"
    case .processorTime: "processor_time_ns"
    case .peakMemory: "peak_memory_bytes"
    }
  }

  /// Why a measured cell may lack this figure.
  package var absence: String {
    switch self {
    case .finalLive, .amplification: "the engine has no live bytes, or does not report them"
    case .rewritten: "the engine does not report what its automatic compaction moved"
    case .written, .writeAmplification: "the engine does not report what it wrote"
    case .readP50, .readP99, .readMax: "nothing was read"
    case .commitP50, .commitP99, .commitMax: "nothing was committed"
    case .writeP50, .writeP99, .writeMax: "no client wrote a row"
    case .intendedP50, .intendedP99, .intendedMax: "no open loop ran on the wall clock"
    default: "not recorded"
    }
  }

  /// Returns the figure of a repetition; nil if the engine does not report it.
  package func value(_ repetition: RepetitionRecord) -> Double? {
    isTimed ? timed(repetition.timing) : exact(repetition)
  }

  private func exact(_ repetition: RepetitionRecord) -> Double? {
    let exact = repetition.exact
    return switch self {
    case .highWater: Double(exact.highWater.bytes)
    case .final: Double(exact.final.bytes)
    case .finalLive: exact.finalLive.map { Double($0.bytes) }
    case .timeWeighted: Double(exact.timeWeighted.bytes)
    case .timeWeightedOpen: Double(exact.timeWeightedOpen.bytes)
    case .amplification: exact.finalLive.flatMap { exact.final.ratio(to: $0) }
    case .rewritten: exact.rewritten.map { Double($0.bytes) }
    case .written: exact.written.map { Double($0.bytes) }
    case .writeAmplification: exact.written.flatMap { $0.ratio(to: exact.requested) }
    case .compactions: Double(repetition.events.count { $0.event.outcome == .finished })
    case .commits: Double(exact.commits)
    case .operations: Double(exact.operations)
    default: nil
    }
  }

  private func timed(_ timing: TimingSummary) -> Double? {
    func latency(_ summary: LatencySummary, _ part: KeyPath<LatencySummary, Int>) -> Double? {
      summary.count == 0 ? nil : Double(summary[keyPath: part])
    }
    return switch self {
    case .blockedAtLaunchTotal: Double(timing.blockedAtLaunchTotal)
    case .blockedAtLaunchMax: Double(timing.blockedAtLaunchMax)
    case .commitP50: latency(timing.commitLatency, \.p50)
    case .commitP99: latency(timing.commitLatency, \.p99)
    case .commitMax: latency(timing.commitLatency, \.max)
    case .readP50: latency(timing.readLatency, \.p50)
    case .readP99: latency(timing.readLatency, \.p99)
    case .readMax: latency(timing.readLatency, \.max)
    case .writeP50: latency(timing.writeLatency, \.p50)
    case .writeP99: latency(timing.writeLatency, \.p99)
    case .writeMax: latency(timing.writeLatency, \.max)
    case .intendedP50: latency(timing.intendedLatency, \.p50)
    case .intendedP99: latency(timing.intendedLatency, \.p99)
    case .intendedMax: latency(timing.intendedLatency, \.max)
    case .sampling: Double(timing.sampling.nanoseconds)
    case .wall: Double(timing.wall)
    case .processorTime: Double(timing.processorTime)
    case .peakMemory: Double(timing.peakMemory.bytes)
    default: nil
    }
  }
}
