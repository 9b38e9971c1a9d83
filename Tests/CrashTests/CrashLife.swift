// The life of one database on a faulty volume, cut off at every operation: write, resize, sync, create, rename,
// removal, folder sync. Each resulting state is opened and must be exactly the last acknowledged state, or the one that
// was under way. What recovers continues, and is cut off again.
import StorageEngine
import SystemIO
import TestSupport

/// Runs a life of one kind, crashes it at every operation, and collects failures.
final class CrashLife {
  static let file: FilePath = "/rows.db"
  /// Up to so many unsynced changes all subsets are tried: 4096 of them.
  static let maxChangesForAllSubsets = 12

  let workload: CrashWorkload
  let options: DatabaseOptions
  let maxProblems: Int
  private var random: SeededRandom
  private(set) var problems: [String] = []
  /// The steps that were begun: fewer than asked for where problems ended the life.
  private(set) var stepCount = 0
  /// States after a power cut that were recovered, compared, written to again and crashed again.
  private(set) var cuts = 0
  /// States after a power cut in such an afterlife.
  private(set) var secondCuts = 0
  /// States of killed processes, each recovered with power cuts during and after the recovery.
  private(set) var kills = 0
  /// The number of power cuts that left the current step completed.
  private(set) var newerStates = 0
  /// At which operations there was a power cut.
  private(set) var operations: [FaultyVolume.Operation: Int] = [:]
  /// How often all subsets of the unsynced changes were tried, and how often a choice of them.
  private(set) var wholes = 0
  private(set) var choices = 0
  /// The steps of automatic compaction, how often the file got shorter and by what, and how often a copy replaced it.
  private(set) var steps: [CompactionStep] = []
  private(set) var truncations: [Cutter: Int] = [:]
  private(set) var replacements = 0
  private var keys: LifeKeys
  /// How often the key was changed.
  private(set) var rekeyings = 0

  /// What shortens the file.
  enum Cutter { case commit, idling, closing, opening }

  init(
    _ workload: CrashWorkload, seed: UInt64, options: DatabaseOptions? = nil, maxProblems: Int = 5
  ) {
    self.workload = workload
    self.options = options ?? workload.options
    keys = LifeKeys(self.options)
    self.maxProblems = maxProblems
    random = SeededRandom(seed: seed)
  }

  /// Runs the life for `count` steps.
  func run(steps count: Int) {
    do {
      try live(count)
    } catch {
      problems.append("\(workload.rawValue), seed \(random.seed): \(error)")
    }
  }

  private func live(_ count: Int) throws {
    let volume = FaultyVolume()
    var rows: RowModel = [:]
    var database: Database?
    try watch(volume, [rows], "creation") {
      database = try keys.open(Self.file, on: volume)
    }
    var held: [(snapshot: Snapshot, rows: RowModel)] = []
    for number in 0..<count where problems.count < maxProblems {
      stepCount += 1
      let step = workload.step(number, on: rows, &random)
      let next = step.rows(after: rows)
      if case .relaunch = step {
        for holder in held { holder.snapshot.end() }
        held = []
      }
      try watch(volume, [rows, next], "step \(number)") {
        database = try perform(step, database, volume)
      }
      rows = next
      steps += database?.drainEvents() ?? []
      if let database {
        try turnOver(&held, workload.maxSnapshots(after: number), rows, database)
      }
    }
    for holder in held { holder.snapshot.end() }
    try watch(volume, [rows], "close") {
      try noteCut(volume, .closing) { try database?.close() }
    }
  }

  private func noteCut<R>(_ volume: FaultyVolume, _ cutter: Cutter, _ body: () throws -> R) rethrows
    -> R
  {
    let size = volume.file(Self.file)?.size ?? 0
    defer { if volume.file(Self.file)?.size ?? 0 < size { truncations[cutter, default: 0] += 1 } }
    return try body()
  }

  /// Executes one step of the main life. Returns the database to continue with.
  private func perform(
    _ step: LifeStep, _ database: Database?, _ volume: FaultyVolume
  ) throws -> Database? {
    switch step {
    case .commit(let changes): try noteCut(volume, .commit) { try database?.apply(changes) }
    case .compact(let encryption): try compact(database, encryption)
    case .idle: try noteCut(volume, .idling) { _ = try database?.reclaimWhileIdle() }
    case .relaunch(let compacts):
      try noteCut(volume, .closing) { try database?.close() }
      let next = try noteCut(volume, .opening) {
        try keys.open(Self.file, on: volume) { _ in compacts }
      }
      if case .compacted = next.launchOutcome { replacements += 1 }
      return next
    }
    return database
  }

  private func compact(_ database: Database?, _ encryption: CopyEncryption) throws {
    let isOther = keys.begin(encryption)
    guard case .compacted? = try database?.compact(encryption: encryption) else {
      return keys.end(isDone: false)
    }
    keys.end(isDone: true)
    replacements += 1
    if isOther { rekeyings += 1 }
  }

  /// Lets snapshots end and begin; an ending one must still see what it saw.
  private func turnOver(
    _ held: inout [(snapshot: Snapshot, rows: RowModel)], _ most: Int, _ rows: RowModel,
    _ database: Database
  ) throws {
    if held.count < most, random.oneIn(2) { held.append((try database.beginSnapshot(), rows)) }
    while held.count > most || (!held.isEmpty && random.oneIn(3)) {
      let holder = held.remove(at: random.below(held.count))
      let kept = holder.rows.filter { !SavepointRow.isKey($0.key) }
      if try holder.snapshot.rows() != kept { problems.append("a snapshot changed") }
      holder.snapshot.end()
    }
  }

  // MARK: Crashes

  /// Crashes `body` at each of its operations, where the disk may hold any of `allowed`, and after it, where it must
  /// hold the last of them.
  private func watch(
    _ volume: FaultyVolume, _ allowed: [RowModel], _ context: String, _ body: () throws -> Void
  ) throws {
    volume.beforeOperation = { [unowned self] volume, operation, _ in
      operations[operation, default: 0] += 1
      let story = "\(context), before \(operation) \(volume.count(of: operation) + 1)"
      cut(volume, allowed, isBarrier: operation == .sync || operation == .syncFolder, story)
      kill(volume, allowed, story)
    }
    defer { volume.beforeOperation = nil }
    try body()
    cut(volume, Array(allowed.suffix(1)), isBarrier: true, "after \(context)")
    kill(volume, Array(allowed.suffix(1)), "after \(context)")
  }

  /// Cuts the power: at a barrier with every subset of what is pending, or with telling ones where that is too many;
  /// elsewhere with everything, and torn somewhere. The subsets of what is pending elsewhere are among those of the
  /// next barrier.
  private func cut(
    _ volume: FaultyVolume, _ allowed: [RowModel], isBarrier: Bool, _ context: String
  ) {
    guard problems.count < maxProblems else { return }
    let states = volume.crashStates()
    let count = states.changeCount
    if isBarrier {
      if count <= Self.maxChangesForAllSubsets { wholes += 1 } else { choices += 1 }
      for kept in Subsets.telling(of: count, upTo: Self.maxChangesForAllSubsets, &random) {
        let unitSize = random.oneIn(3) ? 4096 : 512
        check(
          states.volume(unitSize: unitSize) { kept[$0] }, allowed,
          "\(context): \(kept.map { $0 ? "1" : "0" }.joined()) of \(count) in \(unitSize) B units")
      }
    } else {
      check(states.volume(unitSize: 512) { _ in true }, allowed, "\(context): all \(count) kept")
    }
    guard count > 0 else { return }
    let torn = states.torn(unitSize: random.oneIn(3) ? 4096 : 512, random: &random)
    check(torn.volume, allowed, "\(context): \(torn.story)")
  }

  /// Opens what a power cut left, compares it, writes to it, and crashes it once more.
  private func check(_ volume: FaultyVolume, _ allowed: [RowModel], _ context: String) {
    guard problems.count < maxProblems else { return }
    cuts += 1
    let story = "\(workload.rawValue), seed \(random.seed): \(context)"
    do {
      guard let (database, index) = try recover(volume, allowed, story) else { return }
      if index > 0 { newerStates += 1 }
      try `continue`(database, volume, allowed[index], story)
    } catch {
      problems.append("\(story): \(error)")
    }
  }

  private func recover(
    _ volume: FaultyVolume, _ allowed: [RowModel], _ story: String
  ) throws -> (Database, Int)? {
    let database = try keys.open(Self.file, on: volume)
    let verdict = try CrashVerdict(database, allowed: allowed)
    guard case .state(let index) = verdict else {
      problems.append("\(story): \(verdict)")
      return nil
    }
    let leftOver = volume.fileNames.filter { $0.hasSuffix(".compacting") }
    if !leftOver.isEmpty { problems.append("\(story): left over: \(leftOver)") }
    return (database, index)
  }

  /// One more commit, cut off at a sync of it or after it.
  private func `continue`(
    _ database: Database, _ volume: FaultyVolume, _ rows: RowModel, _ story: String
  ) throws {
    let changes = workload.changes(of: random.below(30), on: rows, &random)
    let next = rows.applying(changes)
    var isDue = random.oneIn(2)
    volume.beforeOperation = { [unowned self] volume, operation, _ in
      guard operation == .sync, isDue else { return }
      isDue = false
      cutAgain(volume, [rows, next], "\(story), then a commit")
    }
    let isLater = !isDue
    try database.apply(changes)
    volume.beforeOperation = nil
    if isLater { cutAgain(volume, [next], "\(story), then after a commit") }
    try database.close()
  }

  /// One state of a volume that was recovered before: opened and compared.
  private func cutAgain(_ volume: FaultyVolume, _ allowed: [RowModel], _ story: String) {
    guard problems.count < maxProblems else { return }
    secondCuts += 1
    let states = volume.crashStates()
    do {
      if random.oneIn(2) {
        let torn = states.torn(unitSize: random.oneIn(3) ? 4096 : 512, random: &random)
        _ = try recover(torn.volume, allowed, "\(story), \(torn.story)")
      } else {
        let kept = (0..<states.changeCount).map { _ in random.oneIn(2) }
        let volume = states.volume(unitSize: 512) { kept[$0] }
        _ = try recover(volume, allowed, "\(story), \(kept.map { $0 ? "1" : "0" }.joined()) kept")
      }
    } catch {
      problems.append("\(story): \(error)")
    }
  }

  /// Kills the process, which leaves the page cache as it is; recovers, commits, and cuts the power meanwhile.
  private func kill(_ volume: FaultyVolume, _ allowed: [RowModel], _ context: String) {
    guard problems.count < maxProblems else { return }
    kills += 1
    let story = "\(workload.rawValue), seed \(random.seed): \(context): killed"
    let left = volume.afterKill()
    left.beforeOperation = { [unowned self] volume, operation, _ in
      guard operation == .sync || operation == .syncFolder else { return }
      // Until recovery has returned each of the states is right; afterwards only the one that it chose.
      cutAgain(volume, allowed, "\(story), recovering")
    }
    do {
      guard let (database, index) = try recover(left, allowed, story) else { return }
      try `continue`(database, left, allowed[index], story)
    } catch {
      problems.append("\(story): \(error)")
    }
  }
}
