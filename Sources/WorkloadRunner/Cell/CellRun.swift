// One repetition of one cell, from the empty folder to the result: its launches, each with its phases in order.
package import EngineInterface
import Generators
import MetricModel
import Policies
package import RecordModel
import ScenarioModel
import SystemIO
import TraceFormat

/// Runs a cell in this process.
package final class CellRun {
  private let setup: CellSetup
  private let keys: EncryptionKeys
  private let probes: ProbeFactory
  private let ledger: PinLedger
  private let trace: TraceRecorder?
  private let leftovers = Leftovers()
  private let turns: TurnLog
  /// The contents of the database before a compaction of it is killed; nil if none is to be killed next.
  private var contents: DatabaseContents?

  private var job: CellJob { setup.job }
  private var engine: any Engine { setup.engine }
  private var arm: ArmSpec { setup.arm }
  private var folder: FilePath { setup.folder }
  private var tables: [TableState] { setup.tables }
  private var recorder: Recorder { setup.recorder }

  /// `progress` is called with the latest sample several times a second. It returns how many bytes it wrote itself, which
  /// are excluded from the engine's.
  package init(
    _ job: CellJob, on engine: any Engine, program: OtherProgram? = nil,
    progress: (@Sendable (Sample) -> Int)? = nil
  ) throws(RunnerError) {
    guard let policy = job.scenario.policies.first(where: { $0.name == job.key.policy }) else {
      throw RunnerError("scenario \(job.scenario.name) has no policy \"\(job.key.policy)\"")
    }
    guard let arm = job.scenario.arms.first(where: { $0.name == job.key.arm }) else {
      throw RunnerError("scenario \(job.scenario.name) has no arm \"\(job.key.arm)\"")
    }
    let engine: any Engine = arm.files.map { SplitEngine(engine, files: $0) } ?? engine
    let trace = try Self.trace(of: job, policy, arm, engine)
    let ledger = PinLedger(trace: trace)
    let recorder = Recorder(
      clock: RunClock(usesMachineTime: job.schedule == .threads),
      everyCommits: job.scenario.sampling.everyCommits, ledger: ledger,
      engine: engine, progress: progress, trace: trace)
    setup = CellSetup(
      job: job, engine: trace.map { RecordingEngine(inner: engine, trace: $0) } ?? engine,
      policy: policy, arm: arm, folder: FilePath(job.folder),
      tables: TableState.tables(of: job.scenario.tables, on: engine),
      recorder: recorder, program: program)
    self.trace = trace
    self.ledger = ledger
    keys = EncryptionKeys(setup)
    probes = ProbeFactory(setup: setup)
    turns = TurnLog(isRecorded: job.keepsInterleaving)
  }

  /// The key of the database in the end; nil if it is not encrypted.
  package var currentKey: [UInt8]? { keys.current }

  private static func trace(
    of job: CellJob, _ policy: Policy, _ arm: ArmSpec, _ engine: any Engine
  ) throws(RunnerError) -> TraceRecorder? {
    guard case .record(let file, let program) = job.trace else { return nil }
    let scenario = job.scenario
    if let reason = scenario.unsupportedReason(recording: arm) {
      throw RunnerError("\(scenario.name): \(reason)")
    }
    let header = TraceHeader(
      origin: .init(
        scenario: scenario.name, arm: job.key.arm, engine: engine.id,
        engineVersion: engine.capabilities.version, policy: policy.name,
        policyRule: policy.rule, program: program),
      tables: scenario.tables.map { .init(name: $0.name, rows: $0.rows) },
      clock: job.schedule == .stepped ? .virtual : .machine, durable: scenario.isDurable,
      sampleEveryCommits: scenario.sampling.everyCommits, seed: job.seed)
    do throws(TraceError) { return try TraceRecorder(FilePath(file), header) } catch {
      throw RunnerError("\(error)")
    }
  }

  /// Runs all launches. Errors are the engine's or the system's; the database is left in its folder.
  package func run() throws -> RepetitionResult {
    let start = Clock.monotonicNanoseconds()
    let processorStart = Clock.processorNanoseconds()
    if job.schedule == .threads {
      recorder.timeline.begin(at: start, maxLogBytes: arm.maxLogBytes)
    }
    let watch = try FileWatch(
      engine, in: folder, every: job.scenario.sampling.everyMilliseconds, start: start, recorder)
    defer { watch.stop() }
    try probes.makeOtherDatabase()
    defer { probes.removeOtherDatabase() }
    for launch in 1...job.scenario.launches { try self.launch(launch) }
    try trace?.finish()
    let timings = watch.stop()
    var result = recorder.result(
      repetition: job.repetition, wallNanoseconds: Clock.monotonicNanoseconds() - start,
      processorNanoseconds: Clock.processorNanoseconds() - processorStart, timings: timings)
    result.record.timing.take(watch.memoryPeaks)
    result.interleaving = turns.result
    return result
  }

  private func launch(_ launch: Int) throws {
    var gap = VirtualTime.zero
    if launch > 1 {
      gap = gaps.gap(before: launch, endedAt: recorder.position.time)
      gap = gap - (try passMoments(before: launch, gap))
    }
    try limitDisk(launch)
    if launch == 1, job.scenario.lifecycle.isSeeded { try makeSeed() }
    recorder.beginLaunch(launch, gap: gap)
    try killCompaction(before: launch)
    let isCold = dropFiles(before: launch)
    let start = Clock.monotonicNanoseconds()
    guard let session = try open(launch) else { return }
    if launch > 1, job.scenario.lifecycle.coldStarts != nil {
      recorder.timeline.record(start: isCold, since: start)
    }
    do {
      if launch == 1, !job.scenario.lifecycle.isSeeded {
        recorder.beginPhase("load")
        try load(session)
      } else if job.scenario.lifecycle.crashes.contains(launch - 1) {
        try SimulatedCrash(folder, recorder).check(tables, of: engine, in: session)
      }
      try recorder.takeBoundarySample(session)
      for phase in job.scenario.phases where phase.onlyInLaunches?.contains(launch) ?? true {
        try run(phase, launch, session)
      }
      try ShapeAudit(engine: engine, session: session).check(tables)
      try leftovers.endLaunch(launch, isLast: launch == job.scenario.launches)
      if job.scenario.lifecycle.killedCompactions.contains(launch + 1) {
        contents = try DatabaseContents(of: session, tables: tables, in: folder)
      }
    } catch {
      leftovers.abandon()
      // Only the first error is reported; one more from closing would hide it.
      try? session.close()
      throw error
    }
    try recorder.prepareToClose(session)
    if job.scenario.lifecycle.crashes.contains(launch) {
      var values = tables.map { setup.values($0, "crash", launch) }
      try SimulatedCrash(folder, recorder).end(session, tables, &values)
    } else {
      try session.close()
    }
  }

  /// Opens the database in each moment in the background before a launch, `gap` after the launch before it, and closes it
  /// again; no client runs. Returns the time until the last of them.
  private func passMoments(before launch: Int, _ gap: VirtualTime) throws -> VirtualTime {
    var passed = VirtualTime.zero
    for spec in job.scenario.lifecycle.background ?? [] {
      let time = spec.time(in: gap)
      recorder.begin(spec.moment, after: time - passed)
      passed = time
      guard let session = try openInMoment(before: launch) else { continue }
      do {
        try recorder.takeBoundarySample(session)
      } catch {
        try? session.close()
        throw error
      }
      recorder.prepareToCloseMoment(session)
      try session.close()
    }
    return passed
  }

  /// Has another process compact the closed database and kills it in the middle, if the scenario asks for that.
  private func killCompaction(before launch: Int) throws {
    let launches = job.scenario.lifecycle.killedCompactions
    guard let number = launches.firstIndex(of: launch), let before = contents else { return }
    contents = nil
    guard let program = setup.program, let table = tables.first else {
      throw RunnerError("a compaction is to be killed, and this program cannot start any process")
    }
    let spec = ProcessSpec(table: table.spec.name, work: .idles)
    var child = setup.processJob(
      "compaction", spec, table.spec, stream: "compaction/\(launch)")
    child.encryptionKey = keys.current
    try KilledCompaction(
      folder: folder, engine: engine, options: options(launch), tables: tables, program: program,
      job: child,
      recorder: recorder, number: number, count: launches.count
    ).carryOut(before)
  }

  /// Drops the closed database's files from the page cache, if the scenario asks for that. Returns whether it does.
  private func dropFiles(before launch: Int) -> Bool {
    guard job.scenario.lifecycle.coldStarts?.contains(launch) ?? false else { return false }
    recorder.record(coldStart: DroppedFiles(of: engine, in: folder).drop(before: launch))
    return true
  }

  private var gaps: LaunchGaps {
    LaunchGaps(job.scenario, stream: setup.stream("gaps"))
  }

  /// Makes the seed file that an app ships with: a compacted copy with all rows, at the database's path. It is made before
  /// anything is measured, in a folder beside the database's; no policy is asked.
  private func makeSeed() throws {
    try recorder.excludingWrittenBytes {
      let workFolder = FilePath(folder.string + ".seed")
      try FileSystem.makeFolders(workFolder)
      defer { try? FileSystem.removeTree(workFolder) }
      let session = try engine.open(workFolder, options(1)).session
      do {
        try load(session)
        try session.writeCompactedCopy(to: folder.appending(engine.mainFile))
      } catch {
        try? session.close()
        throw error
      }
      try session.close()
    }
  }

  /// Gives an arm with a limited disk a disk of its own, in all launches: without a limit in launches that have none.
  private func limitDisk(_ launch: Int) throws {
    guard arm.limits?.disk != nil else { return }
    let bytes = arm.limits(inLaunch: launch)?.disk
    if launch == 1 {
      try LimitedDisk.mount(at: folder, bytes: bytes)
      if job.measuredDisk != nil { try DiskWatch.add(folder) }
    } else {
      try LimitedDisk.resize(at: folder, bytes: bytes)
    }
  }

  private func options(_ launch: Int) -> SessionOptions {
    var options = SessionOptions(
      tables: tables.names, durability: job.scenario.isDurable ? .full : .none,
      automaticCompaction: setup.policy.automatic,
      automaticPreset: setup.policy.preset, worksInBackground: job.schedule == .threads,
      encryptionKey: keys.current)
    options.automaticThresholds = setup.policy.thresholds
    let limits = arm.limits(inLaunch: launch)
    options.maximumVersions = limits?.versions
    options.maximumMappedBytes = limits?.addressSpace
    options.busyTimeout = limits?.busyTimeout
    options.log = arm.log?.settings
    options.geometry = arm.geometry?.settings
    options.isShortenable = arm.autoVacuum != nil
    options.shapes = tables.shapes
    options.migrations = job.scenario.migrations(before: launch)
    if job.schedule == .threads {
      let timeline = recorder.timeline
      options.onCheckpoint = { timeline.record(.checkpoint, from: $0, to: $1) }
      options.onStall = { timeline.record(.stall, from: $0, to: $1) }
    }
    return options
  }

  /// Returns nil if a limit prevents the database from being opened: then nothing happens in this launch.
  private func open(_ launch: Int) throws -> (any EngineSession)? {
    var opening = self.opening
    opening.isInBackground = arm.opensInBackground ?? false
    let running = try OpeningProbes(probes.probes(openedIn: launch)) { client, spec, waits in
      try probes.start(
        client, spec, "while the database is opened", stream: "opening/\(launch)", waits: waits)
    }
    opening.onCompaction = { running.beginCompaction() }
    defer { running.stop() }
    return try open(
      opening, options(launch), limits: launch > 1 ? arm.limits(inLaunch: launch) : nil)
  }

  /// Opens the database in the background before a launch, under the limits of the launch that ended.
  private func openInMoment(before launch: Int) throws -> (any EngineSession)? {
    var opening = self.opening
    opening.isMoment = true
    var settings = options(launch - 1)
    settings.migrations = job.scenario.migrations(before: launch)
    return try open(opening, settings, limits: arm.limits(inLaunch: launch - 1))
  }

  private var opening: LaunchOpening {
    var opening = LaunchOpening(
      engine: engine, folder: folder, policy: setup.policy, recorder: recorder)
    opening.allowsPrograms = job.allowsPrograms
    opening.refineReason = leftovers.replacingProcessIdentifiers
    if arm.limits?.disk != nil, let free = try? FileSystem.freeBytes(at: folder) {
      opening.freeDisk = ByteCount(free)
    }
    return opening
  }

  private func open(
    _ opening: LaunchOpening, _ options: SessionOptions, limits: LimitSpec?
  ) throws -> (any EngineSession)? {
    do {
      return try opening.open(options)
    } catch let error as EngineError where limits != nil {
      // A damaged file is never the effect of a limit.
      guard error.code != .corrupt else { throw error }
      recorder.record(openingRefusal: error)
      return nil
    }
  }

  /// Fills the tables before the first phase. These transactions do not count as commits of the scenario.
  private func load(_ session: any EngineSession) throws {
    for table in tables {
      var values = setup.values(table, "load")
      var parts = setup.parts(table, [table.spec.name, "load"])
      var row = 0
      while row < table.spec.rows {
        let transaction = try session.beginWrite()
        do {
          for _ in 0..<min(Self.loadBatch, table.spec.rows - row) {
            let key = table.keys.appendNext()
            _ = try table.put(transaction, key, values.next(), &parts, among: table.keys)
            row += 1
          }
          try transaction.commit()
        } catch {
          transaction.rollBack()
          throw error
        }
      }
    }
  }

  private func run(_ phase: PhaseSpec, _ launch: Int, _ session: any EngineSession) throws {
    let context = ClientContext(
      recorded: RecordedSession(session: session, recorder: recorder, ledger: ledger),
      leftovers: leftovers,
      limits: arm.limits(inLaunch: launch) ?? arm.geometry?.upper.map { _ in LimitSpec() })
    try PhaseRun(
      setup: setup, keys: keys, turns: turns, context: context, spec: phase, launch: launch
    ).run()
  }

  private static let loadBatch = 1000
}
