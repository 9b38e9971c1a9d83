// Automatic compaction: while commits go on, blocks that lie high in the file are moved below a limit, a few in each
// commit, until the file's end is free and can be cut. The rules are Realm Core's, with the choices of
// `AutomaticCompaction`; Docs/Compaction.md has them. The state is the store's and lies in each commit record; here are
// its transitions: those before a commit is placed in `prepare`, those that its placing decides in `Store+Placing`, and
// what is told of both in `finish`.

/// The transitions of automatic compaction. Used with the writer's place only.
final class Evacuation {
  private let thresholds: AutomaticCompaction?
  /// The stage before the commit that is under way, and the steps that it will have made.
  private var before = EvacuationState()
  private var prepared: [(CompactionStep.Kind, AutomaticCondition)] = []
  /// What this session has told, so that a state that lasts is told once.
  private var hasToldDelay = false
  private var isTakenOver = true

  /// What a commit may move at least, whatever it wrote itself.
  var leastBudget = 0

  /// What the newest commit moved, and what it was allowed to.
  private(set) var work = Work()

  struct Work: Equatable {
    var budget = 0
    /// Bytes that lay above the limit.
    var moved = 0
    /// Bytes copied, the nodes on the way included.
    var copied = 0
  }

  init(_ thresholds: AutomaticCompaction?) { self.thresholds = thresholds }

  /// Goes on with another file.
  func reset() {
    hasToldDelay = false
    isTakenOver = true
  }

  // MARK: Before the commit

  /// Moves what is due into the transaction that is about to be committed; answers what the commit shall do besides.
  func prepare(_ store: Store) throws(StorageError) -> CommitRequest {
    prepared = []
    work = Work()
    guard let thresholds else { return CommitRequest() }
    let version = store.writer.pointee.tree.version
    var state = store.evacuation
    before = state
    if isTakenOver, state.stage == .evacuating || state.stage == .waiting {
      prepared.append((.resumed, .inherited(limit: state.limit)))
    }
    isTakenOver = false
    if state.stage == .blocked, version >= state.until { state = .idle(since: version) }
    if state.stage == .idle { begin(&state, store, version) }
    var request = CommitRequest()
    if state.stage == .evacuating || state.stage == .waiting {
      if mayWork(store) {
        request.forcesCheckpoint = try advance(&state, store)
        request.cutTo = state.limit
        let isDelayed = state.stage == .waiting && state.since < version
        request.minPartialTruncation = isDelayed ? thresholds.minPartialTruncation : nil
      } else if state.stage == .evacuating {
        (state.stage, state.since) = (.waiting, version)
        state.until = version + UInt64(max(1, thresholds.waitingCommits))
      }
    }
    request.evacuation = state
    request.truncates = thresholds.truncation == .immediate
    // A step that nobody waits for may take as long as it takes.
    let maxTruncationBytes = leastBudget > 0 ? Int.max : thresholds.maxTruncationBytes
    request.maxTruncationBytes = mayWork(store) ? maxTruncationBytes : 0
    request.backOffCommits = thresholds.backOffCommits
    return request
  }

  func mayWork(_ store: Store) -> Bool {
    thresholds?.access == .always || store.onlookers.snapshots == 0
  }

  private func begin(_ state: inout EvacuationState, _ store: Store, _ version: UInt64) {
    guard let thresholds, mayWork(store) else { return }
    let trigger = thresholds.condition(
      store.account, scattered: store.scatteredBytes, pin: nil)
    guard case .due(_, _, _, let limit) = trigger else { return }
    state = EvacuationState()
    (state.stage, state.since, state.limit) = (.evacuating, version, limit)
    state.startSize = store.writer.pointee.freeSpace.end
    store.writer.pointee.freeSpace.setLimit(limit)
    prepared.append((.started, trigger))
    hasToldDelay = false
  }

  /// Moves as much as this commit may; true where the free list has to be written anew.
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
      if state.hasToldWaiting { prepared.append((.resumed, .moving(limit: state.limit))) }
      state.hasToldWaiting = false
    }
    guard let walk = state.walk else { return false }
    work.budget = budget(store, thresholds)
    var mover = Mover(limit: state.limit, budget: work.budget)
    state.walk = try mover.move(store.writer, walk)
    (work.moved, work.copied) = (mover.moved, mover.copied)
    state.moved += mover.copied
    if state.walk == nil {
      (state.stage, state.since) = (.waiting, version)
      state.until = version + UInt64(max(1, thresholds.waitingCommits))
    }
    // The free list's older pieces may lie above the limit: the first move replaces them by a checkpoint below.
    return walk.isBeginning
  }

  private func budget(_ store: Store, _ thresholds: AutomaticCompaction) -> Int {
    let freeList = store.writer.pointee.freeSpace.extentCount * 16
    let commit = store.writer.pointee.tree.arena.bytesAllocated
    let own = Int(Double(commit) * thresholds.commitShare) + freeList + thresholds.baseBudget
    return max(own, leastBudget)
  }

  /// Whether a commit that changes nothing would bring compaction on.
  func isDue(_ store: Store) -> Bool {
    guard let thresholds, mayWork(store) else { return false }
    switch condition(store) {
    case .due, .moving, .awaitingNextCommit: return true
    case .blockedBySnapshot:
      guard let least = thresholds.minPartialTruncation else { return false }
      let free = store.writer.pointee.freeSpace
      return free.end - roundedUp(free.freeTailOffset, to: Layout.pageSize) >= least
    default: return false
    }
  }

  // MARK: After the commit

  /// Ends a compaction whose commit failed: what it moved is as it was before, and it may be why there was no room.
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
    let steps = tell(&state, version: version - 1, after: file)
    store.mutex.withLock { store.shared.pointee.evacuation = state }
    return steps
  }

  /// Looks at what the commit left; answers what is to be told.
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
    case .idle: tellDelay(store, thresholds)
    case .blocked where wasAtWork:
      prepared.append((.abandoned, .noSpaceBelowLimit(limit: state.limit, until: state.until)))
    case .waiting where !state.hasToldWaiting && isDelayed(state, store):
      prepared.append((.waiting, condition(store)))
      state.hasToldWaiting = true
    case .evacuating, .waiting, .blocked: break
    }
    if report.sizeAfter < report.sizeBefore, state.stage == .waiting, wasAtWork,
      report.evacuation.stage == .waiting
    {
      prepared.append((.shortened, .truncated(length: report.sizeAfter, left: report.left)))
    }
    guard !prepared.isEmpty else { return [] }
    let steps = tell(&state, version: report.version, after: report.sizeAfter)
    if report.evacuation.stage != .idle {
      store.mutex.withLock { store.shared.pointee.evacuation = state }
    }
    return steps
  }

  /// Whether it waits for somebody, and not only for the next commit to find free what this one freed.
  private func isDelayed(_ state: EvacuationState, _ store: Store) -> Bool {
    !mayWork(store) || state.since < store.writer.pointee.tree.version
  }

  private func tellDelay(_ store: Store, _ thresholds: AutomaticCompaction) {
    guard store.account.pinned > 0 || !mayWork(store) else {
      hasToldDelay = false
      return
    }
    switch condition(store) {
    case .pinned, .blockedByReaders:
      guard !hasToldDelay else { return }
      hasToldDelay = true
      prepared.append((.delayed, condition(store)))
    default: hasToldDelay = false
    }
  }

  private func tell(
    _ state: inout EvacuationState, version: UInt64, after: Int
  ) -> [CompactionStep] {
    let steps = prepared.map { kind, condition in
      defer { if kind != .started, kind != .resumed { state.told = state.moved } }
      let isBefore = kind == .started || kind == .resumed || kind == .delayed
      return CompactionStep(
        kind: kind, version: version, condition: condition,
        before: kind == .delayed ? after : state.startSize, after: after,
        rewritten: isBefore ? 0 : state.moved - state.told)
    }
    prepared = []
    return steps
  }

  // MARK: For who asks

  /// What decides now.
  func condition(_ store: Store) -> AutomaticCondition {
    guard let thresholds else { return .switchedOff }
    let state = store.evacuation
    let onlookers = store.onlookers
    func oldest(_ bytes: Int) -> AutomaticPin? {
      onlookers.oldest.map { AutomaticPin(version: $0, label: store.label(of: $0), bytes: bytes) }
    }
    let account = store.account
    switch state.stage {
    case .blocked:
      return state.cause == .commitFailed
        ? .commitFailed(until: state.until) : .noSpaceBelowLimit(limit: state.limit, until: state.until)
    case .idle:
      let trigger = thresholds.condition(
        account, scattered: store.scatteredBytes, pin: oldest(account.pinned))
      if case .due = trigger, !mayWork(store), let pin = oldest(account.pinned) {
        return .blockedByReaders(pin, snapshots: onlookers.snapshots)
      }
      return trigger
    case .evacuating, .waiting:
      if !mayWork(store), let pin = oldest(account.pinned) {
        return .blockedByReaders(pin, snapshots: onlookers.snapshots)
      }
      if state.stage == .evacuating { return .moving(limit: state.limit) }
      guard let held = store.held(above: state.limit) else { return .awaitingNextCommit(limit: state.limit) }
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
      moved: isAtWork ? state.moved : 0)
  }
}

extension Store {
  /// Where automatic compaction stands after the newest commit.
  var evacuation: EvacuationState { mutex.withLock { shared.pointee.evacuation } }
  var scatteredBytes: Int { mutex.withLock { shared.pointee.scatteredBytes } }
}
