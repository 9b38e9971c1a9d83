// What the recorder keeps, under its lock. Of bounded size, however long the run: rows are joined where there are too
// many, latencies are histograms.
import MetricModel
import RecordModel

struct RecorderState {
  /// Rows of samples.csv of one repetition; boundaries of phases beyond that are kept all the same.
  static let mostSamples = 20_000

  var clock: RunClock
  var launch = 0
  var phase = ""
  var commits = 0
  var operations = 0
  var requested = ByteCount.zero
  var compactions = 0
  /// nil as soon as a compaction did not tell.
  var rewritten: ByteCount? = .zero
  /// Bytes written by sessions that were closed.
  var writtenBefore = ByteCount.zero
  var samples = PeakKeeper<Sample>(
    capacity: mostSamples, size: { $0.observation.space.total.bytes },
    takeOver: { kept, gone in kept.takeEvents(of: gone) })
  var sums = ExactSums()
  var events: [RunEvent] = []
  var phases: [PhaseSpan] = []
  var refusals: [Refusal] = []
  var refusalCount = 0
  var commitLatency = Latencies()
  var readLatency = Latencies()
  var writeLatency = Latencies()
  var intendedLatency = Latencies()
  var openLoads: [String: OpenLoadFigures] = [:]
  var sampling = SamplingCost()
  /// How full the pages were when the newest launch ended, and what it took to see that.
  var tables: [TableStatistics]?
  var pageWalk = (wall: 0, processor: 0)
  /// What was noted since the newest sample, for the next one.
  var eventsToTell: [String] = []
  var launchNanoseconds: [UInt64] = []
  /// What progress lines, crashes and seeds took of the process's written bytes.
  var progressBytes = ByteCount.zero
  var nextProgress: UInt64 = 0

  init(clock: RunClock) { self.clock = clock }

  mutating func note(_ event: CompactionEvent) {
    events.append(
      RunEvent(launch: launch, phase: phase, commit: commits, time: clock.now, event: event))
    rewritten = .sum(rewritten, event.rewritten)
    eventsToTell.append(event.line)
    if event.outcome == .finished { compactions += 1 }
  }

  /// Answers whether it is the first of its kind in this phase.
  mutating func note(refusal code: String, _ reason: String) -> Bool {
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

/// An open loop's figures while they are gathered.
struct OpenLoadFigures {
  var rate = 0.0
  var maximum: Double?
  private var greatestDelay: UInt64 = 0
  private var intended = LatencyHistogram()
  private var service = LatencyHistogram()

  mutating func record(_ late: UInt64, _ intended: UInt64, _ service: UInt64) {
    greatestDelay = max(greatestDelay, late)
    self.intended.record(Int(intended))
    self.service.record(Int(service))
  }

  func load(of client: String) -> OpenLoad {
    OpenLoad(
      client: client, ratePerSecond: rate, maximumPerSecond: maximum,
      greatestDelay: Int(greatestDelay), intended: intended.summary, service: service.summary)
  }
}

extension Sample {
  /// So many characters of a row are read by nobody.
  private static let longestEvents = 2000

  mutating func tell(_ lines: [String]) {
    events = ([events] + lines).filter { !$0.isEmpty }.joined(separator: " | ")
    if events.count > Self.longestEvents { events = events.prefix(Self.longestEvents - 1) + "…" }
  }

  /// A neighbour is left out: what happened there is told here.
  mutating func takeEvents(of other: Sample) {
    guard !other.events.isEmpty else { return }
    let own = events
    if other.observation.commits <= observation.commits {
      events = other.events
      tell([own])
    } else {
      tell([other.events])
    }
  }
}

extension TimingSample {
  /// A neighbour is left out: counts add up, and of percentiles the larger ones stand, which none of both exceeds.
  mutating func takeLatencies(of other: TimingSample) {
    commitLatency.join(other.commitLatency)
    readLatency.join(other.readLatency)
    writeLatency.join(other.writeLatency)
    intendedLatency.join(other.intendedLatency)
  }
}

extension LatencySummary {
  fileprivate mutating func join(_ other: LatencySummary) {
    self = LatencySummary(
      count: count + other.count, p50: Swift.max(p50, other.p50), p99: Swift.max(p99, other.p99),
      max: Swift.max(max, other.max))
  }
}
