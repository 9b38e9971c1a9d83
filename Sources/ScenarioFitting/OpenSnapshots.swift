// The snapshots that are open at a moment of a trace, and the sketches to which their ends go.
import TraceFormat

struct OpenSnapshots {
  private struct Snapshot {
    var holder: Holder
    var phase: Int
    var instance: Int
    var firstCommit: Int
    var reads = 0
    var scans = 0
    var scanLength = 0
    var table = 0
  }

  /// A snapshot that ended at the latest commit: with its phase, if no commit of the phase follows.
  private struct Ended {
    var snapshot: Snapshot
    var commit: Int
  }

  /// Snapshots of so many holders of a phase are told apart; all others are of one.
  static let maxHolders = 64

  private var open: [Int: Snapshot] = [:]
  private var ended: [Ended] = []
  /// Those that began since the latest commit: they are of the phase of the next one, which may be another phase where a trace
  /// names none.
  private var fresh: [Int] = []

  /// Where in the trace a snapshot begins or ends.
  struct Position {
    /// The index of the phase; nil between phases.
    var phase: Int?
    /// A number for each phase of each launch.
    var instance: Int
    /// Commits of the trace so far, and before the phase.
    var commits: Int
    var firstCommit: Int
  }

  mutating func begin(_ record: TraceRecord, at position: Position) {
    guard let phase = position.phase else { return }
    open[record.number] = Snapshot(
      holder: Holder(record.text), phase: phase, instance: position.instance,
      firstCommit: position.commits)
    fresh.append(record.number)
  }

  /// Counts the snapshots that began since the latest commit as taken in the phase of `position`.
  private mutating func countFresh(at position: Position, _ phases: inout [MeasuredPhase]) {
    guard !fresh.isEmpty else { return }
    let numbers = fresh
    fresh.removeAll(keepingCapacity: true)
    guard let phase = position.phase else { return }
    for number in numbers {
      guard let snapshot = open[number] else { continue }
      take(snapshot.holder, number, phase, position, &phases)
      open[number]?.reads = snapshot.reads
      open[number]?.scans = snapshot.scans
      open[number]?.scanLength = snapshot.scanLength
      open[number]?.table = snapshot.table
    }
  }

  private mutating func take(
    _ holder: Holder, _ number: Int, _ phase: Int, _ position: Position,
    _ phases: inout [MeasuredPhase]
  ) {
    var holder = holder
    let isKnown = phases[phase].pins[holder.name] != nil
    if !isKnown, phases[phase].pins.count >= Self.maxHolders { holder.name = "others" }
    phases[phase].pins[holder.name, default: PinSketch()].take(
      at: position.commits - position.firstCommit, number: holder.number)
    open[number] = Snapshot(
      holder: holder, phase: phase, instance: position.instance, firstCommit: position.commits)
  }

  mutating func read(_ record: TraceRecord) {
    guard var snapshot = open[record.number] else { return }
    if record.operation == .scan {
      snapshot.scans += 1
      snapshot.scanLength = max(snapshot.scanLength, record.size)
    } else {
      snapshot.reads += 1
    }
    snapshot.table = record.table
    open[record.number] = snapshot
  }

  /// Ends the snapshot, and takes another one of the same holder.
  mutating func refresh(
    _ record: TraceRecord, at position: Position, _ phases: inout [MeasuredPhase]
  ) {
    guard let holder = open[record.number]?.holder else { return }
    end(record, at: position, &phases)
    guard let phase = position.phase else { return }
    open[record.number] = Snapshot(
      holder: holder, phase: phase, instance: position.instance, firstCommit: position.commits)
    fresh.append(record.number)
  }

  mutating func end(
    _ record: TraceRecord, at position: Position, _ phases: inout [MeasuredPhase]
  ) {
    if fresh.contains(record.number) { countFresh(at: position, &phases) }
    guard let snapshot = open.removeValue(forKey: record.number) else { return }
    let age = position.commits - snapshot.firstCommit
    if snapshot.instance == position.instance, position.phase != nil {
      ended.append(Ended(snapshot: snapshot, commit: position.commits))
    } else if position.phase == nil {
      add(snapshot, .withLaunch, age: age, &phases)
    } else {
      phases[snapshot.phase].crossingPins += 1
      add(snapshot, .withPhase, age: age, &phases)
    }
  }

  /// The next commit was made: what ended before it ended while its phase went on. `position` is that before the commit.
  mutating func advance(at position: Position, _ phases: inout [MeasuredPhase]) {
    countFresh(at: position, &phases)
    guard !ended.isEmpty else { return }
    for end in ended {
      add(end.snapshot, .inPhase, age: end.commit - end.snapshot.firstCommit, &phases)
    }
    ended.removeAll(keepingCapacity: true)
  }

  /// The phase ended: what ended since its latest commit ended with it, unless it was taken after that commit.
  ///
  /// - Parameter isOver: whether snapshots that began since that commit are of this phase, and not of the next.
  mutating func endPhase(
    at position: Position, isOver: Bool, _ phases: inout [MeasuredPhase]
  ) {
    if isOver { countFresh(at: position, &phases) }
    for end in ended {
      let age = end.commit - end.snapshot.firstCommit
      add(end.snapshot, age > 0 ? .withPhase : .inPhase, age: age, &phases)
    }
    ended.removeAll(keepingCapacity: true)
  }

  /// A phase begins that a trace does not name, where the mix of operations changed: what is open is held in it from its
  /// beginning, as if it were taken anew.
  mutating func carryOver(to position: Position, _ phases: inout [MeasuredPhase]) {
    guard let phase = position.phase else { return }
    for (number, snapshot) in open.sorted(by: { $0.key < $1.key }) where !fresh.contains(number) {
      add(snapshot, .withPhase, age: position.commits - snapshot.firstCommit, &phases)
      take(snapshot.holder, number, phase, position, &phases)
    }
  }

  private func add(
    _ snapshot: Snapshot, _ end: PinSketch.End, age: Int, _ phases: inout [MeasuredPhase]
  ) {
    phases[snapshot.phase].pins[snapshot.holder.name]?.read(
      rows: snapshot.reads, scans: snapshot.scans, scanLength: snapshot.scanLength,
      table: snapshot.table)
    phases[snapshot.phase].pins[snapshot.holder.name]?.end(end, age: age)
  }
}

/// The holder of snapshots by their label: a name, and the number of one among several.
struct Holder: Hashable, Sendable {
  var name: String
  /// 0 for the only one.
  var number: Int

  /// Reads a label such as `reader`, `line 3` or `jobs on jobs.2`, which names the queue of a job.
  init(_ label: String) {
    let owner = label.firstRange(of: " on ").map { label[..<$0.lowerBound] } ?? label[...]
    let digits = owner.reversed().prefix { $0.isASCII && $0.isNumber }.count
    number = Int(owner.suffix(digits)) ?? 0
    var stem = owner.dropLast(digits)
    while let last = stem.last, " .-#".contains(last) { stem.removeLast() }
    name = stem.isEmpty ? "snapshots" : String(stem)
  }
}
