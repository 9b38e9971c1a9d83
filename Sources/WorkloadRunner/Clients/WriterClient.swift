// A client that commits write transactions one after the other.
import EngineInterface
import Generators
import MetricModel
import ScenarioModel
import SystemIO

final class WriterClient {
  let name: String
  let spec: WriterSpec
  private let table: TableState
  private let context: ClientContext
  private let arrivals: RandomStream
  /// Whether the wait for the write lock is recorded.
  private let timesLockWait: Bool
  private var executor: TransactionExecutor

  init(
    _ name: String, _ spec: WriterSpec, _ table: TableState, _ context: ClientContext,
    keys: KeyChooser, values: ValueWriter, arrivals: RandomStream, timesLockWait: Bool = false,
    parts: PartsChooser? = nil
  ) {
    self.name = name
    self.spec = spec
    self.table = table
    self.context = context
    self.arrivals = arrivals
    self.timesLockWait = timesLockWait
    executor = TransactionExecutor(
      spec: spec, table: table.index, keys: keys, values: values,
      latencies: OperationLatencies(context.recorder), parts: parts)
  }

  /// Returns the arrival times of an open loop with this rate per second; nil for a closed loop.
  func schedule(rate: Double) -> ArrivalSchedule? {
    guard case .scheduled(let pattern, let wave) = spec.load.arrivals else { return nil }
    return ArrivalSchedule(pattern, rate: rate, wave: wave, stream: arrivals)
  }

  /// Makes one transaction of a closed loop and records it. `onBegun` is called when the write lock is acquired.
  func commitOne(onBegun: () -> Void = {}) throws {
    try commitOne(
      .rate(spec.load.virtualRate, think: spec.load.think), dueNanoseconds: nil, onBegun: onBegun)
  }

  /// Makes one transaction and records it. `dueNanoseconds` is its scheduled beginning on the machine's clock, nil on the
  /// virtual clock and in a closed loop.
  func commitOne(
    _ pace: CommitPace, dueNanoseconds: UInt64?, onBegun: () -> Void = {}
  ) throws {
    let start = Clock.monotonicNanoseconds()
    var work = CommittedWork(pace: pace)
    do {
      try transact(&work, onBegun)
    } catch let error as EngineError where context.isRefusal(error) {
      return try context.recorder.record(refusal: error, pace, context.session)
    }
    let end = Clock.monotonicNanoseconds()
    work.nanoseconds = end - start
    work.end = end
    if let dueNanoseconds {
      work.sinceIntended = end - dueNanoseconds
      let operation = OpenLoopOperation(
        end: end, delay: start > dueNanoseconds ? start - dueNanoseconds : 0,
        intended: end - dueNanoseconds, service: end - start)
      context.recorder.record(openLoop: operation, of: name)
    }
    try context.recorder.record(
      commit: work, latencies: &executor.latencies, context.session)
  }

  private func transact(_ work: inout CommittedWork, _ onBegun: () -> Void) throws {
    let asked = timesLockWait ? Clock.monotonicNanoseconds() : 0
    let transaction = try context.session.beginWrite()
    if timesLockWait { work.lockWait = Clock.monotonicNanoseconds() - asked }
    onBegun()
    var keys: Range<Int64>?
    do {
      // Only one writer at a time gets here. The lock shows that to tools that cannot see the engine's own write lock.
      try table.lock.withLock {
        guard context.limits == nil else { return try transactOrRestoreKeys(transaction, &work) }
        try operate(transaction, &work)
        if table.publishedKeys.isRead { keys = table.keys.bounds }
      }
      if context.limits == nil { try transaction.commit() }
      table.publishedKeys.publish(keys)
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Carries out and commits a transaction; if it is refused, the table's keys are restored. The table's lock is held to the
  /// end, since a failed commit has released the engine's write lock.
  private func transactOrRestoreKeys(
    _ transaction: any EngineTransaction, _ work: inout CommittedWork
  ) throws {
    let (keys, model) = (table.keys, table.model)
    do {
      try operate(transaction, &work)
      try transaction.commit()
    } catch {
      table.keys = keys
      table.model = model
      throw error
    }
  }

  private func operate(
    _ transaction: any EngineTransaction, _ work: inout CommittedWork
  ) throws {
    if spec.scans > 0 {
      try executor.operateAndScan(transaction, table, context.session, name, &work)
    } else {
      try executor.operate(transaction, table, &table.keys, &work)
    }
  }
}
