// The record of a repetition while it runs: its progress, samples, events and latencies. All clients write to it; nothing
// is interpreted here.
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
  /// The bytes that the process had written before the run, where the system reports them (Linux does) and the engine
  /// writes by system calls.
  private let processWrittenAtStart: ByteCount?
  /// Called with the latest sample several times a second. Returns the number of bytes that it wrote itself.
  private let progress: (@Sendable (Sample) -> Int)?
  /// The trace to which everything counted is written; nil where the run is not recorded.
  private let trace: TraceRecorder?
  private let traceBytesAtStart: Int
  /// The figures of lookups, under a lock of their own.
  let lookups: LookupRecorder
  /// Transactions and events by time, under a lock of its own too.
  let timeline = TimelineRecorder()

  init(
    clock: RunClock, everyCommits: Int, ledger: PinLedger, engine: any Engine,
    progress: (@Sendable (Sample) -> Int)?, trace: TraceRecorder? = nil
  ) {
    self.trace = trace
    lookups = LookupRecorder(timeline)
    traceBytesAtStart = trace?.bytesWritten ?? 0
    state = RecorderState(clock: clock)
    self.everyCommits = everyCommits
    self.ledger = ledger
    self.progress = progress
    processWrittenAtStart =
      engine.capabilities.writesThroughCalls ? Self.writtenByProcess() : nil
  }

  /// The number of commits so far and the time.
  var position: (commits: Int, time: VirtualTime) {
    lock.withLock { (state.commits, state.clock.now) }
  }

  /// Returns a row of timings.csv: the reading with the latencies since the previous row.
  func timingSample(of reading: MachineReading) -> TimingSample {
    let lookups = lookups.takeRecent()
    return lock.withLock {
      if let lookups { state.readLatency.record(lookups.reads) }
      var sample = TimingSample(
        elapsedNanoseconds: reading.elapsedNanoseconds, launch: state.launch, phase: state.phase,
        commits: state.commits, statSize: reading.statSize, statAllocated: reading.statAllocated,
        residentMemory: ByteCount(reading.memory.residentBytes ?? 0),
        residentFileMemory: reading.memory.residentFileBytes.map { ByteCount($0) },
        mappedMemory: reading.memory.mappedBytes.map { ByteCount($0) },
        processWritten: reading.writing.map { ByteCount($0.requestedBytes) },
        storageWritten: reading.writing.map { ByteCount($0.storageBytes) },
        freeDisk: reading.freeDisk.map { ByteCount($0) },
        openNanoseconds: state.launchNanoseconds.last.map { Int($0) },
        commitLatency: state.commitLatency.takeRecent(),
        readLatency: state.readLatency.takeRecent(),
        writeLatency: state.writeLatency.takeRecent(),
        intendedLatency: state.intendedLatency.takeRecent(),
        samplingNanoseconds: state.sampling.nanoseconds)
      sample.lockWait = state.lockWait.takeRecent()
      if let lookups {
        sample.lookupLatency = lookups.service.summary
        sample.lookupIntendedLatency = lookups.intended.summary
      }
      return sample
    }
  }

  /// Records the cost in nanoseconds of one reading of the machine.
  func record(readingCost nanoseconds: UInt64) {
    lock.withLock {
      state.sampling.looks += 1
      state.sampling.lookNanoseconds += Int(nanoseconds)
    }
  }

  /// Runs work of the harness itself, and excludes its written bytes from those of the engine.
  func excludingWrittenBytes(_ body: () throws -> Void) rethrows {
    let before = Self.writtenByProcess() ?? .zero
    defer {
      let after = Self.writtenByProcess() ?? .zero
      lock.withLock { state.harnessBytes = state.harnessBytes + (after - before) }
    }
    try body()
  }

  /// Begins a launch, `gap` after the end of the previous one.
  func beginLaunch(_ launch: Int, gap: VirtualTime) {
    lock.withLock {
      state.launch = launch
      state.opening = Opening(number: state.opening.number + 1)
      state.phase = "open"
      state.launches.beginLaunch()
      if launch > 1 { state.clock.pass(gap) }
      trace?.beginLaunch(launch, gap: gap, at: state.clock.now)
    }
  }

  /// Begins a moment in the background, `span` after the end of what was before it.
  func begin(_ moment: BackgroundMoment, after span: VirtualTime) {
    lock.withLock {
      state.opening = Opening(number: state.opening.number + 1, moment: moment)
      state.phase = moment.rawValue
      state.launches.beginMoment()
      state.clock.pass(span)
    }
  }

  /// Prepares for closing the session of a moment in the background: records the bytes that it wrote.
  func prepareToCloseMoment(_ session: any EngineSession) {
    lock.withLock {
      timeline.endSession()
      state.writtenBefore = state.writtenBefore + (session.bytesWritten ?? .zero)
    }
  }

  /// Advances the clock by a time without any work.
  func passIdleTime(_ span: VirtualTime) {
    lock.withLock {
      state.clock.pass(span)
      trace?.pass(span)
    }
  }

  /// Moves the virtual clock to a replayed time.
  func moveClock(to time: VirtualTime) { lock.withLock { state.clock.move(to: time) } }

  /// Records what was left of the database's files in the page cache before a launch.
  func record(coldStart: ColdStart) { lock.withLock { state.coldStarts.append(coldStart) } }

  /// Records how long opening the database held up the thread that launches, in nanoseconds.
  func record(openingNanoseconds nanoseconds: UInt64) {
    lock.withLock { state.launchNanoseconds.append(nanoseconds) }
  }

  /// Returns the observation for a policy at a launch, before there is a session, on the file with this index.
  func observation(
    atLaunch space: SpaceUsage, freeDisk: ByteCount, file: Int
  ) -> Observation {
    lock.withLock {
      var observation = Observation(
        time: state.clock.now, launch: state.launch, commits: state.commits, space: space,
        liveVersions: nil)
      observation.work = WorkDone(
        written: nil, rewritten: state.rewritten, compactions: state.compactions)
      observation.freeDisk = freeDisk
      observation.history = state.launches.history(of: file, space, at: state.moment)
      observation.opening = state.opening
      return observation
    }
  }

  /// Records what a policy decided on at a launch, after the events of its compactions.
  func record(launched files: [LaunchedFile]) {
    lock.withLock { state.launches.record(files, at: state.moment) }
  }

  /// Records a compaction, a decision against one, or the reason why there was none.
  func record(event: CompactionEvent) { lock.withLock { add(event) } }

  /// - Parameter commitBegin: when the commit began that compacted, on the machine's clock; nil for none.
  private func add(_ event: CompactionEvent, since commitBegin: UInt64? = nil) {
    state.add(event)
    guard let stage = event.stage else { return }
    lookups.record(stage: stage)
    if event.kind == .automatic { timeline.record(compaction: stage, since: commitBegin) }
  }

  /// Adds a line to the events of the next sample.
  func annotateNextSample(_ line: String) { lock.withLock { state.pendingEvents.append(line) } }

  func beginPhase(_ name: String) {
    lock.withLock {
      state.phase = name
      timeline.beginPhase(name, launch: state.launch)
      trace?.append(TraceRecord(.phase, text: name), at: state.clock.now)
    }
  }

  /// Ends the phase, which began at commit count `first`.
  func endPhase(first: Int, _ session: any EngineSession) throws {
    lock.withLock {
      state.phases.append(
        PhaseSpan(
          launch: state.launch, phase: state.phase, firstCommit: first, lastCommit: state.commits))
      timeline.endPhase()
      trace?.append(TraceRecord(.phaseEnd, number: first), at: state.clock.now)
    }
    try sampleBoundary(session)
  }

  /// Records a committed transaction, and takes a sample if one is due.
  func record(commit work: CommittedWork, _ session: any EngineSession) throws {
    try lock.withLock { try add(work, session) }
  }

  /// Records a committed transaction with the latencies of its operations, and takes a sample if one is due.
  func record(
    commit work: CommittedWork, latencies: inout OperationLatencies, _ session: any EngineSession
  ) throws {
    try lock.withLock {
      state.take(&latencies)
      try add(work, session)
    }
  }

  /// Records a transaction that was refused because of a limit and rolled back. The first refusal of its kind in a phase
  /// takes a sample.
  func record(
    refusal error: EngineError, _ pace: CommitPace, _ session: any EngineSession
  ) throws {
    try lock.withLock {
      state.clock.advance(by: pace)
      for event in session.drainEvents() { add(event) }
      guard state.add(refusal: error.code.rawValue, error.message) else { return }
      try takeSample(session)
    }
  }

  /// Records a transaction of lookups that was refused because of a limit.
  func record(lookupRefusal error: EngineError) {
    lock.withLock { _ = state.add(refusal: error.code.rawValue, error.message) }
  }

  /// Records that opening the database, or compacting it at that, was refused because of a limit.
  func record(openingRefusal error: EngineError) {
    lock.withLock { _ = state.add(refusal: error.code.rawValue, error.message) }
  }

  private func add(_ work: CommittedWork, _ session: any EngineSession) throws {
    state.commits += 1
    state.clock.advance(by: work.pace)
    trace?.append(
      TraceRecord(.enter, number: work.operations, size: work.requestedBytes),
      at: state.clock.now)
    try trace?.check()
    state.operations += work.operations
    state.requested = state.requested + ByteCount(work.requestedBytes)
    state.commitLatency.record(work.nanoseconds)
    lookups.record(commits: state.commits)
    if let waited = work.sinceIntended { state.intendedLatency.record(waited) }
    if let wait = work.lockWait { state.lockWait.record(wait) }
    if let end = work.end {
      timeline.record(
        .writers, end: end, service: work.nanoseconds, intended: work.sinceIntended)
    }
    for event in session.drainEvents() { add(event, since: work.begin) }
    if state.commits.isMultiple(of: everyCommits) { try takeSample(session) }
  }

  /// Records latencies of operations while their transaction goes on.
  func record(latencies: inout OperationLatencies) {
    lock.withLock { state.take(&latencies) }
  }

  /// Records the target rate of a client's open loop; `maximum` is the rate that it reached as a closed loop, nil where that
  /// was not measured.
  func record(targetRate rate: Double, maximum: Double?, of client: String) {
    lock.withLock {
      state.openLoads[client, default: OpenLoopFigures()].rate = rate
      state.openLoads[client, default: OpenLoopFigures()].maximum = maximum
    }
  }

  /// Records a transaction of an open loop.
  func record(openLoop operation: OpenLoopOperation, of client: String) {
    lock.withLock {
      state.openLoads[client, default: OpenLoopFigures()].add(operation)
    }
  }

  /// Records all operations of a probe, after its end.
  func record(openLoop operations: [OpenLoopOperation], perSecond rate: Double, of probe: String) {
    guard !operations.isEmpty else { return }
    lock.withLock {
      state.openLoads[probe, default: OpenLoopFigures()].rate = rate
      for operation in operations {
        state.openLoads[probe, default: OpenLoopFigures()].add(operation)
      }
    }
    for operation in operations {
      timeline.record(
        .probes, end: operation.end, service: operation.service, intended: operation.intended)
    }
  }

  /// Records how long one read took, in nanoseconds.
  func record(readNanoseconds nanoseconds: UInt64) {
    lock.withLock { state.readLatency.record(nanoseconds) }
  }

  /// Takes a sample at a boundary, which is retained whatever its size.
  func takeBoundarySample(_ session: any EngineSession) throws {
    trace?.append(TraceRecord(.sample))
    try sampleBoundary(session)
  }

  private func sampleBoundary(_ session: any EngineSession) throws {
    try lock.withLock {
      for event in session.drainEvents() { add(event) }
      try takeSample(session, isBoundary: true)
    }
  }

  /// Prepares for closing the session: records the bytes that it wrote, and why it did not compact, if it did not.
  func prepareToClose(_ session: any EngineSession) throws {
    try lock.withLock {
      trace?.append(TraceRecord(.closing), at: state.clock.now)
      timeline.endSession()
      let compacted = state.events.contains {
        $0.launch == state.launch && $0.event.kind == .automatic
      }
      let reporter = session.capability((any AutomaticCompactionReporting).self)
      if !compacted, let reason = try reporter?.automaticRefusal() {
        let total = try session.spaceUsage().total
        state.add(
          CompactionEvent(
            kind: .automatic, outcome: .declined, reason: reason, before: total, after: total,
            rewritten: .zero))
        // No sample follows in this launch, so the last one gets the events.
        let events = state.pendingEvents
        state.pendingEvents = []
        state.samples.changeLast { $0.appendEvents(events) }
      }
      state.writtenBefore = state.writtenBefore + (session.bytesWritten ?? .zero)
      try walkPages(session)
    }
  }

  /// Records how full the pages are. The walk reads every page for the harness, not for the workload, so its time is
  /// subtracted from the run's.
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
    if let figures = try session.capability((any PinInspecting).self)?.pins() {
      ledger.update(by: figures)
    }
    let (pins, oldest) = ledger.summary()
    let now = state.clock.now
    let observation = Observation(
      time: now, launch: state.launch, commits: state.commits, space: try session.spaceUsage(),
      liveVersions: try session.capability((any VersionCounting).self)?.liveVersions(), pins: pins,
      oldestPinLag: oldest.map { state.commits - $0.commit } ?? 0,
      oldestPinAge: oldest.map { now - $0.time } ?? .zero, refusals: state.refusalCount)
    timeline.record(logBytes: observation.space.sidecar.bytes)
    state.launches.note(pinned: observation.space.pinned)
    let sample = Sample(
      phase: state.phase, observation: observation, written: written(session),
      compactions: state.compactions, rewritten: state.rewritten,
      automatic: try session.capability((any AutomaticCompactionReporting).self)?.automaticStage(),
      events: state.pendingEvents.joined(separator: " | "))
    state.pendingEvents = []
    state.sums.add(sample)
    state.samples.append(sample, isFixed: isBoundary)
    guard let progress, Clock.monotonicNanoseconds() >= state.nextProgress else { return }
    state.harnessBytes = state.harnessBytes + ByteCount(progress(sample))
    state.nextProgress = Clock.monotonicNanoseconds() + 200_000_000
  }

  /// Returns the bytes passed to the operating system since the run began. The process's own count is preferred: it is the
  /// same measure for every engine, and includes writes while opening and closing.
  private func written(_ session: any EngineSession) -> ByteCount? {
    if let start = processWrittenAtStart, let now = Self.writtenByProcess() {
      let own = ByteCount((trace?.bytesWritten ?? 0) - traceBytesAtStart)
      return now - start - state.harnessBytes - own
    }
    return session.bytesWritten.map { $0 + state.writtenBefore }
  }

  private static func writtenByProcess() -> ByteCount? {
    ProcessMetrics.writing().map { ByteCount($0.requestedBytes) }
  }

  /// Returns the record of the repetition, after its end.
  func result(
    repetition: Int, wallNanoseconds: UInt64, processorNanoseconds: UInt64, timings: [TimingSample]
  ) -> RepetitionResult {
    lock.withLock {
      var timing = TimingSummary(
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
      timing.lockWait = state.lockWait.percentiles
      timing.lookups = lookups.together
      let samples = state.samples.rows
      let exact = state.sums.summary(
        recorded: samples, requested: state.requested, operations: state.operations)
      var record = RepetitionRecord(
        index: repetition, exact: exact, timing: timing, events: state.events,
        phases: state.phases, pins: ledger.longestSpans(RepetitionRecord.maxPins))
      record.refusals = state.refusals.isEmpty ? nil : state.refusals
      record.tables = state.tables
      record.lookups = lookups.figures
      record.timeline = timeline.finish()
      record.coldStarts = state.coldStarts.isEmpty ? nil : state.coldStarts
      return RepetitionResult(record: record, samples: samples, timings: timings)
    }
  }
}
