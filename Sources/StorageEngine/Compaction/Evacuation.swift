// Automatic compaction: each commit moves a few blocks from high in the file below a limit, until the end of the file
// is free and can be truncated. The rules are Realm Core's, with the options of `AutomaticCompaction`;
// Docs/Compaction.md describes them. The state is stored in each commit record. This file has its transitions: those
// before a commit is placed are in `prepare`, those that its placement decides in `Writer.decideTruncation`, and the reports of
// both in `finish`.

/// The transitions of automatic compaction. Under the write lock only.
final class Evacuation {
  let thresholds: AutomaticCompaction?
  /// The steps to report after the commit that is under way.
  private var prepared: [(CompactionStep.Kind, AutomaticCondition)] = []
  /// What this session has reported, so that a lasting state is reported once.
  private var didReportDelay = false
  private var mayInherit = true

  /// The minimum budget of a commit, whatever it wrote itself, in bytes.
  var minBudget = 0

  /// What the newest commit moved, and its budget.
  private(set) var work = Work()

  struct Work: Equatable {
    var budget = 0
    /// Bytes that were above the limit.
    var moved = 0
    /// Bytes copied, including nodes on the path.
    var copied = 0
  }

  init(_ thresholds: AutomaticCompaction?) { self.thresholds = thresholds }

  /// Restarts with another file.
  func reset() {
    didReportDelay = false
    mayInherit = true
  }

  // MARK: Before the commit

  /// Copies the blocks that are due into the transaction that is about to be committed. Returns what else the commit
  /// has to do.
  func prepare(_ writer: inout Writer) throws(StorageError) -> CommitRequest {
    prepared = []
    work = Work()
    guard let thresholds else { return CommitRequest() }
    let version = writer.changes.version
    var state = writer.readers.evacuation
    if mayInherit, state.stage == .evacuating || state.stage == .waiting {
      prepared.append((.resumed, .inherited(limit: state.limit)))
    }
    mayInherit = false
    if state.stage == .blocked, version >= state.until { state = .idle(since: version) }
    if state.stage == .idle { begin(&state, &writer, version) }
    var request = CommitRequest()
    if state.stage == .evacuating || state.stage == .waiting {
      if mayRun(writer.readers) {
        request.forcesCheckpoint = try advance(&state, &writer)
        request.truncateTo = state.limit
        let isDelayed = state.stage == .waiting && state.since < version
        request.minPartialTruncation = isDelayed ? thresholds.minPartialTruncation : nil
      } else if state.stage == .evacuating {
        (state.stage, state.since) = (.waiting, version)
        state.until = version + UInt64(max(1, thresholds.waitingCommits))
      }
    }
    request.evacuation = state
    request.truncates = thresholds.truncation == .immediate
    // An idle step may take as long as it takes.
    let maxTruncationBytes = minBudget > 0 ? Int.max : thresholds.maxTruncationBytes
    request.maxTruncationBytes = mayRun(writer.readers) ? maxTruncationBytes : 0
    request.backOffCommits = thresholds.backOffCommits
    return request
  }

  func mayRun(_ readers: Readers) -> Bool {
    thresholds?.access == .always || readers.activeReaders.count == 0
  }

  private func begin(
    _ state: inout EvacuationState, _ writer: inout Writer, _ version: UInt64
  ) {
    let readers = writer.readers
    guard let thresholds, mayRun(readers) else { return }
    let trigger = thresholds.condition(
      readers.account, scattered: readers.scatteredBytes, pin: nil)
    guard case .due(_, _, _, let limit) = trigger else { return }
    state = EvacuationState()
    (state.stage, state.since, state.limit) = (.evacuating, version, limit)
    state.startSize = writer.allocator.space.end
    writer.allocator.space.setLimit(limit)
    prepared.append((.started, trigger))
    didReportDelay = false
  }

  /// Moves as much as the budget of this commit allows. Returns whether the free list must be written as a checkpoint.
  private func advance(
    _ state: inout EvacuationState, _ writer: inout Writer
  ) throws(StorageError) -> Bool {
    guard let thresholds else { return false }
    let version = writer.changes.version
    if state.stage == .waiting {
      if state.walk == nil {
        guard version >= state.until else { return false }
        state.walk = EvacuationState.Walk()
      }
      (state.stage, state.since) = (.evacuating, version)
      if state.didReportWaiting { prepared.append((.resumed, .moving(limit: state.limit))) }
      state.didReportWaiting = false
    }
    guard let walk = state.walk else { return false }
    work.budget = budget(writer, thresholds)
    var mover = Mover(limit: state.limit, budget: work.budget)
    state.walk = try mover.move(&writer.changes, walk)
    // SPACE-1: what is moved is copied first, and its old place is deferred like any freed block (DEFERRED-2).
    precondition(mover.moved <= mover.copied, "A block that is moved is copied.")
    (work.moved, work.copied) = (mover.moved, mover.copied)
    state.movedBytes += mover.copied
    if state.walk == nil {
      (state.stage, state.since) = (.waiting, version)
      state.until = version + UInt64(max(1, thresholds.waitingCommits))
    }
    // Older pieces of the free list may be above the limit: the first move replaces them by a checkpoint below it.
    return walk.isBeginning
  }

  private func budget(_ writer: borrowing Writer, _ thresholds: AutomaticCompaction) -> Int {
    let freeList = writer.allocator.space.extentCount * 16
    let commit = writer.changes.tree.arena.bytesAllocated
    let commitBudget =
      Int(Double(commit) * thresholds.commitShare) + freeList + thresholds.baseBudget
    return max(commitBudget, minBudget)
  }

  /// Returns whether a commit without changes would advance compaction.
  func isDue(_ writer: borrowing Writer) -> Bool {
    guard let thresholds, mayRun(writer.readers) else { return false }
    switch condition(writer.readers) {
    case .due, .moving, .awaitingNextCommit: return true
    case .blockedBySnapshot:
      guard let minimum = thresholds.minPartialTruncation else { return false }
      let tail = writer.allocator.space.freeTailOffset
      let end = writer.allocator.space.end
      return end - roundedUp(tail, to: Layout.pageSize) >= minimum
    default: return false
    }
  }

  // MARK: After the commit

  /// Gives up a compaction whose commit failed: what it had moved is back at its old offset, and it may be why there
  /// was not enough space. Returns the steps to report.
  func abandon(_ writer: inout Writer) -> [CompactionStep] {
    guard let thresholds else { return [] }
    let readers = writer.readers
    var state = readers.evacuation
    let hasStarted = prepared.contains { $0.0 == .started }
    guard state.stage == .evacuating || state.stage == .waiting || hasStarted else { return [] }
    let version = writer.changes.version
    precondition(version == readers.newest.number + 1, "A commit that failed made no version.")
    state.giveUp(.commitFailed, in: version, for: thresholds.backOffCommits)
    writer.allocator.space.setLimit(Int.max)
    if hasStarted { state.startSize = readers.account.file }
    prepared.append((.abandoned, .commitFailed(until: state.until)))
    let file = readers.account.file
    let steps = takeSteps(&state, version: version - 1, after: file)
    readers.withLock { $0.evacuation = state }
    return steps
  }

  /// Updates the state after the commit. Returns the steps to report.
  func finish(
    _ writer: inout Writer, _ request: CommitRequest, _ report: CommitReport
  ) -> [CompactionStep] {
    guard thresholds != nil else { return [] }
    let readers = writer.readers
    precondition(report.version == writer.changes.version, "The report is that of the commit.")
    var state = report.evacuation
    let wasAtWork = request.evacuation.stage == .evacuating || request.evacuation.stage == .waiting
    if wasAtWork, state.stage == .idle || state.stage == .blocked {
      writer.allocator.space.setLimit(Int.max)
    }
    if wasAtWork, state.stage == .evacuating || state.stage == .waiting,
      state.limit > request.evacuation.limit
    {
      prepared.append((.raised, .limitRaised(from: request.evacuation.limit, to: state.limit)))
    }
    switch state.stage {
    case .idle where wasAtWork:
      state = request.evacuation
      prepared.append((.finished, .truncated(length: report.sizeAfter, left: report.left)))
    case .idle: reportDelay(readers)
    case .blocked where wasAtWork:
      prepared.append((.abandoned, .noSpaceBelowLimit(limit: state.limit, until: state.until)))
    case .waiting where !state.didReportWaiting && isDelayed(state, writer):
      prepared.append((.waiting, condition(readers)))
      state.didReportWaiting = true
    case .evacuating, .waiting, .blocked: break
    }
    if report.sizeAfter < report.sizeBefore, state.stage == .waiting, wasAtWork,
      report.evacuation.stage == .waiting
    {
      prepared.append((.shortened, .truncated(length: report.sizeAfter, left: report.left)))
    }
    guard !prepared.isEmpty else { return [] }
    let steps = takeSteps(&state, version: report.version, after: report.sizeAfter)
    if report.evacuation.stage != .idle {
      readers.withLock { $0.evacuation = state }
    }
    return steps
  }

  /// Returns whether it waits for a snapshot, and not only for the next commit, in which what this one freed is
  /// reusable.
  private func isDelayed(_ state: EvacuationState, _ writer: borrowing Writer) -> Bool {
    !mayRun(writer.readers) || state.since < writer.changes.version
  }

  private func reportDelay(_ readers: Readers) {
    guard readers.account.pinned > 0 || !mayRun(readers) else {
      didReportDelay = false
      return
    }
    switch condition(readers) {
    case .pinned, .blockedByReaders:
      guard !didReportDelay else { return }
      didReportDelay = true
      prepared.append((.delayed, condition(readers)))
    default: didReportDelay = false
    }
  }

  private func takeSteps(
    _ state: inout EvacuationState, version: UInt64, after: Int
  ) -> [CompactionStep] {
    precondition(state.movedBytes >= state.reportedBytes, "What is reported was moved.")
    let steps = prepared.map { kind, condition in
      defer { if kind != .started, kind != .resumed { state.reportedBytes = state.movedBytes } }
      let isBefore = kind == .started || kind == .resumed || kind == .delayed
      return CompactionStep(
        kind: kind, version: version, condition: condition,
        before: kind == .delayed ? after : state.startSize, after: after,
        rewritten: isBefore ? 0 : state.movedBytes - state.reportedBytes)
    }
    prepared = []
    return steps
  }
}
