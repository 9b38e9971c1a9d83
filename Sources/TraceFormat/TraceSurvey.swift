// One pass over a whole trace, which checks it to its last byte and counts its contents. A replay surveys first, so that a
// damaged trace is refused before anything runs.
package import SystemIO

package struct TraceSurvey: Sendable {
  package struct Phase: Sendable, Hashable {
    package var name: String
    package var launch: Int
    /// The number of commits that the run counted in it.
    package var commits = 0
  }

  package let header: TraceHeader
  package let totals: TraceTotals
  package private(set) var operations: [TraceOperation: Int] = [:]
  /// In the order in which they began, without `load`, which fills the tables.
  package private(set) var phases: [Phase] = []
  package private(set) var launches = 0
  package private(set) var threads = 0
  /// The time from the first record to the last, in microseconds of the trace's clock.
  package private(set) var span = 0
  /// The sum of the times between launches, in microseconds.
  package private(set) var gaps = 0
  /// The greatest number of snapshots open at once.
  package private(set) var maxSnapshots = 0
  /// The smallest and greatest size of the values put into each table; nil where none was put.
  package private(set) var sizes: [Int: ClosedRange<Int>] = [:]

  package init(of path: FilePath) throws(TraceError) {
    let reader = try TraceReader(path)
    header = reader.header
    totals = reader.totals
    var seen: Set<Int> = []
    var open = 0
    while let record = try reader.next() {
      operations[record.operation, default: 0] += 1
      seen.insert(record.thread)
      switch record.operation {
      case .launch:
        launches += 1
        if launches > 1 { gaps += record.time - span }
      case .phase where record.text != "load":
        phases.append(Phase(name: record.text, launch: launches))
      case .enter where !phases.isEmpty: phases[phases.count - 1].commits += 1
      case .put:
        let known = sizes[record.table] ?? record.size...record.size
        sizes[record.table] =
          min(known.lowerBound, record.size)...max(known.upperBound, record.size)
      case .snapshot:
        open += 1
        maxSnapshots = max(maxSnapshots, open)
      case .end: open -= 1
      default: break
      }
      span = record.time
    }
    threads = seen.count
  }
}
