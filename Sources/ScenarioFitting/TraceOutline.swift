// The first pass over traces: where their phases begin. A recorded run names its phases. A trace of an app may not; there a
// phase begins where the mix of operations, or the number of open snapshots, changes.
package import TraceFormat

/// The phases of traces, in the order of the traces and of the launches.
package struct TraceOutline: Sendable {
  struct Segment: Sendable, Equatable {
    /// The commit of the launch, from 0, with which the segment begins.
    var firstCommit: Int
    var name: String
  }

  /// The segments of each launch of a trace; nil for a trace that names its phases.
  private(set) var segments: [[[Segment]]?] = []
  private var names: [(name: String, mix: CommitMix)] = []
  private var current: Launches?

  fileprivate struct Launches {
    var namesPhases = false
    var launches: [LaunchOutline] = []
    var mix = CommitMix()
    var kind = CommitKind()
    /// The holder of each open snapshot, and the commits of the launch before it.
    var snapshots: [Int: (holder: String, first: Int)] = [:]
    var greatestKeys: [Int: Int64] = [:]
    var isLoading = false

    var commits: Int { launches.last?.commits ?? 0 }

    mutating func clear() { (mix, kind) = (CommitMix(), CommitKind()) }
  }

  package init() {}

  /// Begins the next trace.
  package mutating func beginTrace() {
    endTrace()
    current = Launches()
  }

  /// Adds a trace of which it is known that it names its phases, without its records.
  package mutating func addTraceWithPhases() {
    endTrace()
    segments.append(nil)
  }

  package mutating func add(_ record: TraceRecord) { current?.add(record) }

  /// Ends the last trace.
  package mutating func finish() { endTrace() }

  private mutating func endTrace() {
    guard let found = current else { return }
    current = nil
    guard !found.namesPhases else { return segments.append(nil) }
    var launches: [[Segment]] = []
    for (number, launch) in found.launches.enumerated() {
      let bounds = launch.bounds(seed: UInt64(number))
      let ends = bounds.dropFirst() + [launch.commits]
      launches.append(
        zip(bounds, ends).map { first, last in
          Segment(firstCommit: first, name: name(of: launch.mix(from: first, to: last)))
        })
    }
    segments.append(launches)
  }

  /// Returns the name of the first segment with such a mix, of any trace and launch.
  private mutating func name(of mix: CommitMix) -> String {
    if let known = names.first(where: { $0.mix.isClose(to: mix) }) { return known.name }
    names.append(("part-\(names.count + 1)", mix))
    return names[names.count - 1].name
  }
}

extension TraceOutline.Launches {
  fileprivate mutating func add(_ record: TraceRecord) {
    switch record.operation {
    case .launch: launches.append(LaunchOutline())
    case .phase:
      isLoading = record.text == TraceMeasurement.loadPhase
      if !isLoading { namesPhases = true }
    case .sample: isLoading = false
    case .put: put(record)
    case .delete:
      mix.add(.deletes)
      kind.add(.delete, table: record.table)
    case .read:
      mix.add(.reads)
      kind.add(.read, table: record.table)
    case .beginWrite, .rollBack: clear()
    case .snapshot: snapshots[record.number] = (Holder(record.text).name, commits)
    case .end: end(record.number)
    case .refresh:
      let holder = snapshots[record.number]?.holder
      end(record.number)
      if let holder { snapshots[record.number] = (holder, commits) }
    case .enter: count()
    default: break
    }
  }

  private mutating func put(_ record: TraceRecord) {
    mix.add(.puts)
    mix.add(.bytes, Double(record.size))
    let isAppended = record.key > greatestKeys[record.table] ?? .min
    if isAppended {
      greatestKeys[record.table] = record.key
      mix.add(.appends)
    }
    kind.add(isAppended ? .append : .put, table: record.table)
  }

  private mutating func end(_ snapshot: Int) {
    guard let (holder, first) = snapshots.removeValue(forKey: snapshot), !launches.isEmpty else {
      return
    }
    launches[launches.count - 1].add(snapshotOf: holder, since: first)
  }

  private mutating func count() {
    mix.add(.snapshots, Double(snapshots.count))
    mix.endCommit()
    if launches.isEmpty { launches.append(LaunchOutline()) }
    launches[launches.count - 1].add(mix, kind)
    clear()
  }
}
