// What automatic compaction is doing, and why: read from the newest state at any time, without the write lock.

extension Evacuation {
  /// Returns the condition that currently determines the state.
  func condition(_ readers: Readers) -> AutomaticCondition {
    guard let thresholds else { return .switchedOff }
    let state = readers.evacuation
    let activeReaders = readers.activeReaders
    func oldest(_ bytes: Int) -> AutomaticPin? {
      activeReaders.oldestVersion.map {
        AutomaticPin(version: $0, label: readers.label(of: $0), bytes: bytes)
      }
    }
    let account = readers.account
    switch state.stage {
    case .blocked:
      return state.cause == .commitFailed
        ? .commitFailed(until: state.until)
        : .noSpaceBelowLimit(limit: state.limit, until: state.until)
    case .idle:
      let trigger = thresholds.condition(
        account, scattered: readers.scatteredBytes, pin: oldest(account.pinned))
      if case .due = trigger, !mayRun(readers), let pin = oldest(account.pinned) {
        return .blockedByReaders(pin, snapshots: activeReaders.count)
      }
      return trigger
    case .evacuating, .waiting:
      if !mayRun(readers), let pin = oldest(account.pinned) {
        return .blockedByReaders(pin, snapshots: activeReaders.count)
      }
      if state.stage == .evacuating { return .moving(limit: state.limit) }
      guard let held = readers.pinnedBytes(above: state.limit) else {
        return .awaitingNextCommit(limit: state.limit)
      }
      let pin = AutomaticPin(
        version: held.version, label: readers.label(of: held.version), bytes: held.bytes)
      return .blockedBySnapshot(pin, limit: state.limit)
    }
  }

  func state(_ readers: Readers) -> AutomaticState {
    let state = readers.evacuation
    let isAtWork = state.stage == .evacuating || state.stage == .waiting
    let stage: AutomaticState.Stage =
      switch state.stage {
      case .idle: .idle
      case .evacuating: .evacuating
      case .waiting: .waiting
      case .blocked: .blocked
      }
    return AutomaticState(
      stage: stage, since: state.since, condition: condition(readers),
      limit: isAtWork ? state.limit : nil,
      until: state.stage == .blocked || state.stage == .waiting ? state.until : nil,
      moved: isAtWork ? state.movedBytes : 0)
  }
}
