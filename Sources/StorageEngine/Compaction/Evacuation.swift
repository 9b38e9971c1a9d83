// Automatic compaction: while commits go on, blocks that lie high in the file are moved below a limit, a few in each
// commit, until the file's end is free and can be cut. The rules are Realm Core's; Docs/Compaction.md has them and says
// what blocks them.

/// The state of one database's automatic compaction. It lives for the session: the next one decides anew.
final class Evacuation {
  private enum Stage {
    case idle
    /// Blocks above the limit are being moved; the walk goes on at `table`, `key`.
    case moving(limit: Int, table: Int, key: StoredKey?)
    /// All is moved; the commit that finds everything above the limit free cuts the file.
    case waiting(limit: Int)
    case backingOff(commits: Int)
  }

  private let thresholds: AutomaticCompaction?
  private var stage = Stage.idle
  private var rewritten = 0
  private var startSize = 0

  init(_ thresholds: AutomaticCompaction?) { self.thresholds = thresholds }

  func reset() { stage = .idle }

  /// Moves what is due into the transaction that is about to be committed; answers what the commit shall do besides.
  func prepare(_ store: Store) throws(StorageError) -> CommitRequest {
    guard let thresholds else { return CommitRequest() }
    switch stage {
    case .idle, .backingOff: return CommitRequest()
    case .waiting(let limit): return CommitRequest(cutTo: limit)
    case .moving(let limit, let table, let key):
      // The free list's older pieces may lie above the limit: the first move replaces them by a checkpoint below.
      let budget = self.budget(store, thresholds)
      var mover = Mover(limit: limit, budget: budget)
      let next = try mover.move(store.writer, table: table, key: key)
      rewritten += mover.moved
      let isFirst = table == 0 && key == nil
      if let next {
        stage = .moving(limit: limit, table: next.table, key: next.key)
      } else {
        stage = .waiting(limit: limit)
      }
      return CommitRequest(cutTo: limit, forcesCheckpoint: isFirst)
    }
  }

  private func budget(_ store: Store, _ thresholds: AutomaticCompaction) -> Int {
    let freeList = store.writer.pointee.free.extentCount * 16
    let commit = store.writer.pointee.tree.arena.bytesTaken
    return Int(Double(commit) * thresholds.commitShare) + freeList + thresholds.baseBudget
  }

  /// Ends a compaction whose commit failed: what it moved is as it was before, so its place in the walk is wrong.
  func abandon(_ store: Store, _ error: StorageError) -> CompactionStep? {
    switch stage {
    case .idle, .backingOff: return nil
    case .moving, .waiting: break
    }
    stage = .backingOff(commits: thresholds?.backOffCommits ?? 0)
    store.writer.pointee.free.setLimit(Int.max)
    let account = store.account
    return CompactionStep(
      kind: .abandoned, version: store.mutex.withLock { store.shared.pointee.newest.number },
      reason: "a commit failed: \(error.message)", before: startSize, after: account.file,
      rewritten: rewritten)
  }

  /// Looks at what the commit left; answers what is to be told.
  func finish(_ store: Store, _ report: CommitReport) -> [CompactionStep] {
    guard let thresholds else { return [] }
    var steps: [CompactionStep] = []
    func tell(_ kind: CompactionStep.Kind, _ reason: String) {
      steps.append(
        CompactionStep(
          kind: kind, version: report.version, reason: reason, before: startSize,
          after: report.sizeAfter, rewritten: rewritten))
    }
    switch stage {
    case .moving(let limit, _, _), .waiting(let limit):
      if store.writer.pointee.gaveUpLimit {
        tell(
          .abandoned,
          "no room for a block below the limit of \(limit) bytes; next try after "
            + "\(thresholds.backOffCommits) commits")
        stage = .backingOff(commits: thresholds.backOffCommits)
      } else if report.sizeAfter < report.sizeBefore {
        tell(.finished, "everything from \(limit) bytes on is free and was cut off")
        store.writer.pointee.free.setLimit(Int.max)
        stage = .idle
      }
      return steps
    case .backingOff(let commits):
      stage = commits > 1 ? .backingOff(commits: commits - 1) : .idle
    case .idle: break
    }
    guard case .idle = stage else { return steps }
    let account = store.account
    if thresholds.isDue(account) {
      let used = account.usedForAutomatic
      let aim = roundedUp(Int(Double(used) * thresholds.limitFactor), to: Layout.pageSize)
      let limit = max(aim, roundedUp(thresholds.minimumLimit, to: Layout.pageSize))
      guard limit < account.file else { return steps }
      rewritten = 0
      startSize = account.file
      stage = .moving(limit: limit, table: 0, key: nil)
      store.writer.pointee.free.setLimit(limit)
      tell(
        .started,
        "\(account.free) bytes free, more than \(thresholds.freeToUsedTrigger) times the \(used) "
          + "used; the limit is \(limit) bytes")
    }
    return steps
  }
}
