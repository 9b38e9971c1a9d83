// The book of a repetition: how far it has come, what was sampled, what happened, how long things took. All clients
// write to it; nothing is interpreted here.
import EngineInterface
import MetricModel
import RecordModel
import SystemIO

/// What one write transaction did.
struct CommittedWork {
  /// The committing client's rate, which moves the virtual clock.
  var rate: Double
  var operations = 0
  var requestedBytes = 0
  var nanoseconds: UInt64 = 0
  /// Keeps the compiler from dropping reads.
  var touched: UInt64 = 0

  init(rate: Double) { self.rate = rate }
}

/// Samples, events and latencies of one repetition. Safe to use from many threads.
final class Recorder: Sendable {
  fileprivate struct State {
    var clock: RunClock
    var launch = 0
    var phase = ""
    var commits = 0
    var operations = 0
    var requested = ByteCount.zero
    var compactions = 0
    var rewritten = ByteCount.zero
    /// Bytes written by sessions that were closed.
    var writtenBefore = ByteCount.zero
    var samples: [Sample] = []
    var events: [RunEvent] = []
    var phases: [PhaseSpan] = []
    var commitLatency = Latencies()
    var readLatency = Latencies()
    /// What was noted since the newest sample, for the next one.
    var eventsToTell: [String] = []
    var launchNanoseconds: [UInt64] = []
    /// What progress lines took of the process's written bytes.
    var progressBytes = ByteCount.zero
    var nextProgress: UInt64 = 0
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state: State
  private let everyCommits: Int
  private let ledger: PinLedger
  /// What the process had written before the run, where the system tells (Linux does).
  private let processWrittenAtStart: ByteCount?
  /// Told of the newest sample now and then; answers how many bytes it wrote to say so.
  private let progress: (@Sendable (Sample) -> Int)?

  init(
    clock: RunClock, everyCommits: Int, ledger: PinLedger, progress: (@Sendable (Sample) -> Int)?
  ) {
    state = State(clock: clock)
    self.everyCommits = everyCommits
    self.ledger = ledger
    self.progress = progress
    processWrittenAtStart = Self.writtenByProcess()
  }

  /// Commits so far and the time.
  var position: (commits: Int, time: VirtualTime) {
    lock.withLock { (state.commits, state.clock.now) }
  }

  /// A row for timings.csv, with the latencies since the one before.
  func timing(
    elapsedNanoseconds: Int, statSize: ByteCount, statAllocated: ByteCount,
    residentMemory: ByteCount
  ) -> TimingSample {
    lock.withLock {
      TimingSample(
        elapsedNanoseconds: elapsedNanoseconds, launch: state.launch, phase: state.phase,
        commits: state.commits, statSize: statSize, statAllocated: statAllocated,
        residentMemory: residentMemory,
        openNanoseconds: state.launchNanoseconds.last.map { Int($0) },
        commitLatency: state.commitLatency.takeRecent(),
        readLatency: state.readLatency.takeRecent())
    }
  }

  /// A launch begins, `gap` after the one before.
  func beginLaunch(_ launch: Int, gap: VirtualTime) {
    lock.withLock {
      state.launch = launch
      state.phase = "open"
      if launch > 1 { state.clock.pass(gap) }
    }
  }

  func opened(nanoseconds: UInt64) {
    lock.withLock { state.launchNanoseconds.append(nanoseconds) }
  }

  /// What a policy sees at a launch, before there is a session.
  func observation(atLaunch space: SpaceUsage) -> Observation {
    lock.withLock {
      Observation(
        time: state.clock.now, launch: state.launch, commits: state.commits, space: space,
        liveVersions: nil)
    }
  }

  /// A compaction, a decision against one, or a reason why there was none.
  func happened(_ event: CompactionEvent) { lock.withLock { state.note(event) } }

  func beginPhase(_ name: String) { lock.withLock { state.phase = name } }

  /// The phase ended; `first` is the commit count at which it began.
  func endPhase(first: Int, _ session: any EngineSession) throws {
    lock.withLock {
      state.phases.append(
        PhaseSpan(
          launch: state.launch, phase: state.phase, firstCommit: first, lastCommit: state.commits))
    }
    try sample(session)
  }

  /// A write transaction ended. Takes a sample where one is due.
  func committed(_ work: CommittedWork, _ session: any EngineSession) throws {
    try lock.withLock {
      state.commits += 1
      state.clock.commit(perSecond: work.rate)
      state.operations += work.operations
      state.requested = state.requested + ByteCount(work.requestedBytes)
      state.commitLatency.record(work.nanoseconds)
      for event in session.drainEvents() { state.note(event) }
      if state.commits.isMultiple(of: everyCommits) { try takeSample(session) }
    }
  }

  func read(nanoseconds: UInt64) {
    lock.withLock { state.readLatency.record(nanoseconds) }
  }

  func sample(_ session: any EngineSession) throws {
    try lock.withLock {
      for event in session.drainEvents() { state.note(event) }
      try takeSample(session)
    }
  }

  /// The session is about to be closed: what it wrote is kept, and why it did not compact, if it did not.
  func closing(_ session: any EngineSession) throws {
    try lock.withLock {
      let compacted = state.events.contains {
        $0.launch == state.launch && $0.event.kind == .automatic
      }
      if !compacted, let reason = try session.automaticRefusal() {
        let total = try session.spaceUsage().total
        state.note(
          CompactionEvent(
            kind: .automatic, outcome: .declined, reason: reason, before: total, after: total,
            rewritten: .zero))
        // No sample follows in this launch: the last one tells it.
        if let last = state.samples.indices.last {
          let told = [state.samples[last].events] + state.eventsToTell
          state.samples[last].events = told.filter { !$0.isEmpty }.joined(separator: " | ")
          state.eventsToTell = []
        }
      }
      state.writtenBefore = state.writtenBefore + (session.bytesWritten ?? .zero)
    }
  }

  private func takeSample(_ session: any EngineSession) throws {
    if let kept = try session.pins() { ledger.note(kept) }
    let (pins, oldest) = ledger.state()
    let now = state.clock.now
    let observation = Observation(
      time: now, launch: state.launch, commits: state.commits, space: try session.spaceUsage(),
      liveVersions: try session.liveVersions(), pins: pins,
      oldestPinLag: oldest.map { state.commits - $0.commit } ?? 0,
      oldestPinAge: oldest.map { now - $0.time } ?? .zero)
    let sample = Sample(
      phase: state.phase, observation: observation, written: written(session),
      compactions: state.compactions, rewritten: state.rewritten,
      automatic: try session.automaticStage(),
      events: state.eventsToTell.joined(separator: " | "))
    state.eventsToTell = []
    state.samples.append(sample)
    guard let progress, Clock.monotonicNanoseconds() >= state.nextProgress else { return }
    state.progressBytes = state.progressBytes + ByteCount(progress(sample))
    state.nextProgress = Clock.monotonicNanoseconds() + 200_000_000
  }

  /// Bytes handed to the operating system since the run began. The process's own count is preferred: it is the same
  /// measure for every engine, and covers what is written while opening and closing.
  private func written(_ session: any EngineSession) -> ByteCount? {
    if let start = processWrittenAtStart, let now = Self.writtenByProcess() {
      return now - start - state.progressBytes
    }
    return session.bytesWritten.map { $0 + state.writtenBefore }
  }

  private static func writtenByProcess() -> ByteCount? {
    ProcessMetrics.writing().map { ByteCount($0.requestedBytes) }
  }

  /// All of it, when the run is over.
  func result(
    repetition: Int, wallNanoseconds: UInt64, processorNanoseconds: UInt64, timings: [TimingSample]
  ) -> RepetitionResult {
    lock.withLock {
      let timing = TimingSummary(
        commitLatency: state.commitLatency.summary,
        readLatency: state.readLatency.summary,
        blockedAtLaunchTotal: Int(state.launchNanoseconds.reduce(0, +)),
        blockedAtLaunchMax: Int(state.launchNanoseconds.max() ?? 0), wall: Int(wallNanoseconds),
        processorTime: Int(processorNanoseconds),
        peakMemory: ByteCount(ProcessMetrics.memory().peakResidentBytes ?? 0))
      let exact = ExactSummary(
        samples: state.samples, requested: state.requested, operations: state.operations)
      let record = RepetitionRecord(
        index: repetition, exact: exact, timing: timing, events: state.events,
        phases: state.phases, pins: ledger.longestSpans(RepetitionRecord.mostPins))
      return RepetitionResult(record: record, samples: state.samples, timings: timings)
    }
  }
}

extension Recorder.State {
  fileprivate mutating func note(_ event: CompactionEvent) {
    events.append(
      RunEvent(launch: launch, phase: phase, commit: commits, time: clock.now, event: event))
    rewritten = rewritten + event.rewritten
    eventsToTell.append(event.line)
    if event.outcome == .finished { compactions += 1 }
  }
}
