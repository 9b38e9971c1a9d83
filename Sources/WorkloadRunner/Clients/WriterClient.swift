// Commits write transactions, one after the other.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

final class WriterClient {
  let name: String
  let spec: WriterSpec
  private let table: TableState
  private let context: ClientContext
  private var keys: KeyChooser
  private var values: ValueWriter

  init(
    _ name: String, _ spec: WriterSpec, _ table: TableState, _ context: ClientContext,
    keys: KeyChooser, values: ValueWriter
  ) {
    self.name = name
    self.spec = spec
    self.table = table
    self.context = context
    self.keys = keys
    self.values = values
  }

  /// One transaction of the client's mix, entered in the record.
  func commitOne() throws {
    let start = Clock.monotonicNanoseconds()
    let transaction = try context.session.beginWrite()
    var work = CommittedWork(rate: spec.rate)
    do {
      // One writer is within at a time; the lock only says so to tools that cannot see an engine's own.
      try table.lock.withLock { try operate(transaction, &work) }
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
    work.nanoseconds = Clock.monotonicNanoseconds() - start
    try context.recorder.committed(work, context.session)
  }

  private func operate(
    _ transaction: any EngineTransaction, _ work: inout CommittedWork
  ) throws(EngineError) {
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
    }
    for _ in 0..<spec.reads where table.keys.count > 0 {
      let key = table.keys.key(rank: keys.next(rows: table.keys.count))
      let start = Clock.monotonicNanoseconds()
      let found = try transaction.read(table.index, key) { work.touched &+= touch($0) }
      context.recorder.read(nanoseconds: Clock.monotonicNanoseconds() - start)
      try table.expect(found, key)
      work.operations += 1
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
