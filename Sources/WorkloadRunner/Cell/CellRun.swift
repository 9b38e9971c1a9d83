// One repetition of one cell, from the empty folder to the result: launches, and in each the phases in order.
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
  let job: CellJob
  let engine: any Engine
  let policy: Policy
  let arm: ArmSpec
  let folder: FilePath
  let tables: [TableState]
  private let ledger: PinLedger
  let recorder: Recorder
  private let trace: TraceRecorder?
  let leftovers = Leftovers()
  private let turns: TurnLog
  /// What the database held when it was closed, before a compaction of it is killed; nil where none is.
  private var contents: DatabaseContents?
  /// How often the database got another key.
  var keyChanges = 0
  /// This program, which serves other processes by a command of its own; nil where there can be none.
  let program: OtherProgram?

  /// `progress` is told of a sample now and then, and answers how many bytes it wrote to pass it on, so that they are not
  /// counted as the engine's.
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
    self.job = job
    self.program = program
    turns = TurnLog(isKept: job.keepsInterleaving)
    trace = try Self.trace(of: job, policy, arm, engine)
    self.engine = trace.map { RecordingEngine(inner: engine, trace: $0) } ?? engine
    ledger = PinLedger(trace: trace)
    self.policy = policy
    self.arm = arm
    folder = FilePath(job.folder)
    tables = job.scenario.tables.enumerated().map {
      TableState($0, $1, of: engine)
    }
    recorder = Recorder(
      clock: RunClock(usesMachineTime: job.schedule == .threads),
      everyCommits: job.scenario.sampling.everyCommits, ledger: ledger,
      engine: engine, progress: progress, trace: trace)
  }

  private static func trace(
    of job: CellJob, _ policy: Policy, _ arm: ArmSpec, _ engine: any Engine
  ) throws(RunnerError) -> TraceRecorder? {
    guard case .record(let file, let program) = job.trace else { return nil }
    let scenario = job.scenario
    if let hindrance = scenario.hindranceToRecording(arm) {
      throw RunnerError("\(scenario.name): \(hindrance)")
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

  /// Runs all launches. Errors are the engine's or the system's; the database stays where it is.
  package func run() throws -> RepetitionResult {
    let start = Clock.monotonicNanoseconds()
    let processorStart = Clock.processorNanoseconds()
    let watch = try FileWatch(
      engine, in: folder, every: job.scenario.sampling.everyMilliseconds, start: start, recorder)
    defer { watch.stop() }
    try makeOtherDatabase()
    defer { removeOtherDatabase() }
    for launch in 1...job.scenario.launches { try self.launch(launch) }
    try trace?.finish()
    let timings = watch.stop()
    var result = recorder.result(
      repetition: job.repetition, wallNanoseconds: Clock.monotonicNanoseconds() - start,
      processorNanoseconds: Clock.processorNanoseconds() - processorStart, timings: timings)
    result.interleaving = turns.result
    return result
  }

  private func launch(_ launch: Int) throws {
    try limitDisk(launch)
    if launch == 1 {
      if job.scenario.lifecycle.isSeeded { try makeSeed() }
      recorder.beginLaunch(launch, gap: .zero)
    } else {
      recorder.beginLaunch(
        launch, gap: gaps.gap(before: launch, endedAt: recorder.position.time))
    }
    try killCompaction(before: launch)
    guard let session = try open(launch) else { return }
    do {
      if launch == 1, !job.scenario.lifecycle.isSeeded {
        recorder.beginPhase("load")
        try load(session)
      } else if job.scenario.lifecycle.crashes.contains(launch - 1) {
        try Crash(folder, recorder).check(tables, of: engine, in: session)
      }
      try recorder.sample(session)
      for phase in job.scenario.phases where phase.onlyInLaunches?.contains(launch) ?? true {
        try run(phase, launch, session)
      }
      try leftovers.launchEnds(launch, isLast: launch == job.scenario.launches)
      if job.scenario.lifecycle.killedCompactions.contains(launch + 1) {
        contents = try DatabaseContents(of: session, tables: tables, in: folder)
      }
    } catch {
      leftovers.abandon()
      // The first error tells what happened; one more from closing would hide it.
      try? session.close()
      throw error
    }
    try recorder.closing(session)
    if job.scenario.lifecycle.crashes.contains(launch) {
      var values = tables.map { self.values($0, "crash", launch) }
      try Crash(folder, recorder).end(session, tables, &values)
    } else {
      try session.close()
    }
  }

  /// Has another process begin to compact the closed database, and kills it, where the scenario asks for that.
  private func killCompaction(before launch: Int) throws {
    let launches = job.scenario.lifecycle.killedCompactions
    guard let number = launches.firstIndex(of: launch), let before = contents else { return }
    contents = nil
    guard let program, let table = tables.first else {
      throw RunnerError("a compaction is to be killed, and this program cannot start any process")
    }
    let spec = ProcessSpec(table: table.spec.name, work: .idles)
    var child = ProcessJob(
      engine: engine.id, folder: folder.string, tables: tables.map(\.spec.name),
      table: table.spec, isDurable: job.scenario.isDurable, automatic: policy.automatic,
      preset: policy.preset, name: "compaction", spec: spec, seed: job.seed,
      stream: "compaction/\(launch)", encryptionKey: arm.isEncrypted ? key : nil)
    child.openAs(arm)
    try CompactionKill(
      folder: folder, engine: engine, options: options(launch), tables: tables, program: program,
      job: child,
      recorder: recorder, number: number, count: launches.count
    ).carryOut(before)
  }

  private var gaps: LaunchGaps {
    LaunchGaps(job.scenario, stream: stream("gaps"))
  }

  /// What an app brings along: the rows, in a compacted copy at the place of the database. Made before anything is
  /// measured, beside the database's folder; no policy is asked about it.
  private func makeSeed() throws {
    try recorder.notCounting {
      let workshop = FilePath(folder.string + ".seed")
      try FileSystem.makeFolders(workshop)
      defer { try? FileSystem.removeTree(workshop) }
      let session = try engine.open(workshop, options(1)).session
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

  /// An arm that has a limited disk has it from the first launch on, without a limit where none holds.
  private func limitDisk(_ launch: Int) throws {
    guard arm.limits?.disk != nil else { return }
    let bytes = arm.limits(inLaunch: launch)?.disk
    if launch == 1 {
      try LimitedDisk.mount(at: folder, bytes: bytes)
    } else {
      try LimitedDisk.resize(at: folder, bytes: bytes)
    }
  }

  func options(_ launch: Int) -> SessionOptions {
    var options = SessionOptions(
      tables: tables.map(\.spec.name), durability: job.scenario.isDurable ? .full : .none,
      automaticCompaction: policy.automatic,
      automaticPreset: policy.preset, worksInBackground: job.schedule == .threads,
      encryptionKey: arm.isEncrypted ? key : nil)
    let limits = arm.limits(inLaunch: launch)
    options.maximumVersions = limits?.versions
    options.maximumMappedBytes = limits?.addressSpace
    options.busyTimeout = limits?.busyTimeout
    options.log = arm.log?.settings
    options.geometry = arm.geometry?.settings
    options.isShortenable = arm.autoVacuum != nil
    return options
  }

  /// nil where a limit does not let the database be opened: then nothing happens in this launch.
  private func open(_ launch: Int) throws -> (any EngineSession)? {
    var opening = LaunchOpening(engine: engine, folder: folder, policy: policy, recorder: recorder)
    opening.naming = leftovers.naming
    let watch = try OpeningWatch(probes(openedIn: launch)) { client, spec, waits in
      try startProbe(
        client, spec, "while the database is opened", "opening/\(launch)", waits: waits)
    }
    opening.onYes = { watch.compactionBegins() }
    defer { watch.stop() }
    do {
      return try opening.open(options(launch))
    } catch let error as EngineError where launch > 1 && arm.limits(inLaunch: launch) != nil {
      // A damaged file is never a limit's doing.
      guard error.code != .corrupt else { throw error }
      recorder.refusedOpening(error)
      return nil
    }
  }

  /// Fills the tables before the first phase; these transactions are not commits of the scenario.
  private func load(_ session: any EngineSession) throws {
    for table in tables {
      var values = values(table, "load")
      var row = 0
      while row < table.spec.rows {
        let transaction = try session.beginWrite()
        do {
          for _ in 0..<min(Self.loadBatch, table.spec.rows - row) {
            try transaction.put(table.index, table.keys.appendNext(), values.next())
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

  private func run(_ spec: PhaseSpec, _ launch: Int, _ session: any EngineSession) throws {
    recorder.beginPhase(spec.name)
    let first = recorder.position.commits
    let changes = BulkChanges(recorder: recorder, session: session, phase: spec)
    for table in tables {
      if spec.refill {
        var values = values(table, "refill", spec.name, launch)
        try changes.refill(table, &values)
      }
      if spec.deleteShare > 0 {
        var drawn = stream("deleted", spec.name, launch, table.spec.name)
        try changes.delete(from: table, arm.deletedRows, &drawn)
      }
    }
    if spec.idle > .zero { recorder.idle(spec.idle) }
    if spec.checksReaders {
      _ = try session.capability((any DeadReaderFreeing).self)?.freeDeadReaders()
    }
    if let most = spec.shortens { try shorten(session, most) }
    if let change = spec.newKey, arm.isEncrypted { try changeKey(change, session) }
    let context = ClientContext(
      session: session, recorder: recorder, ledger: ledger, leftovers: leftovers,
      limits: arm.limits(inLaunch: launch) ?? arm.geometry?.upper.map { _ in LimitSpec() })
    let counter = CommitCounter(start: recorder.position.commits, limit: arm.commits(in: spec))
    turns.beginPhase(launch: launch, name: spec.name)
    let cast = try cast(for: spec, launch, context, counter)
    switch job.schedule {
    case .stepped:
      var order = stream("order", spec.name, launch)
      let recorded = job.interleaving?.turns(launch: launch, phase: spec.name)
      try SteppedSchedule(cast, counter, recorder, turns).run(&order, after: recorded ?? [])
      // After a phase nobody writes; a thread would come here when its time is up, which no clock of a run tells.
      if policy.preset == .idle {
        try session.capability((any IdleCompacting).self)?.compactWhileIdle()
      }
    case .threads: try ThreadsSchedule(cast, counter, recorder, turns).run()
    }
    try recorder.endPhase(first: first, session)
  }

  private static let loadBatch = 1000
}
