// Where a launch of a trace without phases changes: at runs of commits of another kind, where a holder of snapshots begins and
// ends, and where the mix of operations changes.

/// What a commit did, coarsely: the kinds of operations on each table, and their number by powers of four.
struct CommitKind: Hashable, Sendable {
  /// For each table: appended 1, put 2, deleted 4, read 8.
  private var operations: [UInt8] = []
  private var magnitude = 0
  private(set) var count = 0

  enum Operation: UInt8 {
    case append = 1
    case put = 2
    case delete = 4
    case read = 8
  }

  mutating func add(_ operation: Operation, table: Int) {
    guard table >= 0, table < Self.maxTables else { return }
    while operations.count <= table { operations.append(0) }
    operations[table] |= operation.rawValue
    count += 1
  }

  /// The kind that it is of, without its exact number of operations.
  var kind: Self {
    var kind = self
    kind.magnitude = (Int.bitWidth - count.leadingZeroBitCount) / 2
    kind.count = 0
    return kind
  }

  /// As many as a scenario may have.
  private static let maxTables = 200
}

/// A launch during the first pass. Memory is bounded by constants, whatever the number of commits.
struct LaunchOutline: Sendable {
  /// Commits of one kind without others between them.
  private struct Run {
    var first: Int
    var commits = 0
    var operations = 0
  }

  /// A holder's snapshots from the first one's beginning to the last one's end.
  private struct Span {
    var first: Int
    var last: Int
  }

  /// Kinds that come again more often are mixed with others. Of more kinds than `maxKinds` only the first are followed.
  private static let maxRuns = 4
  /// Fewer commits of one kind may follow each other by chance.
  private static let minRun = 5
  private static let maxKinds = 64
  private static let maxHolders = 64

  private(set) var commits = 0
  private var operations = 0
  private var windows = MixWindows()
  private var runs: [CommitKind: [Run]] = [:]
  private var latest: CommitKind?
  private var spans: [String: Span] = [:]

  mutating func add(_ mix: CommitMix, _ commit: CommitKind) {
    windows.add(mix)
    let kind = commit.kind
    if runs[kind] != nil || runs.count < Self.maxKinds {
      if latest != kind, runs[kind]?.count ?? 0 <= Self.maxRuns {
        runs[kind, default: []].append(Run(first: commits))
      }
      if let run = runs[kind]?.indices.last {
        runs[kind]?[run].commits += 1
        runs[kind]?[run].operations += commit.count
      }
    }
    latest = kind
    commits += 1
    operations += commit.count
  }

  /// Adds a snapshot of the holder that was open from commit `first` until now.
  mutating func add(snapshotOf holder: String, since first: Int) {
    guard commits > first, spans[holder] != nil || spans.count < Self.maxHolders else { return }
    var span = spans[holder] ?? Span(first: first, last: commits)
    span.first = min(span.first, first)
    span.last = max(span.last, commits)
    spans[holder] = span
  }

  /// Returns the commits with which a segment begins, the first one among them.
  func bounds(seed: UInt64) -> [Int] {
    let exact = Set(runBounds + spanBounds).filter { $0 > 0 && $0 < commits }
    let near = windows.bounds(seed: seed).filter { bound in
      exact.allSatisfy { abs($0 - bound) > 2 * windows.length }
    }
    return ([0] + exact + near).sorted()
  }

  /// The bounds of runs that are no chance: of five commits, or of as many operations as twenty. Runs of one kind that only
  /// single commits of others divide are one run.
  private var runBounds: [Int] {
    let mean = operations / max(1, commits)
    var joined: [(kind: CommitKind, first: Int, end: Int)] = []
    for (kind, run) in orderedRuns
    where run.commits >= Self.minRun || run.operations >= 20 * max(1, mean) {
      let end = run.first + run.commits
      if let last = joined.last, last.kind == kind, run.first - last.end < Self.minRun {
        joined[joined.count - 1].end = end
      } else {
        joined.append((kind, run.first, end))
      }
    }
    // What lies between two runs is a segment too, unless it is too short.
    let ends = zip(joined, joined.dropFirst().map(\.first) + [commits])
      .filter { $1 - $0.end >= Self.minRun }.map(\.0.end)
    return joined.map(\.first) + ends
  }

  /// The runs of kinds that are not mixed with others, in the order of the commits.
  private var orderedRuns: [(kind: CommitKind, run: Run)] {
    runs.filter { $0.value.count <= Self.maxRuns }
      .flatMap { kind, runs in runs.map { (kind, $0) } }.sorted { $0.1.first < $1.1.first }
  }

  /// The bounds of holders' spans that leave out a tenth of the launch.
  private var spanBounds: [Int] {
    spans.values.filter { 10 * ($0.last - $0.first) < 9 * commits }.flatMap { [$0.first, $0.last] }
  }

  /// Returns the mix of the commits from `first` on, up to `last`, as exact as windows are.
  func mix(from first: Int, to last: Int) -> CommitMix { windows.mix(from: first, to: last) }
}
