// The kinds of workloads that are crashed. Files are small, so that thousands of crash states are made and opened in
// seconds, and so are the thresholds, so that growth, compaction and bulk commits all happen.
import TestSupport

@testable import StorageEngine

/// One step of a life.
enum LifeStep: Sendable {
  case commit([RowChange])
  /// `compact(encryption:)`: a copy replaces the file, perhaps with another key.
  case compact(CopyEncryption)
  /// Idle compaction, as far as it can proceed.
  case idle
  /// Closed and opened again, with the result of the predicate at launch.
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
  /// Most rows are deleted, so that automatic compaction moves the rest and truncates the file.
  case compaction
  /// The same, with idle compaction.
  case idling
  /// Snapshots come and go, so that freed blocks are pinned.
  case snapshots
  /// The same with the other rule of reclamation.
  case oldestReader
  /// Savepoints are made and dropped, and snapshots of them held, so that freed blocks stay pinned across closing and
  /// crashing.
  case savepoints
  /// Values in blocks of their own, up to many pages.
  case bigValues
  /// A copy replaces the file every few commits.
  case replacing
  /// Closed and opened every few commits, and every other time compacted at that.
  case relaunching
  /// As `compaction`, with the preset that works only while no snapshot is open; a snapshot stops it now and then.
  case documented
  /// As `compaction`, with the preset that truncates at the next opening, which happens now and then.
  case realmCompatible
  /// A copy replaces the file under another key: plain, encrypted, with another key, plain again.
  case rekeying

  var options: DatabaseOptions {
    var options = DatabaseOptions(growthStep: 32 << 10)
    options.automaticCompaction = AutomaticCompaction(
      minimumFile: 32 << 10, minimumLimit: 8 << 10, backOffCommits: 2, maxTruncationBytes: 24 << 10)
    switch self {
    case .bulk:
      options.verifiedCommitLimit = 12 << 10
      // Written as a load of very many rows is.
      options.longCommitThreshold = 0
    case .oldestReader: options.reclamation = .oldestReader
    // Copies as those of large files are written.
    case .relaunching, .rekeying: options.longCopyThreshold = 0
    case .documented: options.automaticCompaction?.take(.documented)
    case .realmCompatible:
      options.allocation = .exactOrTwice
      options.automaticCompaction?.take(.realmCompatible)
      // Otherwise closing would truncate what the next opening is to truncate.
      options.trimsOnClose = false
    default: break
    }
    return options
  }

  /// What step `number` of a life does.
  func step(_ number: Int, on rows: RowModel, _ random: inout SeededRandom) -> LifeStep {
    switch (self, number % 4) {
    case (.replacing, 3): .compact(.same)
    case (.idling, 1) where number > 4: .idle
    case (.relaunching, 3), (.savepoints, 3): .relaunch(compacts: number % 8 == 3)
    case (.realmCompatible, 3) where number % 12 == 11: .relaunch(compacts: false)
    case (.rekeying, 1): .compact(Self.keys[number / 4 % Self.keys.count])
    case (.rekeying, 3): .relaunch(compacts: number % 8 == 3)
    default: .commit(changes(of: number, on: rows, &random))
    }
  }

  /// Key, another key, none, and so on.
  private static let keys: [CopyEncryption] = [
    .key(EncryptionKey((0..<64).map { UInt8($0) })),
    .key(EncryptionKey((0..<64).map { UInt8($0 * 3) })), .none,
  ]

  /// How many snapshots may be open after step `number`.
  func maxSnapshots(after number: Int) -> Int {
    switch self {
    case .snapshots, .oldestReader, .savepoints: 4
    case .documented: number % 10 >= 7 ? 1 : 0
    default: 0
    }
  }

  /// Returns the changes of commit `number`, given the present rows.
  func changes(
    of number: Int, on rows: RowModel, _ random: inout SeededRandom
  ) -> [RowChange] {
    switch self {
    case .relaunching:
      let changes = mixed(1 + random.below(6), sizes: 0..<300, &random)
      // Inserted and deleted just before closing, which then has something to truncate.
      switch number % 8 {
      case 5: return changes + [RowChange(key: 500, value: random.bytes(60_000))]
      case 6: return changes + [RowChange(key: 500, value: nil)]
      default: return changes
      }
    case .mixed, .snapshots, .oldestReader, .replacing, .rekeying:
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
    case .compaction, .idling, .documented, .realmCompatible:
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

  /// Inserts, then deletes nine rows in ten, then makes small changes, repeatedly.
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
    // Whether a closing finds the file's end free depends on where the last commit put its nodes: so, a few closings.
    case .relaunching: 40
    case .replacing, .compaction, .documented, .realmCompatible, .rekeying: 30
    case .idling: 16
    default: 42
    }
  }
}

extension CrashWorkload {
  /// The events that this kind of workload exists for and that have not happened.
  func undone(by life: CrashLife) -> [String] {
    func missing(_ cutter: CrashLife.Cutter) -> [String] {
      life.truncations[cutter, default: 0] > 0 ? [] : ["the file was never cut by \(cutter)"]
    }
    let replaced = life.replacements > 1 ? [] : ["no copy replaced the file twice"]
    return switch self {
    case .compaction, .documented: missing(.commit)
    case .idling: missing(.idling)
    case .realmCompatible: missing(.opening)
    case .replacing: replaced
    case .relaunching: replaced + missing(.closing)
    case .rekeying: life.rekeyings >= 3 ? [] : ["the key changed \(life.rekeyings) times"]
    case .mixed, .growth, .bulk, .snapshots, .oldestReader, .savepoints, .bigValues: []
    }
  }
}

extension AutomaticCompaction {
  /// The preset's access and truncation, with these thresholds.
  fileprivate mutating func take(_ preset: AutomaticCompaction) {
    (access, truncation, minPartialTruncation) = (
      preset.access, preset.truncation, preset.minPartialTruncation
    )
  }
}
