// The second pass over traces: counts and sketches of what was done in each phase. Memory is bounded by the tables' rows (at
// most 20 M each, about 32 B per row), the phases (200) and the sketches of each, whatever the length of the traces.
import MetricModel
package import TraceFormat

/// Measures traces of one app, one after the other.
package final class TraceMeasurement {
  /// The phase in which a recorded run fills its tables.
  static let loadPhase = "load"
  /// As many as a scenario may have.
  static let maxPhases = 200
  static let maxLaunches = 1000

  /// What was measured of a table over all traces.
  struct Table {
    var name: String
    /// Rows after the first load.
    var initialRows = Moments()
    var loadedSizes = SizeSketch()
    var writtenSizes = SizeSketch()
  }

  private let outline: TraceOutline
  private(set) var header: TraceHeader?
  private(set) var tables: [Table] = []
  private(set) var phases: [MeasuredPhase] = []
  /// The phases in the order in which launches go through them.
  var order: [Int] { phaseOrder.sorted }
  /// The number of launches of each trace.
  private(set) var launches = Moments()
  /// Times between launches, in microseconds, and their logarithms.
  private(set) var gaps = Moments()
  private(set) var gapLogarithms = Moments()
  private(set) var traces = 0
  private(set) var records = 0
  private(set) var commits = 0

  // The trace being read.
  private var tracked: [TrackedTable] = []
  private var snapshots = OpenSnapshots()
  private var transaction: OpenTransaction?
  private var committed: [TransactionPart]?
  private var launch = 0
  private var launchCommits = 0
  /// Whether the rows are known that the tables begin with.
  private var isLoaded = false
  /// The rows before the current transaction, and the greatest key of each table, until then.
  private var before: [(rows: Int, greatestKey: Int64?)] = []
  private var time = 0
  private var phaseOfName: [String: Int] = [:]
  private var phaseOrder = PhaseOrder()
  private var active: ActivePhase?
  private var previous: Int?
  private var instances = 0

  package init(_ outline: TraceOutline) { self.outline = outline }

  /// Begins a trace. Throws if it is not of the same tables as those before.
  package func beginTrace(_ header: TraceHeader) throws(FittingError) {
    if let first = self.header {
      guard first.tables.map(\.name) == header.tables.map(\.name) else {
        throw FittingError(
          .differentTables,
          "the traces have different tables: \(Self.list(first)) and \(Self.list(header)); fit traces of one app only"
        )
      }
    } else {
      self.header = header
      tables = header.tables.map { Table(name: $0.name) }
    }
    traces += 1
    tracked = header.tables.map { _ in TrackedTable() }
    snapshots = OpenSnapshots()
    (launch, launchCommits, time, isLoaded, previous) = (0, 0, 0, false, nil)
  }

  private static func list(_ header: TraceHeader) -> String {
    header.tables.map(\.name).joined(separator: ", ")
  }

  /// Ends a trace.
  package func endTrace() {
    finishTransaction()
    endPhase()
    endLoad()
    launches.add(max(1, launch))
  }

  package func add(_ record: TraceRecord) throws(FittingError) {
    records += 1
    defer { time = record.time }
    switch record.operation {
    case .launch: try beginLaunch(record)
    case .phase: try beginPhase(record)
    case .phaseEnd: endPhase()
    case .sample: endLoad()
    case .beginWrite: beginTransaction()
    case .put, .delete, .read: try change(record)
    case .commit: committed = transaction?.committed(&tracked)
    case .rollBack: transaction?.rollBack(&tracked)
    case .enter: try count(record)
    case .snapshot, .refresh, .end, .snapshotRead, .scan: try observe(record)
    case .checkReaders: active?.instance.checksReaders = true
    case .closing, .close: endPhase()
    case .open, .count, .pin, .unpin: break
    }
    if record.operation == .commit || record.operation == .rollBack { transaction = nil }
  }

  private func change(_ record: TraceRecord) throws(FittingError) {
    guard tracked.indices.contains(record.table) else { return }
    switch record.operation {
    case .put: transaction?.put(record, &tracked[record.table])
    case .delete: transaction?.delete(record, &tracked[record.table])
    default: transaction?.read(record, tracked[record.table])
    }
    guard tracked[record.table].rows.count <= LiveRows.maxRows else {
      throw FittingError(
        .tooLarge,
        "table \(tables[record.table].name) has more than \(Notation.count(LiveRows.maxRows)) rows, and a scenario begins with "
          + "10,000,000 at most; record a smaller database")
    }
  }

  private func beginTransaction() {
    finishTransaction()
    if !isLoaded { before = tracked.map { ($0.rows.count, $0.rows.greatestKey) } }
    transaction = OpenTransaction()
  }

  private func observe(_ record: TraceRecord) throws(FittingError) {
    if record.operation == .snapshot, active == nil, isLoaded, launchCommits == 0 {
      try beginSegment(at: record.time)
    }
    let position = self.position
    switch record.operation {
    case .snapshot: snapshots.begin(record, at: position)
    case .refresh: snapshots.refresh(record, at: position, &phases)
    case .end: snapshots.end(record, at: position, &phases)
    default: snapshots.read(record)
    }
  }

  private var position: OpenSnapshots.Position {
    OpenSnapshots.Position(
      phase: active?.phase, instance: instances, commits: commits,
      firstCommit: active?.firstCommit ?? commits)
  }

  private func beginLaunch(_ record: TraceRecord) throws(FittingError) {
    endPhase()
    if launch > 0 {
      endLoad()
      let gap = record.time - time
      gaps.add(gap)
      gapLogarithms.add(naturalLogarithm(Double(max(1, gap))))
    }
    launch += 1
    launchCommits = 0
    previous = nil
    guard launch <= Self.maxLaunches else {
      throw FittingError(
        .tooLarge,
        "a trace has more than \(Notation.count(Self.maxLaunches)) launches, as many as a scenario may have; record fewer"
      )
    }
  }

  private func beginPhase(_ record: TraceRecord) throws(FittingError) {
    endPhase()
    guard record.text != Self.loadPhase else { return }
    endLoad()
    try begin(record.text, at: record.time)
  }

  /// Begins a phase. One of a name that the launch has had, or whose turn was before in an earlier launch, is another phase.
  private func begin(_ name: String, at time: Int) throws(FittingError) {
    var number = 1
    var found: Int?
    while found == nil {
      let full = number == 1 ? name : "\(name)-\(number)"
      let phase: Int
      if let known = phaseOfName[full] { phase = known } else { phase = try newPhase(full) }
      if phaseOrder.follow(previous, by: phase) { found = phase }
      number += 1
    }
    guard let phase = found else { return }
    previous = phase
    instances += 1
    for holder in phases[phase].pins.keys { phases[phase].pins[holder]?.beginInstance() }
    for table in phases[phase].waves.keys { phases[phase].waves[table]?.beginInstance() }
    active = ActivePhase(phase: phase, launch: max(1, launch), firstCommit: commits, time: time)
  }

  private func newPhase(_ name: String) throws(FittingError) -> Int {
    guard phases.count < Self.maxPhases else {
      throw FittingError(
        .tooLarge,
        "there are more than \(Self.maxPhases) phases, as many as a scenario may have; record fewer launches"
      )
    }
    phases.append(MeasuredPhase(name: name))
    let phase = phaseOrder.append()
    phaseOfName[name] = phase
    return phase
  }

  /// Ends the phase. `isOver` is false where the next commit is of another phase that the trace does not name.
  private func endPhase(isOver: Bool = true) {
    finishTransaction()
    guard var ended = active else { return }
    ended.endLeading(isFollowed: false, rows: rows, &phases[ended.phase])
    snapshots.endPhase(at: position, isOver: isOver, &phases)
    if ended.instance.commits == 0 {
      ended.instance.idle = VirtualTime(microseconds: max(0, time - ended.lastTime))
    }
    phases[ended.phase].instances.append(ended.instance)
    active = nil
  }

  /// The number of rows of each table.
  private var rows: [Int] { tracked.map(\.rows.count) }

  /// The tables have the rows that they begin with.
  private func endLoad() {
    finishTransaction()
    endLoad(tracked.map { ($0.rows.count, $0.rows.greatestKey) })
  }

  private func endLoad(_ found: [(rows: Int, greatestKey: Int64?)]) {
    guard !isLoaded else { return }
    isLoaded = true
    for (index, (rows, greatestKey)) in found.enumerated() {
      tables[index].initialRows.add(rows)
      tracked[index].initialCount = rows
      tracked[index].greatestInitialKey = greatestKey
    }
  }

  /// Takes note of a transaction that the run did not count: of a load.
  private func finishTransaction() {
    guard let parts = committed else { return }
    committed = nil
    for part in parts where !part.sizes.isEmpty {
      for size in part.sizes { tables[part.shape.table].loadedSizes.add(size) }
    }
  }

  private func count(_ record: TraceRecord) throws(FittingError) {
    guard let parts = committed else { return }
    committed = nil
    endLoad(before)
    try beginSegment(at: record.time)
    guard active != nil else { return }
    snapshots.advance(at: position, &phases)
    commits += 1
    launchCommits += 1
    for part in parts {
      for size in part.sizes { tables[part.shape.table].writtenSizes.add(size) }
    }
    guard let phase = active?.phase else { return }
    active?.add(parts, at: record.time, tracked, &phases[phase])
  }

  /// Begins the phase of the next commit, if the trace does not name it.
  private func beginSegment(at time: Int) throws(FittingError) {
    if let segments = outline.segments[traces - 1] {
      let ofLaunch =
        segments.indices.contains(max(1, launch) - 1) ? segments[max(1, launch) - 1] : []
      guard let next = ofLaunch.first(where: { $0.firstCommit == launchCommits }),
        launchCommits > 0 || active == nil
      else { return }
      endPhase(isOver: false)
      try begin(next.name, at: self.time)
      snapshots.carryOver(to: position, &phases)
    } else if active == nil {
      try begin("between-phases", at: self.time)
    }
  }
}
