// From the engine's words to those that all engines share.
import EngineInterface
import MetricModel
import StorageEngine

extension SpaceUsage {
  init(_ account: StorageEngine.SpaceAccount) {
    self.init(
      file: ByteCount(account.file), live: ByteCount(account.live), free: ByteCount(account.free),
      pinned: ByteCount(account.pinned), pending: ByteCount(account.pending),
      overhead: ByteCount(account.overhead))
  }
}

extension LaunchOutcome {
  init(_ outcome: LaunchCompaction) {
    switch outcome {
    case .notAsked: self = .notAsked
    case .notCalled(let skip): self = .notCalled(reason: skip.description)
    case .declined(let usage): self = .declined(SpaceUsage(usage.account))
    case .compacted(let before, let after, let rewritten):
      self = .compacted(
        before: SpaceUsage(before.account), after: SpaceUsage(after.account),
        rewritten: ByteCount(rewritten))
    case .skipped(let usage, let skip):
      self = .skipped(SpaceUsage(usage.account), reason: skip.description)
    }
  }
}

extension CompactionEvent {
  init(_ step: CompactionStep) {
    let outcome: Outcome =
      switch step.kind {
      case .started: .started
      case .delayed: .delayed
      case .waiting: .waiting
      case .resumed, .raised: .resumed
      case .shortened: .shortened
      case .finished: .finished
      case .abandoned: .abandoned
      }
    self.init(
      kind: .automatic, outcome: outcome, reason: step.condition.reportWords,
      before: ByteCount(step.before),
      after: ByteCount(step.after), rewritten: ByteCount(step.rewritten))
  }
}

extension AutomaticCondition {
  /// With byte counts as reports print them.
  var reportWords: String { explanation { ByteCount($0).description } }
}

extension AutomaticStage {
  init(_ stage: AutomaticState.Stage) {
    switch stage {
    case .idle: self = .idle
    case .evacuating: self = .evacuating
    case .waiting: self = .waiting
    case .blocked: self = .blocked
    }
  }
}

extension AutomaticCompaction {
  /// Nil for a preset of other engines.
  init?(_ preset: AutomaticPreset) {
    switch preset {
    case .documented: self = .documented
    case .realmCompatible: self = .realmCompatible
    case .eager, .idle: self = .eager
    case .leveled, .universal, .fifo: return nil
    }
  }

  /// Returns these settings with other thresholds. The engine has ratios to the used bytes, and thresholds are shares of the
  /// file: a third of it is free at half of the used bytes.
  func with(_ thresholds: AutomaticThresholds) -> Self {
    var settings = self
    if let share = thresholds.startFreeShare { settings.freeToUsedTrigger = share / (1 - share) }
    if let share = thresholds.targetFreeShare { settings.limitFactor = 1 / (1 - share) }
    if let size = thresholds.minimumFile { settings.minimumFile = size.bytes }
    if let share = thresholds.commitShare { settings.commitShare = share }
    if let count = thresholds.backOffCommits { settings.backOffCommits = count }
    return settings
  }
}

extension EngineError {
  init(engine: String, _ error: StorageError) {
    let code: Code =
      switch error.code {
      case .corrupt, .notADatabase, .newerFormat, .truncated: .corrupt
      case .outOfSpace, .limitExceeded: .outOfSpace
      case .permissionDenied, .readOnly, .keyMissing, .keyWrong, .keyLength, .notEncrypted:
        .permissionDenied
      case .busy: .busy
      case .alreadyExists: .alreadyExists
      case .snapshotsHeld, .tooManyVersions: .snapshotsHeld
      case .unsupported: .unsupported
      case .poisoned, .displaced, .cancelled, .closed, .notFound, .failed: .failed
      }
    self.init(engine: engine, code: code, message: error.description)
  }
}
