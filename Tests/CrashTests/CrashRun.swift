// One database's life on a faulty disk. Before every sync the run makes crash states, opens each, and asks the one
// question: is this exactly the last acknowledged state, or the one whose commit was under way? What recovers goes on
// living, and is cut off again.
import StorageEngine
import TestSupport

/// Runs a workload, crashing it at every sync, and collects what went wrong.
final class CrashRun {
  let workload: CrashWorkload
  private var random: SeededRandom
  /// Crash states that were opened and checked.
  private(set) var checkedStates = 0
  /// How many of them held the commit that was under way.
  private(set) var newerStates = 0
  private(set) var problems: [String] = []
  /// What automatic compaction did, and how often the file was cut.
  private(set) var compactions: [CompactionStep] = []
  private(set) var cuts = 0

  init(_ workload: CrashWorkload, seed: UInt64) {
    self.workload = workload
    random = SeededRandom(seed: seed)
  }

  /// Commits `commits` times; at each sync, draws `samples` crash states.
  func run(commits: Int, samples: Int) throws {
    let file = FaultyStorageFile()
    file.beforeSync = { self.crash($0, allowed: [[:]], samples: samples, depth: 1, "creation") }
    let database = try Database.open(file: file, options: workload.options)
    file.beforeSync = nil
    var rows: RowModel = [:]
    var held: [(snapshot: Snapshot, rows: RowModel)] = []
    for number in 0..<commits where problems.count < 5 {
      let changes = workload.changes(of: number, on: rows, &random)
      let next = rows.applying(changes)
      let before = rows
      file.beforeSync = {
        self.crash($0, allowed: [before, next], samples: samples, depth: 1, "commit \(number)")
      }
      let size = file.size
      try database.apply(changes)
      file.beforeSync = nil
      rows = next
      if file.size < size { cuts += 1 }
      compactions += database.drainEvents()
      crash(file, allowed: [next], samples: 1, depth: 1, "after commit \(number)")
      if workload.holdsSnapshots { try turnOver(&held, rows, database) }
    }
    for holder in held { holder.snapshot.end() }
    try database.close()
    crash(file, allowed: [rows], samples: samples, depth: 0, "after close")
  }

  /// Lets snapshots end and begin; an ending one must still see what it saw.
  private func turnOver(
    _ held: inout [(snapshot: Snapshot, rows: RowModel)], _ rows: RowModel, _ database: Database
  ) throws {
    if random.oneIn(2), held.count < 4 { held.append((try database.beginSnapshot(), rows)) }
    if random.oneIn(3), !held.isEmpty {
      let holder = held.remove(at: random.below(held.count))
      if try holder.snapshot.rows() != holder.rows { problems.append("a snapshot changed") }
      holder.snapshot.end()
    }
  }

  /// Makes crash states of `file` as it stands and checks each.
  func crash(
    _ file: FaultyStorageFile, allowed: [RowModel], samples: Int, depth: Int, _ place: String
  ) {
    let states = file.crashStates()
    for _ in 0..<samples {
      let loss = CrashStates.Loss.allCases[random.below(CrashStates.Loss.allCases.count)]
      let sample = states.sample(
        loss, unitSize: random.oneIn(3) ? 4096 : 512, random: &random)
      check(sample, allowed: allowed, depth: depth, place)
    }
  }

  /// Opens one crash state, compares it, and lets it live on for one commit and another crash.
  func check(_ sample: CrashStates.Sample, allowed: [RowModel], depth: Int, _ place: String) {
    checkedStates += 1
    let story = "\(workload.rawValue), seed \(random.seed): \(place): \(sample.story)"
    let file = FaultyStorageFile(image: sample.image)
    do {
      let database = try Database.open(file: file, options: workload.options)
      let verdict = try CrashVerdict(database, allowed: allowed)
      guard case .state(let index) = verdict else {
        problems.append("\(story): \(verdict)")
        return
      }
      if index > 0 { newerStates += 1 }
      if depth > 0 { try liveOn(database, file, allowed[index], depth: depth - 1, story) }
      try database.close()
    } catch {
      problems.append("\(story): \(error)")
    }
  }

  private func liveOn(
    _ database: Database, _ file: FaultyStorageFile, _ rows: RowModel, depth: Int, _ story: String
  ) throws {
    let changes = workload.changes(of: random.below(30), on: rows, &random)
    let next = rows.applying(changes)
    file.beforeSync = {
      self.crash($0, allowed: [rows, next], samples: 1, depth: depth, "\(story), then a commit")
    }
    try database.apply(changes)
    file.beforeSync = nil
    crash(file, allowed: [next], samples: 1, depth: depth, "\(story), then after a commit")
    let verdict = try CrashVerdict(database, allowed: [next])
    if case .state = verdict { return }
    problems.append("\(story), committed again: \(verdict)")
  }
}

/// What a recovered database turned out to hold.
enum CrashVerdict: CustomStringConvertible {
  /// Exactly the allowed state of this index, and the audit is clean.
  case state(Int)
  /// None of the allowed states: a lost or a half commit.
  case strange(rows: Int, allowed: [Int])
  /// The right rows in a file that breaks its own rules.
  case unsound([String])

  init(_ database: Database, allowed: [RowModel]) throws(StorageError) {
    let rows = try database.rows()
    guard let index = allowed.firstIndex(of: rows) else {
      self = .strange(rows: rows.count, allowed: allowed.map(\.count))
      return
    }
    let audit = try database.audit()
    var violations = audit.violations
    let usage = database.usage()
    if audit.account != usage { violations.append("audit \(audit.account) but usage \(usage)") }
    if audit.rows != rows.count { violations.append("audit counts \(audit.rows) rows") }
    self = violations.isEmpty ? .state(index) : .unsound(violations)
  }

  var description: String {
    switch self {
    case .state(let index): "state \(index)"
    case .strange(let rows, let allowed):
      "\(rows) rows that are none of the states of \(allowed) rows"
    case .unsound(let violations): violations.joined(separator: "; ")
    }
  }
}
