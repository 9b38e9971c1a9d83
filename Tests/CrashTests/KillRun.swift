// The harder crash: the process dies, the kernel lives. What the next process sees is not yet durable; if it builds on
// it before syncing, a power cut can take both away. So: kill in the middle of a commit, recover on the very same page
// cache, commit, and cut the power in between.
import StorageEngine
import TestSupport

/// Runs a workload, killing it at every sync, with a power cut after each recovery.
final class KillRun {
  let workload: CrashWorkload
  private let cuts: CrashRun
  private var random: SeededRandom
  private var kills = 0
  private var ownProblems: [String] = []

  init(_ workload: CrashWorkload, seed: UInt64) {
    self.workload = workload
    cuts = CrashRun(workload, seed: seed &+ 1)
    random = SeededRandom(seed: seed)
  }

  var problems: [String] { ownProblems + cuts.problems }
  var checkedStates: Int { kills + cuts.checkedStates }

  func run(commits: Int) throws {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: workload.options)
    var rows: RowModel = [:]
    for number in 0..<commits where problems.count < 5 {
      let changes = workload.changes(of: number, on: rows, &random)
      let next = rows.applying(changes)
      let before = rows
      file.beforeSync = { self.kill($0, before, next, "commit \(number)") }
      try database.apply(changes)
      file.beforeSync = nil
      rows = next
    }
    try database.close()
  }

  /// The process dies after some of its pending changes.
  private func kill(
    _ file: FaultyStorageFile, _ before: RowModel, _ next: RowModel, _ place: String
  ) {
    let pending = file.pendingChanges
    let kept = random.oneIn(2) ? pending : random.below(pending + 1)
    kills += 1
    let story =
      "\(workload.rawValue), seed \(random.seed): \(place): killed after \(kept) of \(pending) changes"
    do {
      try recover(file.afterKill(keepingChanges: kept), before, next, story)
    } catch {
      ownProblems.append("\(story): \(error)")
    }
  }

  private func recover(
    _ file: FaultyStorageFile, _ before: RowModel, _ next: RowModel, _ story: String
  ) throws {
    // Until the recovery has synced, both states are right; afterwards only the one that it chose.
    file.beforeSync = {
      self.cuts.crash($0, allowed: [before, next], samples: 2, depth: 0, "\(story), recovering")
    }
    let database = try Database.open(file: file, options: workload.options)
    let verdict = try CrashVerdict(database, allowed: [before, next])
    guard case .state(let index) = verdict else {
      ownProblems.append("\(story): \(verdict)")
      return
    }
    let rows = index == 0 ? before : next
    let changes = workload.changes(of: random.below(30), on: rows, &random)
    let after = rows.applying(changes)
    file.beforeSync = {
      let allowed = $0.syncCount == 0 ? [before, next] : [rows, after]
      self.cuts.crash($0, allowed: allowed, samples: 2, depth: 0, "\(story), recovered, committing")
    }
    try database.apply(changes)
    file.beforeSync = nil
    cuts.crash(file, allowed: [after], samples: 1, depth: 0, "\(story), recovered, committed")
    try database.close()
  }
}
