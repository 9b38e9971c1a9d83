// The clients of a scenario that hold snapshots: readers that hold one as long as their phase, observers that stall, pins with
// lifetimes; and what reads without holding anything.
import Generators
import MetricModel
import ScenarioModel

/// What one holder did in one phase, as clients.
struct PinFit {
  let holder: String
  let sketch: PinSketch
  /// Commits of clients in the phase, in each launch on average.
  let commits: Int
  /// The time of the phase in all launches, in seconds.
  let seconds: Double
  let tables: [String]

  /// The clients by the name that is added to the holder's.
  var clients: [(suffix: String, kind: ClientSpec.Kind, evidence: [String])] {
    var found: [(String, ClientSpec.Kind, [String])] = []
    if let brief {
      found.append((sketch.held + sketch.leaked > 0 ? "-brief" : "", brief, [briefEvidence]))
    }
    if sketch.leaked > 0 {
      found.append(
        (
          sketch.held > 0 ? "-leaked" : "", .pins(leaks),
          [taking(sketch.leaked), "none ended before the launch did"]
        ))
    }
    if sketch.held > 0 { found.append(("", heldKind, [taking(sketch.held)] + heldEvidence)) }
    return found
  }

  private var table: String {
    tables.indices.contains(sketch.table) ? tables[sketch.table] : tables[0]
  }
  private var reads: Int { min(100_000, sketch.reads.rounded) }
  private var fit: LifetimeFit {
    LifetimeFit(lives: sketch.lifetimes.values, cut: sketch.cut.values.map { max(1, $0) })
  }

  // MARK: Held as long as the phase

  /// Whether all were taken when the phase began, and ended with it. Where a phase has no name in the trace, its bounds are
  /// known within a few commits.
  private var isWholePhase: Bool {
    sketch.moments == sketch.instances && sketch.firstOffsets.mean <= 1 + 0.05 * Double(commits)
      && sketch.lifetimes.values.allSatisfy { 10 * $0 >= 9 * commits }
  }

  /// Those that ended with the phase and were held far longer than any other: an observer that stalls.
  private var stalled: [Int] {
    let longest = sketch.lifetimes.values.max() ?? 0
    return sketch.cut.values.filter { $0 > 4 * longest + 8 }
  }

  /// Commits that are made while a callback runs, if the snapshots are those of observers: each takes the newest version
  /// before it releases its own, as soon as its callback returned and a commit was made. So a version is held from one
  /// delivery to the next, and with callbacks to the end of the one after.
  private var callback: Int? {
    guard sketch.lifetimes.count > 10, sketch.intervals.count > 10 else { return nil }
    var life = Moments()
    for commits in sketch.lifetimes.values { life.add(commits) }
    // A fixed lifetime is that of pins, and means the same.
    guard sketch.numbers.count > 1 || !stalled.isEmpty, life.mean < 100 else { return nil }
    let interval = sketch.intervals.mean
    if interval <= 1.5, life.mean <= 1.5 { return 0 }
    return abs(life.mean / interval - 2) <= 0.3 ? max(1, Int(interval.rounded()) - 1) : nil
  }

  private var heldKind: ClientSpec.Kind {
    if isWholePhase, sketch.held == sketch.instances {
      return .reader(ReaderSpec(table: table, reads: reads))
    }
    if let callback { return .observers(observers(callback)) }
    var spec = pins(taken: sketch.held)
    spec.lifetime = isWholePhase ? .fixed(commits: max(1, commits)) : fit.lifetime
    return .pins(spec)
  }

  private var heldEvidence: [String] {
    if isWholePhase { return ["all held from the phase's beginning to its end"] }
    return ["lifetimes: \(fit.evidence)"]
  }

  private func observers(_ callback: Int) -> ObserverSpec {
    var spec = ObserverSpec(
      table: table, observers: min(1000, max(1, sketch.numbers.count)), callbackCommits: callback,
      reads: reads)
    var age = Moments()
    for life in stalled { age.add(life) }
    if age.count > 0 { spec.stallsAfterCommits = max(1, commits - age.rounded) }
    return spec
  }

  // MARK: Pins

  private var leaks: PinsSpec {
    var spec = pins(taken: sketch.leaked)
    spec.lifetime = .never
    return spec
  }

  private func pins(taken: Int) -> PinsSpec {
    let once = max(1, commits)
    let every = sketch.intervals.count > 0 ? sketch.intervals.mean : Double(once)
    // Where only some of the snapshots are meant, they come as seldom.
    let scaled = every * Double(sketch.taken) / Double(max(1, taken))
    let atOnce = Double(sketch.taken) / Double(max(1, sketch.moments))
    return PinsSpec(
      table: table, takeEveryCommits: min(1_000_000, max(1, Int(scaled.rounded()))),
      atOnce: min(1000, max(1, Int(atOnce.rounded()))), lifetime: .never, reads: reads)
  }

  private func taking(_ count: Int) -> String {
    let every =
      sketch.intervals.count > 0
      ? ", at every \(Notation.decimal(sketch.intervals.mean, 1)) commits"
        + " (sd \(Notation.decimal(sketch.intervals.deviation, 1)))"
      : ""
    return
      "\(Notation.counted(count, "snapshot")) of \"\(holder)\" in \(Notation.counted(sketch.instances, "phase"))\(every)"
  }

  // MARK: Snapshots that nothing was committed under

  private var brief: ClientSpec.Kind? {
    // A few of many that are held were taken after the phase's last commit.
    guard 5 * sketch.brief > sketch.held + sketch.leaked, commits > 0 else { return nil }
    let perCommit = Double(sketch.brief) / Double(max(1, commits * max(1, sketch.instances)))
    if sketch.scans.sum == 0, perCommit <= 1 {
      return .queues(
        QueueSpec(
          table: table, queues: 1, jobEveryCommits: min(1_000_000, Int((1 / perCommit).rounded())),
          reads: reads, release: .atEndOfBlock))
    }
    let scans = min(1000, sketch.scans.rounded)
    guard reads + scans > 0, seconds > 0 else { return nil }
    let rate = min(1e6, Double(sketch.brief) / seconds)
    return .lookups(
      LookupSpec(
        table: table, reads: reads, scans: scans,
        scanLength: min(1_000_000, max(1, sketch.scanLengths.rounded)),
        load: LoadSpec(rate: .perSecond(rate))))
  }

  private var briefEvidence: String {
    "\(Notation.counted(sketch.brief, "snapshot")) of \"\(holder)\", each ended before the next commit"
  }
}
