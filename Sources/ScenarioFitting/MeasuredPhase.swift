// What was measured of one phase over all launches and traces.
import MetricModel

struct MeasuredPhase: Sendable {
  /// The phase in one launch.
  struct Instance: Sendable, Equatable {
    var launch: Int
    /// Commits of clients.
    var commits = 0
    /// The time from the phase's first commit of a client to its last.
    var span = VirtualTime.zero
    /// The time before the clients' first commit.
    var idle = VirtualTime.zero
    var change: LeadingChanges.Change?
    var checksReaders = false
  }

  var name: String
  var instances: [Instance] = []
  var work = WorkTable()
  /// By holder.
  var pins: [String: PinSketch] = [:]
  /// By table.
  var waves: [Int: RowWave] = [:]
  /// Transactions on several tables, each of which was counted once for each table.
  var dividedTransactions = 0
  /// Pins that ended in a later phase.
  var crossingPins = 0

  /// Commits of clients in all instances.
  var commits: Int { instances.reduce(0) { $0 + $1.commits } }
}

/// How a table's number of rows went up and down in a phase.
struct RowWave: Sendable {
  private(set) var rows = Moments()
  /// Commits between two changes of direction.
  private(set) var halves = Moments()
  /// Commits that changed the number.
  private(set) var changes = 0
  private var direction = 0
  private var last = 0

  /// Begins another phase of a launch.
  mutating func beginInstance() { (direction, last) = (0, 0) }

  /// Adds a transaction, the `number`-th of its phase, after which there are so many rows.
  mutating func add(change: Int, rows: Int, number: Int) {
    self.rows.add(rows)
    guard change != 0 else { return }
    changes += 1
    if direction != 0, direction != change.signum() {
      halves.add(number - last)
      last = number
    }
    direction = change.signum()
  }
}
