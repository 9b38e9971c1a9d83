// The snapshots that one holder took in one phase: how often, how many at once, and how long each was held, in commits.

struct PinSketch: Sendable {
  static let maxNumbers = 1000

  /// How a snapshot ended.
  enum End: Sendable {
    /// While its phase went on.
    case inPhase
    /// With its phase: it would have been held longer.
    case withPhase
    /// After its phase, with its launch.
    case withLaunch
  }

  /// Phases of launches in which the holder took a snapshot.
  private(set) var instances = 0
  private(set) var taken = 0
  /// Holders of this name that differ by a number, as many as are told apart.
  private(set) var numbers: Set<Int> = []
  /// Commits at which snapshots were taken, and the distances between two of one phase.
  private(set) var moments = 0
  private(set) var intervals = Moments()
  /// Commits of the phase before the first snapshot.
  private(set) var firstOffsets = Moments()
  /// Snapshots that ended before the next commit.
  private(set) var brief = 0
  /// The lifetimes of those that ended while their phase went on.
  private(set) var lifetimes = Reservoir()
  /// The ages of those that ended with their phase.
  private(set) var cut = Reservoir()
  private(set) var leaked = 0
  private(set) var reads = Moments()
  private(set) var scans = Moments()
  private(set) var scanLengths = Moments()
  private(set) var tables: [Int: Int] = [:]
  private var lastMoment: Int?

  /// Begins another phase of a launch in which the holder may take snapshots.
  mutating func beginInstance() { lastMoment = nil }

  /// Adds a snapshot that the holder of this number took `offset` commits after the phase began.
  mutating func take(at offset: Int, number: Int) {
    taken += 1
    if numbers.count < Self.maxNumbers { numbers.insert(number) }
    guard offset != lastMoment else { return }
    moments += 1
    if let lastMoment {
      intervals.add(offset - lastMoment)
    } else {
      instances += 1
      firstOffsets.add(offset)
    }
    lastMoment = offset
  }

  /// Adds the end of a snapshot after `age` commits.
  mutating func end(_ end: End, age: Int) {
    switch end {
    case .withLaunch: leaked += 1
    case .inPhase where age == 0: brief += 1
    case .inPhase: lifetimes.add(age)
    case .withPhase: cut.add(age)
    }
  }

  /// Adds what was read in a snapshot.
  mutating func read(rows: Int, scans: Int, scanLength: Int, table: Int) {
    reads.add(rows)
    self.scans.add(scans)
    if scans > 0 { scanLengths.add(scanLength) }
    tables[table, default: 0] += 1
  }

  /// The table that is read most.
  var table: Int { tables.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0 }
  var held: Int { lifetimes.count + cut.count }
}
