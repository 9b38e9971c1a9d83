// The state of the recorder, guarded by its lock. Its size is bounded for runs of any length: rows are joined when there
// are too many, and latencies are histograms.
import MetricModel
import RecordModel

struct RecorderState {
  /// The most rows of samples.csv of one repetition, without boundaries of phases, which are stored in any case.
  static let maxSamples = 20_000

  var clock: RunClock
  var launch = 0
  /// The opening that goes on: a launch, or a moment in the background.
  var opening = Opening(number: 0)
  var phase = ""
  var commits = 0
  var operations = 0
  var requested = ByteCount.zero
  var compactions = 0
  /// Bytes rewritten by compactions; nil as soon as one compaction did not report them.
  var rewritten: ByteCount? = .zero
  /// Bytes written by sessions that were closed.
  var writtenBefore = ByteCount.zero
  var samples = PeakPreservingDownsampler<Sample>(
    capacity: maxSamples, size: { $0.observation.space.total.bytes },
    merge: { kept, dropped in kept.takeEvents(of: dropped) })
  var sums = ExactSums()
  var events: [RunEvent] = []
  var phases: [PhaseSpan] = []
  var refusals: [Refusal] = []
  var refusalCount = 0
  var commitLatency = Latencies()
  var readLatency = Latencies()
  var writeLatency = Latencies()
  var intendedLatency = Latencies()
  var lockWait = Latencies()
  var openLoads: [String: OpenLoopFigures] = [:]
  var sampling = SamplingCost()
  /// How full the pages were at the end of the latest launch, and the time that reading this took.
  var tables: [TableStatistics]?
  var pageWalk = (wall: 0, processor: 0)
  /// Lines since the latest sample, for the next one.
  var pendingEvents: [String] = []
  var launchNanoseconds: [UInt64] = []
  /// Bytes that the harness itself wrote: progress lines, simulated crashes, seed files.
  var harnessBytes = ByteCount.zero
  var nextProgress: UInt64 = 0
  var coldStarts: [ColdStart] = []
  var launches = LaunchMemory()

  init(clock: RunClock) { self.clock = clock }

  /// The totals of the run now.
  var moment: LaunchMemory.Moment {
    LaunchMemory.Moment(launch: launch, commits: commits, time: clock.now, rewritten: rewritten)
  }

  mutating func add(_ event: CompactionEvent) {
    events.append(
      RunEvent(launch: launch, phase: phase, commit: commits, time: clock.now, event: event))
    rewritten = .sum(rewritten, event.rewritten)
    pendingEvents.append(event.line)
    if event.outcome == .finished { compactions += 1 }
  }

  /// Counts a refusal. Returns whether it is the first of its kind in this phase.
  mutating func add(refusal code: String, _ reason: String) -> Bool {
    refusalCount += 1
    let last = refusals.lastIndex {
      $0.launch == launch && $0.phase == phase && $0.code == code
    }
    if let last {
      refusals[last].count += 1
      return false
    }
    refusals.append(
      Refusal(launch: launch, phase: phase, commit: commits, code: code, reason: reason))
    return true
  }

  mutating func take(_ latencies: inout OperationLatencies) {
    for latency in latencies.writes { writeLatency.record(latency) }
    for latency in latencies.reads { readLatency.record(latency) }
    latencies.clear()
  }
}
