// The kinds of life that a database leads before it is cut off. Files stay small, so that thousands of crash states
// are made and opened in seconds, and the thresholds small with them, so that growth, compaction and the path for bulk
// commits all happen.
import StorageEngine
import TestSupport

/// One step of a life.
enum LifeStep: Sendable {
  case commit([RowChange])
  /// `compact()`: a copy takes the file's place.
  case compact
  /// Nobody writes, and automatic compaction goes on as far as it can.
  case idle
  /// Closed and opened again, with the answer of the predicate at launch.
  case relaunch(compacts: Bool)

  func rows(after rows: RowModel) -> RowModel {
    guard case .commit(let changes) = self else { return rows }
    return rows.applying(changes)
  }
}

enum CrashWorkload: String, CaseIterable, Sendable {
  /// Inserts, updates and deletes of values of all sizes.
  case mixed
  /// Inserts only: the file grows again and again.
  case growth
  /// Every third commit is too large to be verified at the next open and syncs twice.
  case bulk
  /// Most rows go, so that automatic compaction moves what is left and cuts the file.
  case compaction
  /// The same, while nobody writes.
  case idling
  /// Snapshots come and go, so that freed blocks wait for them.
  case snapshots
  /// The same with the other rule of reclamation.
  case oldestReader
  /// Savepoints are made and dropped, and snapshots of them held, so that freed blocks wait over closing and crashing.
  case savepoints
  /// Values in blocks of their own, up to many pages.
  case bigValues
  /// A copy takes the file's place every few commits.
  case replacing
  /// Closed and opened every few commits, and every other time compacted at that.
  case relaunching

  var options: DatabaseOptions {
    var options = DatabaseOptions(growthStep: 32 << 10)
    options.automaticCompaction = AutomaticCompaction(
      minimumFile: 32 << 10, minimumLimit: 8 << 10, backOffCommits: 2)
    switch self {
    case .bulk: options.verifiedCommitLimit = 12 << 10
    case .oldestReader: options.reclamation = .oldestReader
    default: break
    }
    return options
  }

  /// What step `number` of a life does.
  func step(_ number: Int, on rows: RowModel, _ random: inout SeededRandom) -> LifeStep {
    switch (self, number % 4) {
    case (.replacing, 3): .compact
    case (.idling, 1) where number > 4: .idle
    case (.relaunching, 3), (.savepoints, 3): .relaunch(compacts: number % 8 == 3)
    default: .commit(changes(of: number, on: rows, &random))
    }
  }

  var holdsSnapshots: Bool { self == .snapshots || self == .oldestReader || self == .savepoints }

  /// The changes of commit `number`, given the rows that stand.
  func changes(
    of number: Int, on rows: RowModel, _ random: inout SeededRandom
  ) -> [RowChange] {
    switch self {
    case .mixed, .snapshots, .oldestReader, .replacing, .relaunching:
      return mixed(1 + random.below(6), sizes: 0..<300, &random)
    case .savepoints:
      let changes = mixed(1 + random.below(6), sizes: 0..<300, &random)
      return savepointChanges(changes, on: rows, &random)
    case .growth:
      return (0..<6).map { RowChange(key: Int64(number * 6 + $0), value: random.bytes(400)) }
    case .bulk:
      return mixed(number % 3 == 2 ? 60 : 3, sizes: 100..<500, &random)
    case .bigValues:
      return mixed(1 + random.below(2), sizes: 0..<30_000, &random)
    case .compaction, .idling:
      return compacting(number, rows, &random)
    }
  }

  private func mixed(
    _ count: Int, sizes: Range<Int>, _ random: inout SeededRandom
  ) -> [RowChange] {
    (0..<count).map { _ in
      let key = Int64(random.below(120))
      if random.oneIn(4) { return RowChange(key: key, value: nil) }
      let size = sizes.lowerBound + random.below(sizes.count)
      return RowChange(key: key, value: random.bytes(size))
    }
  }

  /// Fills, then deletes nine rows in ten, then goes on with little steps, over and over.
  private func compacting(
    _ number: Int, _ rows: RowModel, _ random: inout SeededRandom
  ) -> [RowChange] {
    switch number % 30 {
    case 0..<4:
      return (0..<60).map { _ in
        RowChange(key: Int64(random.below(4000)), value: random.bytes(300 + random.below(200)))
      }
    case 4:
      return rows.keys.sorted().compactMap {
        random.oneIn(10) ? nil : RowChange(key: $0, value: nil)
      }
    default:
      let keys = rows.keys.sorted()
      let key = keys.isEmpty ? 0 : keys[random.below(keys.count)]
      return [RowChange(key: key, value: random.bytes(random.below(200)))]
    }
  }
}

extension CrashWorkload {
  /// Steps of the life that is crashed at every operation.
  var stepsToCrash: Int {
    switch self {
    case .bulk: 24
    case .replacing, .relaunching, .compaction: 30
    case .idling: 16
    default: 42
    }
  }
}
