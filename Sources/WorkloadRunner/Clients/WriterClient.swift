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
  private var keys: KeyChooser
  private var values: ValueWriter
  private let arrivals: RandomStream
  private var latencies: OperationLatencies

  init(
    _ name: String, _ spec: WriterSpec, _ table: TableState, _ context: ClientContext,
    keys: KeyChooser, values: ValueWriter, arrivals: RandomStream
  ) {
    self.name = name
    self.spec = spec
    self.table = table
    self.context = context
    self.keys = keys
    self.values = values
    self.arrivals = arrivals
    latencies = OperationLatencies(context.recorder)
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
    let transaction = try context.session.beginWrite()
    onBegun()
    var work = CommittedWork(pace: pace)
    do {
      // One writer is within at a time; the lock only says so to tools that cannot see an engine's own.
      try table.lock.withLock { try operate(transaction, &work) }
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
    let end = Clock.monotonicNanoseconds()
    work.nanoseconds = end - start
    if let dueNanoseconds {
      work.sinceIntended = end - dueNanoseconds
      context.recorder.keptSchedule(
        name, late: start > dueNanoseconds ? start - dueNanoseconds : 0,
        intended: end - dueNanoseconds, service: end - start)
    }
    try context.recorder.committed(work, &latencies, context.session)
  }

  /// Each operation is timed from the end of the one before, so that one look at the clock is enough for each.
  private func operate(
    _ transaction: any EngineTransaction, _ work: inout CommittedWork
  ) throws(EngineError) {
    latencies.begin()
    for _ in 0..<spec.inserts { try put(transaction, table.keys.appendNext(), &work) }
    for _ in 0..<spec.updates where table.keys.count > 0 {
      let rank = keys.next(rows: table.keys.count)
      try put(transaction, table.keys.key(rank: rank), &work)
    }
    for _ in 0..<spec.deletes where table.keys.count > 0 {
      let key = table.keys.remove(rank: keys.next(rows: table.keys.count))
      let found = try transaction.delete(table.index, key)
      try table.expect(found, key)
      work.operations += 1
      latencies.wrote()
    }
    for _ in 0..<spec.reads where table.keys.count > 0 {
      let key = table.keys.key(rank: keys.next(rows: table.keys.count))
      let found = try transaction.read(table.index, key) { work.touched &+= touch($0) }
      try table.expect(found, key)
      work.operations += 1
      latencies.read()
    }
    if spec.scans > 0 { try scan(&work) }
  }

  private func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ work: inout CommittedWork
  ) throws(EngineError) {
    let value = values.next()
    try transaction.put(table.index, key, value)
    work.operations += 1
    work.requestedBytes += MemoryLayout<Int64>.size + value.count
    latencies.wrote()
  }

  /// Scans see the version before this transaction: they run in a snapshot of their own.
  private func scan(_ work: inout CommittedWork) throws(EngineError) {
    let snapshot = try context.session.beginSnapshot(label: "\(name) scanning")
    defer { snapshot.end() }
    for _ in 0..<spec.scans where table.keys.count > 0 {
      let key = table.keys.key(rank: keys.next(rows: table.keys.count))
      _ = try snapshot.scan(table.index, from: key, limit: spec.scanLength) { _, bytes in
        work.touched &+= touch(bytes)
      }
      work.operations += 1
    }
  }
}
