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
  case peakDisk
  case rewritten
  case written
  case writeAmplification
  case compactions
  case commits
  case operations
  case lookups
  case lookupSnapshotCommits
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
  case lockWaitP50
  case lockWaitP99
  case lockWaitMax
  case lookupRate
  case lookupP50
  case lookupP99
  case lookupP999
  case lookupMax
  case lookupIntendedP50
  case lookupIntendedP99
  case lookupIntendedP999
  case lookupIntendedMax
  case sampling
  case wall
  case processorTime
  case peakMemory
  case peakAnonymousMemory
  case peakFileMemory

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
    case .peakDisk: "peak_disk_bytes"
    case .rewritten: "rewritten_bytes"
    case .written: "written_bytes"
    case .writeAmplification: "write_amplification"
    case .compactions: "compactions"
    case .commits: "commits"
    case .operations: "operations"
    case .lookups: "lookups"
    case .lookupSnapshotCommits: "lookup_snapshot_commits_max"
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
    case .lockWaitP50: "lock_wait_p50_ns"
    case .lockWaitP99: "lock_wait_p99_ns"
    case .lockWaitMax: "lock_wait_max_ns"
    case .lookupRate: "lookups_per_s"
    case .lookupP50: "lookup_p50_ns"
    case .lookupP99: "lookup_p99_ns"
    case .lookupP999: "lookup_p999_ns"
    case .lookupMax: "lookup_max_ns"
    case .lookupIntendedP50: "lookup_intended_p50_ns"
    case .lookupIntendedP99: "lookup_intended_p99_ns"
    case .lookupIntendedP999: "lookup_intended_p999_ns"
    case .lookupIntendedMax: "lookup_intended_max_ns"
    case .sampling: "sampling_ns"
    case .wall: "wall_ns"
    case .processorTime: "processor_time_ns"
    case .peakMemory: "peak_memory_bytes"
    case .peakAnonymousMemory: "peak_anonymous_memory_bytes"
    case .peakFileMemory: "peak_file_memory_bytes"
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
    case .lockWaitP50, .lockWaitP99, .lockWaitMax: "no two writers ran on real threads"
    case .lookups, .lookupSnapshotCommits, .lookupRate, .lookupP50, .lookupP99, .lookupP999,
      .lookupMax:
      "no client made lookups"
    case .lookupIntendedP50, .lookupIntendedP99, .lookupIntendedP999, .lookupIntendedMax:
      "no open loop of lookups ran on the wall clock"
    case .peakDisk:
      "the database did not lie on a disk of its own in memory, which --peak-disk gives it where memory is large enough"
    case .peakAnonymousMemory, .peakFileMemory: "the system does not report parts of memory"
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
    case .peakDisk: exact.peakDisk.map { Double($0.bytes) }
    case .amplification: exact.finalLive.flatMap { exact.final.ratio(to: $0) }
    case .rewritten: exact.rewritten.map { Double($0.bytes) }
    case .written: exact.written.map { Double($0.bytes) }
    case .writeAmplification: exact.written.flatMap { $0.ratio(to: exact.requested) }
    case .compactions: Double(repetition.events.count { $0.event.outcome == .finished })
    case .commits: Double(exact.commits)
    case .operations: Double(exact.operations)
    case .lookups: repetition.lookups.map { Double($0.reduce(0) { $0 + $1.together.transactions }) }
    case .lookupSnapshotCommits: repetition.lookups?.map { Double($0.snapshotCommits.max) }.max()
    default: nil
    }
  }

  /// Returns the figure of a repetition's times; nil if it is none of them.
  package func timed(_ timing: TimingSummary) -> Double? {
    func latency(_ summary: LatencySummary, _ part: KeyPath<LatencySummary, Int>) -> Double? {
      summary.count == 0 ? nil : Double(summary[keyPath: part])
    }
    func percentile(
      _ part: KeyPath<LookupSpan, LatencyPercentiles>, _ value: KeyPath<LatencyPercentiles, Int>
    ) -> Double? {
      guard let latency = timing.lookups?[keyPath: part], latency.count > 0 else { return nil }
      return Double(latency[keyPath: value])
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
    case .lockWaitP50: timing.lockWait.map { Double($0.p50) }
    case .lockWaitP99: timing.lockWait.map { Double($0.p99) }
    case .lockWaitMax: timing.lockWait.map { Double($0.max) }
    case .lookupRate: timing.lookups?.perSecond
    case .lookupP50: percentile(\.service, \.p50)
    case .lookupP99: percentile(\.service, \.p99)
    case .lookupP999: percentile(\.service, \.p999)
    case .lookupMax: percentile(\.service, \.max)
    case .lookupIntendedP50: percentile(\.intended, \.p50)
    case .lookupIntendedP99: percentile(\.intended, \.p99)
    case .lookupIntendedP999: percentile(\.intended, \.p999)
    case .lookupIntendedMax: percentile(\.intended, \.max)
    case .sampling: Double(timing.sampling.nanoseconds)
    case .wall: Double(timing.wall)
    case .processorTime: Double(timing.processorTime)
    case .peakMemory: Double(timing.peakMemory.bytes)
    case .peakAnonymousMemory: timing.peakAnonymousMemory.map { Double($0.bytes) }
    case .peakFileMemory: timing.peakFileMemory.map { Double($0.bytes) }
    default: nil
    }
  }
}
