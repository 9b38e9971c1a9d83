// Executes the operations of a writer's transactions: the innermost loop of everything that is measured. It is a structure,
// and gets what it needs once for each transaction, because every access to a property of a class is checked.
import EngineInterface
import Generators
import ScenarioModel

struct TransactionExecutor {
  let spec: WriterSpec
  let table: TableIndex
  var keys: KeyChooser
  var values: ValueWriter
  var latencies: OperationLatencies
  /// The number of transactions so far, which determines the row count of an oscillating table.
  private var begun = 0

  init(
    spec: WriterSpec, table: TableIndex, keys: KeyChooser, values: ValueWriter,
    latencies: OperationLatencies
  ) {
    self.spec = spec
    self.table = table
    self.keys = keys
    self.values = values
    self.latencies = latencies
  }

  /// Executes one transaction's operations. Each is timed from the end of the previous one, so that one reading of the clock
  /// for each is enough.
  mutating func operate(
    _ transaction: any EngineTransaction, _ state: TableState, _ rows: inout KeySet,
    _ work: inout CommittedWork
  ) throws(EngineError) {
    latencies.begin()
    if let reload = spec.reload {
      try self.reload(reload, transaction, state, &rows, &work)
    }
    if let oscillation = spec.oscillation {
      begun += 1
      let count = oscillation.rows(of: state.spec.rows, afterCommit: begun)
      while rows.count < count { try put(transaction, rows.appendNext(), &work) }
      while rows.count > count {
        let key = rows.remove(rank: keys.next(rows: rows.count))
        try delete(transaction, key, state, &work)
      }
    }
    for _ in 0..<spec.inserts { try put(transaction, rows.appendNext(), &work) }
    for _ in 0..<spec.updates where rows.count > 0 {
      try put(transaction, rows.key(rank: keys.next(rows: rows.count)), &work)
    }
    for _ in 0..<spec.deletes where rows.count > 0 {
      let key = rows.remove(rank: keys.next(rows: rows.count))
      try delete(transaction, key, state, &work)
    }
    for _ in 0..<spec.reads where rows.count > 0 {
      let key = rows.key(rank: keys.next(rows: rows.count))
      let found = try transaction.read(table, key) { work.touched &+= readEveryByte(of: $0) }
      try state.expect(found, key)
      work.operations += 1
      latencies.recordRead()
    }
  }

  /// Reloads the table: deletes all rows, oldest first, and inserts as many as it began with, in the same transaction or in
  /// the next one, when it is empty.
  private mutating func reload(
    _ reload: WriterSpec.Reload, _ transaction: any EngineTransaction, _ state: TableState,
    _ rows: inout KeySet, _ work: inout CommittedWork
  ) throws(EngineError) {
    let wasEmpty = rows.count == 0
    for _ in 0..<rows.count {
      try delete(transaction, rows.remove(rank: 0), state, &work)
    }
    guard wasEmpty || reload == .inOneTransaction else { return }
    for _ in 0..<state.spec.rows { try put(transaction, rows.appendNext(), &work) }
  }

  private mutating func delete(
    _ transaction: any EngineTransaction, _ key: Int64, _ state: TableState,
    _ work: inout CommittedWork
  ) throws(EngineError) {
    let found = try transaction.delete(table, key)
    try state.expect(found, key)
    work.operations += 1
    latencies.recordWrite()
  }

  private mutating func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ work: inout CommittedWork
  ) throws(EngineError) {
    let value = values.next()
    try transaction.put(table, key, value)
    work.operations += 1
    work.requestedBytes += MemoryLayout<Int64>.size + value.count
    latencies.recordWrite()
  }

  /// Executes one transaction's operations, and then scans. Scans run in a snapshot, and so see the version before this
  /// transaction.
  mutating func operateAndScan(
    _ transaction: any EngineTransaction, _ state: TableState, _ session: any EngineSession,
    _ name: String, _ work: inout CommittedWork
  ) throws(EngineError) {
    try operate(transaction, state, &state.keys, &work)
    let snapshot = try session.beginSnapshot(label: "\(name) scanning")
    defer { snapshot.end() }
    for _ in 0..<spec.scans where state.keys.count > 0 {
      let key = state.keys.key(rank: keys.next(rows: state.keys.count))
      _ = try snapshot.scan(table, from: key, limit: spec.scanLength) { _, bytes in
        work.touched &+= readEveryByte(of: bytes)
      }
      work.operations += 1
    }
  }
}
