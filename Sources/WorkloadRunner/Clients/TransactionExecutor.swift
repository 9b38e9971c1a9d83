// The operations of a writer's transactions: the loop that everything measured goes through. A structure with all that
// it needs, handed in once for each transaction, because every access to a property of a class is checked.
import EngineInterface
import Generators
import ScenarioModel

struct WriterHand {
  let spec: WriterSpec
  let table: TableIndex
  var keys: KeyChooser
  var values: ValueWriter
  var latencies: OperationLatencies
  /// Transactions that were begun, the clock of an oscillation.
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

  /// Each operation is timed from the end of the one before, so that one look at the clock is enough for each.
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
      let found = try transaction.read(table, key) { work.touched &+= touch($0) }
      try state.expect(found, key)
      work.operations += 1
      latencies.read()
    }
  }

  /// The table anew: all rows go, oldest first, and as many as it began with come, at once or when next it is empty.
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
    latencies.wrote()
  }

  private mutating func put(
    _ transaction: any EngineTransaction, _ key: Int64, _ work: inout CommittedWork
  ) throws(EngineError) {
    let value = values.next()
    try transaction.put(table, key, value)
    work.operations += 1
    work.requestedBytes += MemoryLayout<Int64>.size + value.count
    latencies.wrote()
  }

  /// The same, and scans, which see the version before this transaction: they run in a snapshot of their own.
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
        work.touched &+= touch(bytes)
      }
      work.operations += 1
    }
  }
}
