// Carries out a trace on an engine, on one thread and in the trace's order, and records the same figures as a run.
package import EngineInterface
import Generators
import MetricModel
import Policies
package import RecordModel
import ScenarioModel
package import SystemIO
import TraceFormat

package final class TraceReplay {
  private let job: CellJob
  private let engine: any Engine
  private let policy: Policy
  private let folder: FilePath
  private let reader: TraceReader
  private let ledger = PinLedger()
  private let recorder: Recorder
  private let values: ValueSource
  private var pace: ReplayPace

  private var session: (any EngineSession)?
  private var transaction: (any EngineTransaction)?
  private var snapshots: [Int: any EngineSnapshot] = [:]
  /// Pins by their number in the trace.
  private var pins: [Int: Int] = [:]
  private var time = 0
  private var transactionStart: UInt64 = 0
  private var commitNanoseconds: UInt64 = 0
  private var latencies: OperationLatencies
  /// A sum over all bytes that were read, which keeps the compiler from removing the reads.
  private var touched: UInt64 = 0

  /// `speed` is how many times as fast as recorded; nil for as fast as possible. `progress` is described at `CellRun`.
  package init(
    _ job: CellJob, on engine: any Engine, trace: FilePath, speed: Double?,
    progress: (@Sendable (Sample) -> Int)? = nil
  ) throws {
    guard let policy = job.scenario.policies.first(where: { $0.name == job.key.policy }) else {
      throw RunnerError("there is no policy \"\(job.key.policy)\"")
    }
    self.job = job
    self.engine = engine
    self.policy = policy
    folder = FilePath(job.folder)
    reader = try TraceReader(trace)
    values = ValueSource(seed: reader.header.seed, label: "values of a trace")
    pace = ReplayPace(speed: speed)
    recorder = Recorder(
      clock: RunClock(usesMachineTime: false), everyCommits: reader.header.sampleEveryCommits,
      ledger: ledger, engine: engine, progress: progress)
    latencies = OperationLatencies(recorder)
  }

  /// The greatest number of bytes of the trace in memory at once.
  package var maxBytesBuffered: Int { reader.maxBytesBuffered }

  /// Carries out the whole trace. Errors are the trace's, the engine's or the system's.
  package func run() throws -> RepetitionResult {
    let start = Clock.monotonicNanoseconds()
    let processorStart = Clock.processorNanoseconds()
    let watch = try FileWatch(
      engine, in: folder, every: job.scenario.sampling.everyMilliseconds, start: start, recorder)
    defer { watch.stop() }
    do {
      while let record = try reader.next() {
        if record.time != time { move(to: record.time) }
        try carryOut(record)
      }
    } catch {
      abandon()
      throw error
    }
    guard session == nil else {
      abandon()
      throw reader.invalid("the trace ends while the database is open")
    }
    let timings = watch.stop()
    var result = recorder.result(
      repetition: job.repetition, wallNanoseconds: Clock.monotonicNanoseconds() - start,
      processorNanoseconds: Clock.processorNanoseconds() - processorStart, timings: timings)
    result.record.timing.take(watch.memoryPeaks)
    return result
  }

  private func move(to time: Int) {
    self.time = time
    pace.wait(for: time)
    recorder.moveClock(to: VirtualTime(microseconds: time))
  }

  /// Closes everything after an error, without reporting further errors.
  private func abandon() {
    transaction?.rollBack()
    for snapshot in snapshots.values { snapshot.end() }
    try? session?.close()
  }

  private func carryOut(_ record: TraceRecord) throws {
    switch record.operation {
    case .launch, .open, .phase, .phaseEnd, .enter, .pin, .unpin, .sample, .checkReaders, .closing,
      .close:
      try carryOutBookkeeping(record)
    case .beginWrite, .put, .delete, .read, .commit, .rollBack: try write(record)
    case .snapshot, .snapshotRead, .scan, .count, .refresh, .end: try read(record)
    }
  }

  private func carryOutBookkeeping(_ record: TraceRecord) throws {
    switch record.operation {
    case .launch:
      recorder.beginLaunch(record.number, gap: .zero)
      pace.beginLaunch(at: record.time)
    case .open: try open()
    case .phase: recorder.beginPhase(record.text)
    case .phaseEnd:
      // As in a run, the database is idle after a phase. Whether it compacts then is decided by the policy of the replay, so
      // the trace does not have it.
      if policy.preset == .idle {
        try opened().capability((any IdleCompacting).self)?.compactWhileIdle()
      }
      try recorder.endPhase(first: record.number, try opened())
    case .enter:
      // The clock has reached the trace's time already.
      var work = CommittedWork(pace: .due(.zero))
      work.operations = record.number
      work.requestedBytes = record.size
      work.nanoseconds = commitNanoseconds
      work.touched = touched
      try recorder.record(commit: work, latencies: &latencies, try opened())
    case .pin:
      guard pins[record.number] == nil else {
        throw reader.invalid("pin \(record.number) already exists")
      }
      let (commits, time) = recorder.position
      pins[record.number] = ledger.begin(record.text, commit: commits, time: time)
    case .unpin:
      guard let pin = pins.removeValue(forKey: record.number) else {
        throw reader.invalid("pin \(record.number) does not exist")
      }
      ledger.end(pin, commit: recorder.position.commits)
    case .checkReaders: _ = try opened().capability((any DeadReaderFreeing).self)?.freeDeadReaders()
    case .sample: try recorder.takeBoundarySample(try opened())
    case .closing: try recorder.prepareToClose(try opened())
    case .close:
      let session = try opened()
      guard snapshots.isEmpty, transaction == nil else {
        throw reader.invalid("the database is closed while transactions are open")
      }
      try session.close()
      self.session = nil
    default: preconditionFailure("\(record.operation) is not part of the bookkeeping")
    }
  }

  private func open() throws {
    guard session == nil else { throw reader.invalid("the database is already open") }
    var options = SessionOptions(
      tables: reader.header.tables.map(\.name), durability: reader.header.durable ? .full : .none,
      automaticCompaction: policy.automatic, automaticPreset: policy.preset)
    options.automaticThresholds = policy.thresholds
    var opening = LaunchOpening(
      engine: engine, folder: folder, policy: policy, recorder: recorder)
    opening.allowsPrograms = job.allowsPrograms
    session = try opening.open(options)
  }

  private func write(_ record: TraceRecord) throws {
    if record.operation == .beginWrite {
      guard transaction == nil else {
        throw reader.invalid("a write transaction is already open")
      }
      transactionStart = Clock.monotonicNanoseconds()
      transaction = try opened().beginWrite()
      latencies.begin()
      return
    }
    guard let transaction else {
      throw reader.invalid("\(record.operation.name) without a write transaction")
    }
    switch record.operation {
    case .put:
      let table = try table(record)
      try values.withValue(size: record.size) { value throws(EngineError) in
        try transaction.put(table, record.key, value)
      }
      latencies.recordWrite()
    case .delete:
      _ = try transaction.delete(try table(record), record.key)
      latencies.recordWrite()
    case .read:
      _ = try transaction.read(try table(record), record.key) { touched &+= readEveryByte(of: $0) }
      latencies.recordRead()
    case .commit:
      // The transaction has ended whether or not the commit succeeds.
      self.transaction = nil
      try transaction.commit()
      commitNanoseconds = Clock.monotonicNanoseconds() - transactionStart
    default:
      self.transaction = nil
      transaction.rollBack()
    }
  }

  private func read(_ record: TraceRecord) throws {
    if record.operation == .snapshot {
      guard snapshots[record.number] == nil else {
        throw reader.invalid("snapshot \(record.number) already exists")
      }
      snapshots[record.number] = try opened().beginSnapshot(label: record.text)
      return
    }
    guard let snapshot = snapshots[record.number] else {
      throw reader.invalid("snapshot \(record.number) does not exist")
    }
    switch record.operation {
    case .snapshotRead:
      let start = Clock.monotonicNanoseconds()
      _ = try snapshot.read(try table(record), record.key) { touched &+= readEveryByte(of: $0) }
      recorder.record(readNanoseconds: Clock.monotonicNanoseconds() - start)
    case .scan:
      _ = try snapshot.scan(try table(record), from: record.key, limit: record.size) {
        touched &+= readEveryByte(of: $1)
      }
    case .count: _ = try snapshot.count(try table(record))
    case .refresh: try snapshot.refresh()
    default:
      snapshots[record.number] = nil
      snapshot.end()
    }
  }

  private func opened() throws -> any EngineSession {
    guard let session else { throw reader.invalid("the database is not open") }
    return session
  }

  private func table(_ record: TraceRecord) throws -> TableIndex {
    guard record.table < reader.header.tables.count else {
      throw reader.invalid(
        "table \(record.table) does not exist; the header lists \(reader.header.tables.count)")
    }
    return record.table
  }
}
