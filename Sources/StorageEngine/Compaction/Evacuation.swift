// Automatic compaction: each commit moves a few blocks from high in the file below a limit, until the end of the file
// is free and can be truncated. The rules are Realm Core's, with the options of `AutomaticCompaction`;
// Docs/Compaction.md describes them. The state is stored in each commit record. This file has its transitions: those
// before a commit is placed are in `prepare`, those that its placement decides in `Store+Placement`, and the reports of
// both in `finish`.

/// The transitions of automatic compaction. Under the write lock only.
final class Evacuation {
  private let thresholds: AutomaticCompaction?
  /// The state before the commit that is under way, and the steps to report after it.
  private var before = EvacuationState()
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
  func prepare(_ store: Store) throws(StorageError) -> CommitRequest {
    prepared = []
    work = Work()
    guard let thresholds else { return CommitRequest() }
    let version = store.writer.pointee.tree.version
    var state = store.evacuation
    before = state
    if mayInherit, state.stage == .evacuating || state.stage == .waiting {
      prepared.append((.resumed, .inherited(limit: state.limit)))
    }
    mayInherit = false
    if state.stage == .blocked, version >= state.until { state = .idle(since: version) }
    if state.stage == .idle { begin(&state, store, version) }
    var request = CommitRequest()
    if state.stage == .evacuating || state.stage == .waiting {
      if mayRun(store) {
        request.forcesCheckpoint = try advance(&state, store)
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
    request.maxTruncationBytes = mayRun(store) ? maxTruncationBytes : 0
    request.backOffCommits = thresholds.backOffCommits
    return request
  }

  func mayRun(_ store: Store) -> Bool {
    thresholds?.access == .always || store.activeReaders.count == 0
  }

  private func begin(_ state: inout EvacuationState, _ store: Store, _ version: UInt64) {
    guard let thresholds, mayRun(store) else { return }
    let trigger = thresholds.condition(
      store.account, scattered: store.scatteredBytes, pin: nil)
    guard case .due(_, _, _, let limit) = trigger else { return }
    state = EvacuationState()
    (state.stage, state.since, state.limit) = (.evacuating, version, limit)
    state.startSize = store.writer.pointee.freeSpace.end
    store.writer.pointee.freeSpace.setLimit(limit)
    prepared.append((.started, trigger))
    didReportDelay = false
  }

  /// Moves as much as the budget of this commit allows. Returns whether the free list must be written as a checkpoint.
  private func advance(
    _ state: inout EvacuationState, _ store: Store
  ) throws(StorageError) -> Bool {
    guard let thresholds else { return false }
    let version = store.writer.pointee.tree.version
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
    work.budget = budget(store, thresholds)
    var mover = Mover(limit: state.limit, budget: work.budget)
    state.walk = try mover.move(store.writer, walk)
    (work.moved, work.copied) = (mover.moved, mover.copied)
    state.movedBytes += mover.copied
    if state.walk == nil {
      (state.stage, state.since) = (.waiting, version)
      state.until = version + UInt64(max(1, thresholds.waitingCommits))
    }
    // Older pieces of the free list may be above the limit: the first move replaces them by a checkpoint below it.
    return walk.isBeginning
  }

  private func budget(_ store: Store, _ thresholds: AutomaticCompaction) -> Int {
    let freeList = store.writer.pointee.freeSpace.extentCount * 16
    let commit = store.writer.pointee.tree.arena.bytesAllocated
    let commitBudget =
      Int(Double(commit) * thresholds.commitShare) + freeList + thresholds.baseBudget
    return max(commitBudget, minBudget)
  }

  /// Returns whether a commit without changes would advance compaction.
  func isDue(_ store: Store) -> Bool {
    guard let thresholds, mayRun(store) else { return false }
    switch condition(store) {
    case .due, .moving, .awaitingNextCommit: return true
    case .blockedBySnapshot:
      guard let minimum = thresholds.minPartialTruncation else { return false }
      let tail = store.writer.pointee.freeSpace.freeTailOffset
      let end = store.writer.pointee.freeSpace.end
      return end - roundedUp(tail, to: Layout.pageSize) >= minimum
    default: return false
    }
  }

  // MARK: After the commit

  /// Gives up a compaction whose commit failed: what it had moved is back at its old offset, and it may be why there
  /// was not enough space. Returns the steps to report.
  func abandon(_ store: Store, _ error: StorageError) -> [CompactionStep] {
    guard let thresholds else { return [] }
    var state = store.evacuation
    let hasStarted = prepared.contains { $0.0 == .started }
    guard state.stage == .evacuating || state.stage == .waiting || hasStarted else { return [] }
    let version = store.writer.pointee.tree.version
    state.giveUp(.commitFailed, in: version, for: thresholds.backOffCommits)
    store.writer.pointee.freeSpace.setLimit(Int.max)
    if hasStarted { state.startSize = store.account.file }
    prepared.append((.abandoned, .commitFailed(until: state.until)))
    let file = store.account.file
    let steps = takeSteps(&state, version: version - 1, after: file)
    store.mutex.withLock { store.shared.pointee.evacuation = state }
    return steps
  }

  /// Updates the state after the commit. Returns the steps to report.
  func finish(
    _ store: Store, _ request: CommitRequest, _ report: CommitReport
  ) -> [CompactionStep] {
    guard let thresholds else { return [] }
    var state = report.evacuation
    let wasAtWork = request.evacuation.stage == .evacuating || request.evacuation.stage == .waiting
    if wasAtWork, state.stage == .idle || state.stage == .blocked {
      store.writer.pointee.freeSpace.setLimit(Int.max)
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
    case .idle: reportDelay(store, thresholds)
    case .blocked where wasAtWork:
      prepared.append((.abandoned, .noSpaceBelowLimit(limit: state.limit, until: state.until)))
    case .waiting where !state.didReportWaiting && isDelayed(state, store):
      prepared.append((.waiting, condition(store)))
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
      store.mutex.withLock { store.shared.pointee.evacuation = state }
    }
    return steps
  }

  /// Returns whether it waits for a snapshot, and not only for the next commit, in which what this one freed is
  /// reusable.
  private func isDelayed(_ state: EvacuationState, _ store: Store) -> Bool {
    !mayRun(store) || state.since < store.writer.pointee.tree.version
  }

  private func reportDelay(_ store: Store, _ thresholds: AutomaticCompaction) {
    guard store.account.pinned > 0 || !mayRun(store) else {
      didReportDelay = false
      return
    }
    switch condition(store) {
    case .pinned, .blockedByReaders:
      guard !didReportDelay else { return }
      didReportDelay = true
      prepared.append((.delayed, condition(store)))
    default: didReportDelay = false
    }
  }

  private func takeSteps(
    _ state: inout EvacuationState, version: UInt64, after: Int
  ) -> [CompactionStep] {
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

  // MARK: State

  /// Returns the condition that currently determines the state.
  func condition(_ store: Store) -> AutomaticCondition {
    guard let thresholds else { return .switchedOff }
    let state = store.evacuation
    let activeReaders = store.activeReaders
    func oldest(_ bytes: Int) -> AutomaticPin? {
      activeReaders.oldestVersion.map {
        AutomaticPin(version: $0, label: store.label(of: $0), bytes: bytes)
      }
    }
    let account = store.account
    switch state.stage {
    case .blocked:
      return state.cause == .commitFailed
        ? .commitFailed(until: state.until)
        : .noSpaceBelowLimit(limit: state.limit, until: state.until)
    case .idle:
      let trigger = thresholds.condition(
        account, scattered: store.scatteredBytes, pin: oldest(account.pinned))
      if case .due = trigger, !mayRun(store), let pin = oldest(account.pinned) {
        return .blockedByReaders(pin, snapshots: activeReaders.count)
      }
      return trigger
    case .evacuating, .waiting:
      if !mayRun(store), let pin = oldest(account.pinned) {
        return .blockedByReaders(pin, snapshots: activeReaders.count)
      }
      if state.stage == .evacuating { return .moving(limit: state.limit) }
      guard let held = store.pinnedBytes(above: state.limit) else {
        return .awaitingNextCommit(limit: state.limit)
      }
      let pin = AutomaticPin(
        version: held.version, label: store.label(of: held.version), bytes: held.bytes)
      return .blockedBySnapshot(pin, limit: state.limit)
    }
  }

  func state(_ store: Store) -> AutomaticState {
    let state = store.evacuation
    let isAtWork = state.stage == .evacuating || state.stage == .waiting
    let stage: AutomaticState.Stage =
      switch state.stage {
      case .idle: .idle
      case .evacuating: .evacuating
      case .waiting: .waiting
      case .blocked: .blocked
      }
    return AutomaticState(
      stage: stage, since: state.since, condition: condition(store),
      limit: isAtWork ? state.limit : nil,
      until: state.stage == .blocked || state.stage == .waiting ? state.until : nil,
      moved: isAtWork ? state.movedBytes : 0)
  }
}

extension Store {
  /// The state of automatic compaction after the newest commit.
  var evacuation: EvacuationState { mutex.withLock { shared.pointee.evacuation } }
  var scatteredBytes: Int { mutex.withLock { shared.pointee.scatteredBytes } }
}
