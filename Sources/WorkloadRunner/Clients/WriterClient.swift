// Commits write transactions, one after the other.
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
  private var hand: WriterHand

  init(
    _ name: String, _ spec: WriterSpec, _ table: TableState, _ context: ClientContext,
    keys: KeyChooser, values: ValueWriter, arrivals: RandomStream
  ) {
    self.name = name
    self.spec = spec
    self.table = table
    self.context = context
    self.arrivals = arrivals
    hand = WriterHand(
      spec: spec, table: table.index, keys: keys, values: values,
      latencies: OperationLatencies(context.recorder))
  }

  /// The times of an open loop with this rate per second; nil of a closed one.
  func schedule(rate: Double) -> ArrivalSchedule? {
    guard case .scheduled(let pattern, let wave) = spec.load.arrivals else { return nil }
    return ArrivalSchedule(pattern, rate: rate, wave: wave, stream: arrivals)
  }

  /// One transaction of a closed loop, entered in the record. `onBegun` is told when the write lock is its own.
  func commitOne(onBegun: () -> Void = {}) throws {
    try commitOne(
      .rate(spec.load.virtualRate, think: spec.load.think), dueNanoseconds: nil, onBegun: onBegun)
  }

  /// One transaction, entered in the record. `dueNanoseconds` is when it was to begin on the monotonic clock, nil on the
  /// virtual one and in a closed loop.
  func commitOne(
    _ pace: CommittedWork.Pace, dueNanoseconds: UInt64?, onBegun: () -> Void = {}
  ) throws {
    let start = Clock.monotonicNanoseconds()
    var work = CommittedWork(pace: pace)
    do {
      try transact(&work, onBegun)
    } catch let error as EngineError where context.isRefusal(error) {
      return try context.recorder.refused(error, pace, context.session)
    }
    let end = Clock.monotonicNanoseconds()
    work.nanoseconds = end - start
    if let dueNanoseconds {
      work.sinceIntended = end - dueNanoseconds
      context.recorder.keptSchedule(
        name, late: start > dueNanoseconds ? start - dueNanoseconds : 0,
        intended: end - dueNanoseconds, service: end - start)
    }
    try context.recorder.committed(work, &hand.latencies, context.session)
  }

  private func transact(_ work: inout CommittedWork, _ onBegun: () -> Void) throws {
    let transaction = try context.session.beginWrite()
    onBegun()
    do {
      // One writer is within at a time; the lock only says so to tools that cannot see an engine's own.
      try table.lock.withLock {
        guard context.limits == nil else { return try transactOrUndo(transaction, &work) }
        try operate(transaction, &work)
      }
      if context.limits == nil { try transaction.commit() }
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// A refused transaction changed nothing: nor may what is known of the table's keys. Under the table's lock to the end,
  /// since the engine's own is gone with a commit that failed.
  private func transactOrUndo(
    _ transaction: any EngineTransaction, _ work: inout CommittedWork
  ) throws {
    let keys = table.keys
    do {
      try operate(transaction, &work)
      try transaction.commit()
    } catch {
      table.keys = keys
      throw error
    }
  }

  private func operate(
    _ transaction: any EngineTransaction, _ work: inout CommittedWork
  ) throws {
    if spec.scans > 0 {
      try hand.operateAndScan(transaction, table, context.session, name, &work)
    } else {
      try hand.operate(transaction, table, &table.keys, &work)
    }
  }
}
