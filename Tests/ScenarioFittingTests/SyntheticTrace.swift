// Traces of known parameters, as records: what a recorder would write of one app with one thread.
import Generators
import TraceFormat

@testable import ScenarioFitting

struct SyntheticTrace {
  private(set) var header: TraceHeader
  private(set) var records: [TraceRecord] = []
  /// The keys of each table, oldest first.
  private var rows: [[Int64]]
  private var nextKey: [Int64]
  private(set) var commits = 0
  private var time = 0
  private var launches = 0
  private var snapshots = 0
  private var phaseBegin = 0

  init(tables: [String] = ["Item"]) {
    header = TraceHeader(
      origin: .init(
        scenario: "synthetic", arm: "default", engine: "native", engineVersion: "1",
        policy: "never",
        policyRule: "never", program: "a test"),
      tables: tables.map { .init(name: $0, rows: 0) }, clock: .virtual, durable: false,
      sampleEveryCommits: 10, seed: 7)
    rows = tables.map { _ in [] }
    nextKey = tables.map { _ in 0 }
  }

  mutating func append(_ record: TraceRecord) {
    var record = record
    record.time = time
    records.append(record)
  }

  /// Begins a launch `gap` seconds after the one before; the first one loads rows into each table.
  mutating func launch(
    gap: Double = 3600, loading counts: [Int] = [], sizes: SizeDistribution = .fixed(100)
  ) {
    if launches > 0 {
      append(TraceRecord(.close))
      time += Int(gap * 1e6)
    }
    launches += 1
    append(TraceRecord(.launch, number: launches))
    append(TraceRecord(.open))
    guard launches == 1 else { return }
    append(TraceRecord(.phase, text: "load"))
    var chooser = SizeChooser(sizes, seed: 3, label: "load")
    for (table, count) in counts.enumerated() {
      append(TraceRecord(.beginWrite))
      for _ in 0..<count { insert(table, size: chooser.next()) }
      append(TraceRecord(.commit))
    }
    append(TraceRecord(.sample))
  }

  mutating func phase(_ name: String, _ body: (inout SyntheticTrace) -> Void) {
    phaseBegin = commits
    append(TraceRecord(.phase, text: name))
    body(&self)
    append(TraceRecord(.phaseEnd, number: phaseBegin))
  }

  mutating func wait(seconds: Double) { time += Int(seconds * 1e6) }

  /// Makes a transaction `seconds` after the commit before.
  mutating func commit(after seconds: Double = 0.01, _ body: (inout SyntheticTrace) -> Void) {
    append(TraceRecord(.beginWrite))
    let first = records.count
    body(&self)
    let operations = records.count - first
    append(TraceRecord(.commit))
    time += Int(seconds * 1e6)
    commits += 1
    append(TraceRecord(.enter, number: operations, size: 100 * operations))
  }

  mutating func insert(_ table: Int = 0, size: Int = 100) {
    append(TraceRecord(.put, table: table, key: nextKey[table], size: size))
    rows[table].append(nextKey[table])
    nextKey[table] += 1
  }

  /// Inserts a row again that was deleted.
  mutating func reinsert(_ key: Int64, _ table: Int = 0, size: Int = 100) {
    append(TraceRecord(.put, table: table, key: key, size: size))
    rows[table].append(key)
  }

  mutating func update(_ chooser: inout KeyChooser, _ table: Int = 0, size: Int = 100) {
    let key = rows[table][chooser.next(rows: rows[table].count)]
    append(TraceRecord(.put, table: table, key: key, size: size))
  }

  mutating func delete(rank: Int, _ table: Int = 0) {
    append(TraceRecord(.delete, table: table, key: rows[table].remove(at: rank)))
  }

  func count(_ table: Int = 0) -> Int { rows[table].count }

  mutating func snapshot(_ label: String, reads: Int = 0) -> Int {
    snapshots += 1
    append(TraceRecord(.snapshot, number: snapshots, text: label))
    for _ in 0..<reads { append(TraceRecord(.snapshotRead, number: snapshots)) }
    return snapshots
  }

  mutating func end(_ snapshot: Int) { append(TraceRecord(.end, number: snapshot)) }

  /// Closes the database and returns the scenario that is fitted to the trace.
  func fitted() throws(FittingError) -> FittedScenario {
    var trace = self
    trace.append(TraceRecord(.close))
    return try fit([trace])
  }
}

/// Returns the scenario that is fitted to the traces.
func fit(_ traces: [SyntheticTrace]) throws(FittingError) -> FittedScenario {
  var outline = TraceOutline()
  for trace in traces {
    outline.beginTrace()
    for record in trace.records { outline.add(record) }
  }
  outline.finish()
  let measured = TraceMeasurement(outline)
  for trace in traces {
    try measured.beginTrace(trace.header)
    for record in trace.records { try measured.add(record) }
    measured.endTrace()
  }
  return try ScenarioFit.scenario(
    of: measured, named: "synthetic-fitted", sources: ["synthetic.trace"])
}
