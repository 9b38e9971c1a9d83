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

  private struct Launches {
    var namesPhases = false
    var windows: [MixWindows] = []
    var commit = CommitMix()
    var openSnapshots = 0
    var greatestKeys: [Int: Int64] = [:]
    var isLoading = false
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

  package mutating func add(_ record: TraceRecord) {
    switch record.operation {
    case .launch: current?.windows.append(MixWindows())
    case .phase:
      current?.isLoading = record.text == TraceMeasurement.loadPhase
      if record.text != TraceMeasurement.loadPhase { current?.namesPhases = true }
    case .put:
      current?.commit.add(.puts)
      current?.commit.add(.bytes, Double(record.size))
      if record.key > current?.greatestKeys[record.table] ?? .min {
        current?.greatestKeys[record.table] = record.key
        current?.commit.add(.appends)
      }
    case .delete: current?.commit.add(.deletes)
    case .read: current?.commit.add(.reads)
    case .commit where current?.isLoading == true: current?.commit = CommitMix()
    case .rollBack: current?.commit = CommitMix()
    case .snapshot: current?.openSnapshots += 1
    case .end: current?.openSnapshots -= 1
    case .sample: current?.isLoading = false
    case .enter: endCommit()
    default: break
    }
  }

  /// Ends the last trace.
  package mutating func finish() { endTrace() }

  private mutating func endCommit() {
    guard var launches = current else { return }
    current = nil
    launches.commit.add(.snapshots, Double(launches.openSnapshots))
    launches.commit.endCommit()
    if launches.windows.isEmpty { launches.windows.append(MixWindows()) }
    launches.windows[launches.windows.count - 1].add(launches.commit)
    launches.commit = CommitMix()
    current = launches
  }

  private mutating func endTrace() {
    guard let launches = current else { return }
    current = nil
    guard !launches.namesPhases else { return segments.append(nil) }
    var found: [[Segment]] = []
    for (number, windows) in launches.windows.enumerated() {
      found.append(
        windows.segments(seed: UInt64(number)).map {
          Segment(firstCommit: $0.firstCommit, name: name(of: $0.mix))
        })
    }
    segments.append(found)
  }

  /// Returns the name of the first segment with such a mix, of any trace and launch.
  private mutating func name(of mix: CommitMix) -> String {
    if let known = names.first(where: { $0.mix.isClose(to: mix) }) { return known.name }
    names.append(("part-\(names.count + 1)", mix))
    return names[names.count - 1].name
  }
}
