// The book of a repetition: how far it has come, what was sampled, what happened, how long things took. All clients
// write to it; nothing is interpreted here.
import EngineInterface
import MetricModel
import RecordModel
import SystemIO
import TraceFormat

/// Samples, events and latencies of one repetition. Safe to use from many threads.
final class Recorder: Sendable {
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state: RecorderState
  private let everyCommits: Int
  private let ledger: PinLedger
  /// What the process had written before the run, where the system tells (Linux does) and the engine writes by calls.
  private let processWrittenAtStart: ByteCount?
  /// Told of the newest sample now and then; answers how many bytes it wrote to say so.
  private let progress: (@Sendable (Sample) -> Int)?
  /// Told of what is counted, where the run is recorded; and what it had written before the run.
  private let trace: TraceRecorder?
  private let traceBytesAtStart: Int

  init(
    clock: RunClock, everyCommits: Int, ledger: PinLedger, engine: any Engine,
    progress: (@Sendable (Sample) -> Int)?, trace: TraceRecorder? = nil
  ) {
    self.trace = trace
    traceBytesAtStart = trace?.bytesWritten ?? 0
    state = RecorderState(clock: clock)
    self.everyCommits = everyCommits
    self.ledger = ledger
    self.progress = progress
    processWrittenAtStart =
      engine.capabilities.writesThroughCalls ? Self.writtenByProcess() : nil
  }

  /// Commits so far and the time.
  var position: (commits: Int, time: VirtualTime) {
    lock.withLock { (state.commits, state.clock.now) }
  }

  /// A row for timings.csv: what was seen, with the latencies since the row before.
  func timing(_ look: MachineLook) -> TimingSample {
    lock.withLock {
      TimingSample(
        elapsedNanoseconds: look.elapsedNanoseconds, launch: state.launch, phase: state.phase,
        commits: state.commits, statSize: look.statSize, statAllocated: look.statAllocated,
        residentMemory: ByteCount(look.memory.residentBytes ?? 0),
        residentFileMemory: look.memory.residentFileBytes.map { ByteCount($0) },
        mappedMemory: look.memory.mappedBytes.map { ByteCount($0) },
        processWritten: look.writing.map { ByteCount($0.requestedBytes) },
        storageWritten: look.writing.map { ByteCount($0.storageBytes) },
        freeDisk: look.freeDisk.map { ByteCount($0) },
        openNanoseconds: state.launchNanoseconds.last.map { Int($0) },
        commitLatency: state.commitLatency.takeRecent(),
        readLatency: state.readLatency.takeRecent(),
        writeLatency: state.writeLatency.takeRecent(),
        intendedLatency: state.intendedLatency.takeRecent(),
        samplingNanoseconds: state.sampling.nanoseconds)
    }
  }

  /// A look at the machine took so long.
  func looked(nanoseconds: UInt64) {
    lock.withLock {
      state.sampling.looks += 1
      state.sampling.lookNanoseconds += Int(nanoseconds)
    }
  }

  /// Does something of the harness's own, whose written bytes are not the engine's.
  func notCounting(_ body: () throws -> Void) rethrows {
    let before = Self.writtenByProcess() ?? .zero
    defer {
      let after = Self.writtenByProcess() ?? .zero
      lock.withLock { state.progressBytes = state.progressBytes + (after - before) }
    }
    try body()
  }

  /// A launch begins, `gap` after the one before.
  func beginLaunch(_ launch: Int, gap: VirtualTime) {
    lock.withLock {
      state.launch = launch
      state.phase = "open"
      if launch > 1 { state.clock.pass(gap) }
      trace?.launch(launch, gap: gap, at: state.clock.now)
    }
  }

  /// Nobody did anything for so long.
  func idle(_ span: VirtualTime) {
    lock.withLock {
      state.clock.pass(span)
      trace?.pass(span)
    }
  }

  /// A replay has come to this time.
  func moveClock(to time: VirtualTime) { lock.withLock { state.clock.move(to: time) } }

  func opened(nanoseconds: UInt64) {
    lock.withLock { state.launchNanoseconds.append(nanoseconds) }
  }

  /// What a policy sees at a launch, before there is a session.
  func observation(atLaunch space: SpaceUsage) -> Observation {
    lock.withLock {
      var seen = Observation(
        time: state.clock.now, launch: state.launch, commits: state.commits, space: space,
        liveVersions: nil)
      seen.work = WorkDone(
        written: nil, rewritten: state.rewritten, compactions: state.compactions)
      return seen
    }
  }

  /// A compaction, a decision against one, or a reason why there was none.
  func happened(_ event: CompactionEvent) { lock.withLock { state.note(event) } }

  /// What else is worth a line beside the next sample.
  func tell(_ line: String) { lock.withLock { state.eventsToTell.append(line) } }

  func beginPhase(_ name: String) {
    lock.withLock {
      state.phase = name
      trace?.note(TraceRecord(.phase, text: name), at: state.clock.now)
    }
  }

  /// The phase ended; `first` is the commit count at which it began.
  func endPhase(first: Int, _ session: any EngineSession) throws {
    lock.withLock {
      state.phases.append(
        PhaseSpan(
          launch: state.launch, phase: state.phase, firstCommit: first, lastCommit: state.commits))
      trace?.note(TraceRecord(.phaseEnd, number: first), at: state.clock.now)
    }
    try sampleBoundary(session)
  }

  /// A write transaction ended. Takes a sample where one is due.
  func committed(_ work: CommittedWork, _ session: any EngineSession) throws {
    try lock.withLock { try commit(work, session) }
  }

  /// The same, with what its operations took.
  func committed(
    _ work: CommittedWork, _ latencies: inout OperationLatencies, _ session: any EngineSession
  ) throws {
    try lock.withLock {
      state.take(&latencies)
      try commit(work, session)
    }
  }

  /// A transaction of this pace was refused because of a limit, and is undone. The first of its kind in a phase gives a
  /// sample.
  func refused(
    _ error: EngineError, _ pace: CommittedWork.Pace, _ session: any EngineSession
  ) throws {
    try lock.withLock {
      state.clock.commit(pace)
      for event in session.drainEvents() { state.note(event) }
      guard state.note(refusal: error.code.rawValue, error.message) else { return }
      try takeSample(session)
    }
  }

  /// An opening, or what a policy wanted at one, was refused because of a limit.
  func refusedOpening(_ error: EngineError) {
    lock.withLock { _ = state.note(refusal: error.code.rawValue, error.message) }
  }

  private func commit(_ work: CommittedWork, _ session: any EngineSession) throws {
    state.commits += 1
    state.clock.commit(work.pace)
    trace?.note(
      TraceRecord(.enter, number: work.operations, size: work.requestedBytes),
      at: state.clock.now)
    try trace?.check()
    state.operations += work.operations
    state.requested = state.requested + ByteCount(work.requestedBytes)
    state.commitLatency.record(work.nanoseconds)
    if let waited = work.sinceIntended { state.intendedLatency.record(waited) }
    for event in session.drainEvents() { state.note(event) }
    if state.commits.isMultiple(of: everyCommits) { try takeSample(session) }
  }

  /// Operations of a transaction that goes on took so long.
  func took(_ latencies: inout OperationLatencies) {
    lock.withLock { state.take(&latencies) }
  }

  /// A client is to keep to a rate from now on; `maximum` is what it reached unhindered, where it was measured.
  func keeps(_ client: String, perSecond rate: Double, maximum: Double?) {
    lock.withLock {
      state.openLoads[client, default: OpenLoadFigures()].rate = rate
      state.openLoads[client, default: OpenLoadFigures()].maximum = maximum
    }
  }

  /// A transaction of an open loop ended; it had begun so late.
  func keptSchedule(_ client: String, late: UInt64, intended: UInt64, service: UInt64) {
    lock.withLock {
      state.openLoads[client, default: OpenLoadFigures()].record(late, intended, service)
    }
  }

  /// The same of a probe that has ended; all of its operations together.
  func keptSchedule(_ probe: String, perSecond rate: Double, _ operations: [Probe.Operation]) {
    guard !operations.isEmpty else { return }
    lock.withLock {
      state.openLoads[probe, default: OpenLoadFigures()].rate = rate
      for one in operations {
        state.openLoads[probe, default: OpenLoadFigures()].record(
          one.late, one.intended, one.service)
      }
    }
  }

  func read(nanoseconds: UInt64) {
    lock.withLock { state.readLatency.record(nanoseconds) }
  }

  /// Takes a sample that is kept whatever its size: of a boundary.
  func sample(_ session: any EngineSession) throws {
    trace?.note(TraceRecord(.sample))
    try sampleBoundary(session)
  }

  private func sampleBoundary(_ session: any EngineSession) throws {
    try lock.withLock {
      for event in session.drainEvents() { state.note(event) }
      try takeSample(session, isBoundary: true)
    }
  }

  /// The session is about to be closed: what it wrote is kept, and why it did not compact, if it did not.
  func closing(_ session: any EngineSession) throws {
    try lock.withLock {
      trace?.note(TraceRecord(.closing), at: state.clock.now)
      let compacted = state.events.contains {
        $0.launch == state.launch && $0.event.kind == .automatic
      }
      let reporter = session.capability((any AutomaticCompactionReporting).self)
      if !compacted, let reason = try reporter?.automaticRefusal() {
        let total = try session.spaceUsage().total
        state.note(
          CompactionEvent(
            kind: .automatic, outcome: .declined, reason: reason, before: total, after: total,
            rewritten: .zero))
        // No sample follows in this launch: the last one tells it.
        let told = state.eventsToTell
        state.eventsToTell = []
        state.samples.changeLast { $0.tell(told) }
      }
      state.writtenBefore = state.writtenBefore + (session.bytesWritten ?? .zero)
      try walkPages(session)
    }
  }

  /// The walk reads every page, which is the harness's wish and none of the workload: the run's times are without it.
  private func walkPages(_ session: any EngineSession) throws {
    let begin = (Clock.monotonicNanoseconds(), Clock.processorNanoseconds())
    if case .tables(let tables) = try session.capability((any PageInspecting).self)?
      .pageStatistics()
    {
      state.tables = tables
    }
    state.pageWalk.wall += Int(Clock.monotonicNanoseconds() - begin.0)
    state.pageWalk.processor += Int(Clock.processorNanoseconds() - begin.1)
  }

  private func takeSample(_ session: any EngineSession, isBoundary: Bool = false) throws {
    let begin = Clock.monotonicNanoseconds()
    defer {
      state.sampling.samples += 1
      state.sampling.sampleNanoseconds += Int(Clock.monotonicNanoseconds() - begin)
    }
    if let kept = try session.capability((any PinInspecting).self)?.pins() { ledger.note(kept) }
    let (pins, oldest) = ledger.state()
    let now = state.clock.now
    let observation = Observation(
      time: now, launch: state.launch, commits: state.commits, space: try session.spaceUsage(),
      liveVersions: try session.capability((any VersionCounting).self)?.liveVersions(), pins: pins,
      oldestPinLag: oldest.map { state.commits - $0.commit } ?? 0,
      oldestPinAge: oldest.map { now - $0.time } ?? .zero, refusals: state.refusalCount)
    let sample = Sample(
      phase: state.phase, observation: observation, written: written(session),
      compactions: state.compactions, rewritten: state.rewritten,
      automatic: try session.capability((any AutomaticCompactionReporting).self)?.automaticStage(),
      events: state.eventsToTell.joined(separator: " | "))
    state.eventsToTell = []
    state.sums.add(sample)
    state.samples.append(sample, isFixed: isBoundary)
    guard let progress, Clock.monotonicNanoseconds() >= state.nextProgress else { return }
    state.progressBytes = state.progressBytes + ByteCount(progress(sample))
    state.nextProgress = Clock.monotonicNanoseconds() + 200_000_000
  }

  /// Bytes handed to the operating system since the run began. The process's own count is preferred: it is the same
  /// measure for every engine, and covers what is written while opening and closing.
  private func written(_ session: any EngineSession) -> ByteCount? {
    if let start = processWrittenAtStart, let now = Self.writtenByProcess() {
      let own = ByteCount((trace?.bytesWritten ?? 0) - traceBytesAtStart)
      return now - start - state.progressBytes - own
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
        readLatency: state.readLatency.summary, writeLatency: state.writeLatency.summary,
        intendedLatency: state.intendedLatency.summary,
        openLoads: state.openLoads.keys.sorted().compactMap { state.openLoads[$0]?.load(of: $0) },
        sampling: state.sampling,
        blockedAtLaunchTotal: Int(state.launchNanoseconds.reduce(0, +)),
        blockedAtLaunchMax: Int(state.launchNanoseconds.max() ?? 0),
        wall: Int(wallNanoseconds) - state.pageWalk.wall,
        processorTime: Int(processorNanoseconds) - state.pageWalk.processor,
        peakMemory: ByteCount(ProcessMetrics.memory().peakResidentBytes ?? 0))
      let samples = state.samples.rows
      let exact = state.sums.summary(
        recorded: samples, requested: state.requested, operations: state.operations)
      var record = RepetitionRecord(
        index: repetition, exact: exact, timing: timing, events: state.events,
        phases: state.phases, pins: ledger.longestSpans(RepetitionRecord.maxPins))
      record.refusals = state.refusals.isEmpty ? nil : state.refusals
      record.tables = state.tables
      return RepetitionResult(record: record, samples: samples, timings: timings)
    }
  }
}
