// What an interrupted recording lacks: the records that end everything it left open, so that the rest can be replayed.

package struct TraceCompletion {
  private var isOpen = false
  private var isClosing = false
  private var isInTransaction = false
  private var snapshots: Set<Int> = []
  private var pins: Set<Int> = []
  private var commits = 0
  /// The commits before the phase under way; nil between phases, and while tables are filled.
  private var phaseStart: Int?
  private var last = TraceRecord(.close)

  package init() {}

  /// Follows one record of the trace.
  package mutating func follow(_ record: TraceRecord) {
    last = record
    switch record.operation {
    case .open: (isOpen, isClosing) = (true, false)
    case .close: isOpen = false
    case .closing: isClosing = true
    case .phase: phaseStart = record.text == "load" ? nil : commits
    case .phaseEnd: phaseStart = nil
    case .beginWrite: isInTransaction = true
    case .commit, .rollBack: isInTransaction = false
    case .enter: commits += 1
    case .snapshot: snapshots.insert(record.number)
    case .end: snapshots.remove(record.number)
    case .pin: pins.insert(record.number)
    case .unpin: pins.remove(record.number)
    default: break
    }
  }

  /// The records that roll back the open transaction, end snapshots, pins and the phase, and close the database, at the
  /// time of the last record.
  package var missing: [TraceRecord] {
    guard isOpen else { return [] }
    var records: [TraceRecord] = []
    if isInTransaction { records.append(TraceRecord(.rollBack)) }
    records += snapshots.sorted().map { TraceRecord(.end, number: $0) }
    records += pins.sorted().map { TraceRecord(.unpin, number: $0) }
    if let phaseStart { records.append(TraceRecord(.phaseEnd, number: phaseStart)) }
    if !isClosing { records.append(TraceRecord(.closing)) }
    records.append(TraceRecord(.close))
    for index in records.indices {
      (records[index].thread, records[index].time) = (last.thread, last.time)
    }
    return records
  }
}
