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
  /// Draws what rows have besides their bytes; nil for a table without a shape.
  private var parts: PartsChooser?
  /// The number of transactions so far, which determines the row count of an oscillating table.
  private var begun = 0

  init(
    spec: WriterSpec, table: TableIndex, keys: KeyChooser, values: ValueWriter,
    latencies: OperationLatencies, parts: PartsChooser? = nil
  ) {
    self.spec = spec
    self.table = table
    self.keys = keys
    self.values = values
    self.latencies = latencies
    self.parts = parts
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
      while rows.count < count { try insert(transaction, state, &rows, &work) }
      while rows.count > count {
        let key = rows.remove(rank: keys.next(rows: rows.count))
        try delete(transaction, key, state, &work)
      }
    }
    for _ in 0..<spec.inserts { try insert(transaction, state, &rows, &work) }
    for _ in 0..<spec.updates where rows.count > 0 {
      let key = rows.key(rank: keys.next(rows: rows.count))
      try put(transaction, key, state, rows, &work)
    }
    for _ in 0..<spec.deletes where rows.count > 0 {
      let key = rows.remove(rank: keys.next(rows: rows.count))
      try delete(transaction, key, state, &work)
    }
    if spec.appends != nil || spec.removals != nil {
      try changeLists(transaction, state, rows, &work)
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
    for _ in 0..<state.spec.rows { try insert(transaction, state, &rows, &work) }
  }

  /// Appends elements to lists, and then removes elements from their front. An empty list is left as it is.
  private mutating func changeLists(
    _ transaction: any EngineTransaction, _ state: TableState, _ rows: borrowing KeySet,
    _ work: inout CommittedWork
  ) throws(EngineError) {
    for _ in 0..<(spec.appends ?? 0) where rows.count > 0 {
      try state.append(transaction, rows.key(rank: keys.next(rows: rows.count)))
      work.operations += 1
      work.requestedBytes += MemoryLayout<Int64>.size
      latencies.recordWrite()
    }
    for _ in 0..<(spec.removals ?? 0) where rows.count > 0 {
      let key = rows.key(rank: keys.next(rows: rows.count))
      guard try state.removeFirst(transaction, key) else { continue }
      work.operations += 1
      latencies.recordWrite()
    }
  }

  private mutating func delete(
    _ transaction: any EngineTransaction, _ key: Int64, _ state: TableState,
    _ work: inout CommittedWork
  ) throws(EngineError) {
    try state.delete(transaction, key)
    work.operations += 1
    latencies.recordWrite()
  }

  private mutating func insert(
    _ transaction: any EngineTransaction, _ state: TableState, _ rows: inout KeySet,
    _ work: inout CommittedWork
  ) throws(EngineError) {
    let key = rows.appendNext()
    try put(transaction, key, state, rows, &work)
  }

  private mutating func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ state: TableState,
    _ rows: borrowing KeySet, _ work: inout CommittedWork
  ) throws(EngineError) {
    let value = values.next()
    let partBytes = try state.put(transaction, key, value, &parts, among: rows)
    work.operations += 1
    work.requestedBytes += MemoryLayout<Int64>.size + value.count + partBytes
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
