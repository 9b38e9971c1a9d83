// The phase that a trace is in, until it ends: its commits go to what was measured of the phase in all launches.
import MetricModel

/// The phase that a trace is in.
struct ActivePhase {
  let phase: Int
  let firstCommit: Int
  var instance: MeasuredPhase.Instance
  /// The time of the phase's beginning, or of its latest commit.
  var lastTime: Int
  private var leading = LeadingChanges()
  private var isLeading = true
  private var firstTime: Int?
  private var numbers: [Int: Int] = [:]

  init(phase: Int, launch: Int, firstCommit: Int, time: Int) {
    self.phase = phase
    self.firstCommit = firstCommit
    instance = MeasuredPhase.Instance(launch: launch)
    lastTime = time
  }

  /// Adds a commit.
  mutating func add(
    _ parts: [TransactionPart], at time: Int, _ tables: [TrackedTable],
    _ measured: inout MeasuredPhase
  ) {
    if isLeading {
      if leading.add(parts) {
        lastTime = time
        return
      }
      endLeading(isFollowed: true, rows: tables.map(\.rows.count), &measured)
    }
    if firstTime == nil {
      firstTime = time
      instance.idle = VirtualTime(microseconds: max(0, time - lastTime))
    }
    if let firstTime { instance.span = VirtualTime(microseconds: time - firstTime) }
    lastTime = time
    if parts.count > 1 { measured.dividedTransactions += 1 }
    for part in parts {
      instance.commits += 1
      measured.work.add(part.shape, part.rows, sizes: part.sizes)
      let table = part.shape.table
      numbers[table, default: 0] += 1
      measured.waves[table, default: RowWave()].add(
        change: part.rowsAfter - part.rowsBefore, rows: part.rowsAfter, number: numbers[table] ?? 0)
    }
  }

  /// Decides whether the commits so far, which only deleted or inserted again, are a change before the clients run.
  mutating func endLeading(isFollowed: Bool, rows: [Int], _ measured: inout MeasuredPhase) {
    guard isLeading else { return }
    isLeading = false
    if let change = leading.change(isFollowed: isFollowed, rows: rows) {
      instance.change = change
    } else {
      measured.work.merge(leading.work)
      instance.commits += leading.commits
    }
  }
}
