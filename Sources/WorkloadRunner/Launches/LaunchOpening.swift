// Opens the database at a launch: asks the policy, and records the outcome.
import EngineInterface
import MetricModel
import Policies
import SystemIO

struct LaunchOpening {
  var engine: any Engine
  var folder: FilePath
  var policy: Policy
  var recorder: Recorder
  /// What is left on the disk before the opening.
  var freeDisk = ByteCount(LimitedDisk.unlimitedBytes)
  /// Whether the database is opened on a background thread.
  var isInBackground = false
  /// Whether the app itself is in the background: then no launch waits for the opening, whose time is not recorded, and only
  /// policies are asked that decide there, too.
  var isMoment = false
  /// Whether a policy may start a program.
  var allowsPrograms = false
  /// Called when the policy decides to compact, before the compaction begins.
  var onCompaction: @Sendable () -> Void = {}
  /// Makes an engine's reason more specific where the run can.
  var refineReason: (String) -> String = { $0 }

  /// Opens the database, and asks the policy if it decides at launches.
  func open(_ options: SessionOptions) throws -> any EngineSession {
    var options = options
    let decisions = try makeDecisions()
    if policy.onLaunch != .never, !isMoment || policy.decidesInBackground {
      let (recorder, onCompaction, isMoment) = (recorder, onCompaction, isMoment)
      options.compactOnLaunch = { space in
        let compacts = decisions.decide(space)
        if compacts, !isMoment {
          recorder.timeline.begin(.launchCompaction)
          onCompaction()
        }
        return compacts
      }
    }
    let start = Clock.monotonicNanoseconds()
    let opened: OpenedSession
    var blocked: UInt64?
    do {
      if isInBackground {
        let (engine, folder, options) = (engine, folder, options)
        let result = try BackgroundOpening().run { Result { try engine.open(folder, options) } }
        opened = try result.value.get()
        blocked = result.longestStall
      } else {
        opened = try engine.open(folder, options)
      }
    } catch {
      recorder.timeline.cancel(.launchCompaction)
      throw error
    }
    do { try decisions.check() } catch {
      recorder.timeline.cancel(.launchCompaction)
      try? opened.session.close()
      throw error
    }
    if !isMoment {
      recorder.record(openingNanoseconds: blocked ?? Clock.monotonicNanoseconds() - start)
    }
    let launches = [opened.launch] + opened.launchOfOtherFiles
    // The policy may want a compaction that the engine cannot do.
    if launches.contains(where: \.isCompaction), !isMoment {
      recorder.timeline.end(.launchCompaction)
    } else {
      recorder.timeline.cancel(.launchCompaction)
    }
    // Made before any is recorded: the observation for one file must not include the compaction of another.
    var asked: [LaunchedFile] = []
    let events = launches.enumerated().compactMap { index, launch in
      let found = event(for: launch, decisions, file: asked.count)
      if let file = launch.launchedFile { asked.append(file) }
      return found.map { $0.of(file: index + 1, among: launches.count) }
    }
    for event in events { recorder.record(event: event) }
    recorder.record(launched: asked)
    return opened.session
  }

  private func makeDecisions() throws(RunnerError) -> LaunchDecisions {
    if let program = policy.program, !allowsPrograms {
      throw RunnerError("exec: \(program.text) is not started without --allow-exec")
    }
    return LaunchDecisions(
      policy, recorder, freeDisk: freeDisk,
      program: policy.program.map { DecisionProgram(rule: $0) })
  }

  /// Returns the outcome as an event with the policy's reason; nil where no policy was asked. `file` is the index among the
  /// files that asked.
  private func event(
    for outcome: LaunchOutcome, _ decisions: LaunchDecisions, file: Int
  ) -> CompactionEvent? {
    func event(
      _ outcome: CompactionEvent.Outcome, _ space: SpaceUsage, after: SpaceUsage? = nil,
      rewritten: ByteCount = .zero, because reason: String? = nil
    ) -> CompactionEvent {
      let decision = decisions.decision(space, file: file)
      return CompactionEvent(
        kind: .onLaunch, outcome: outcome,
        reason: [decision.reason, reason.map(refineReason)].compactMap { $0 }
          .joined(separator: "; "),
        before: space.total, after: (after ?? space).total, rewritten: rewritten,
        callback: CallbackValues(space))
    }
    return switch outcome {
    case .notAsked: nil
    case .notCalled(let reason):
      CompactionEvent(
        kind: .onLaunch, outcome: .skipped, reason: reason, before: .zero, after: .zero,
        rewritten: .zero)
    case .declined(let space): event(.declined, space)
    case .skipped(let space, let reason): event(.skipped, space, because: reason)
    case .compacted(let before, let after, let rewritten):
      event(.finished, before, after: after, rewritten: rewritten)
    }
  }
}

extension LaunchOutcome {
  /// What a policy remembers of the file; nil where it was not asked.
  fileprivate var launchedFile: LaunchedFile? {
    switch self {
    case .notAsked, .notCalled: nil
    case .declined(let space), .skipped(let space, _):
      LaunchedFile(space: space, isCompacted: false)
    case .compacted(let before, _, _): LaunchedFile(space: before, isCompacted: true)
    }
  }

  fileprivate var isCompaction: Bool {
    if case .compacted = self { true } else { false }
  }
}

extension CompactionEvent {
  /// Returns the event with the number of its file in the reason, if there are several files.
  fileprivate func of(file: Int, among files: Int) -> Self {
    guard files > 1 else { return self }
    var event = self
    event.reason = "file \(file) of \(files): \(reason)"
    return event
  }
}
