// Opening a database at a launch: asks the policy, and enters in the book what came of it.
import EngineInterface
import MetricModel
import Policies
import SystemIO

struct LaunchOpening {
  var engine: any Engine
  var folder: FilePath
  var policy: Policy
  var recorder: Recorder
  /// Told that the policy said yes, so that a compaction is about to begin.
  var onYes: @Sendable () -> Void = {}
  /// Says more of an engine's reason, where the run knows who is behind it.
  var naming: (String) -> String = { $0 }

  /// Opens with these options, and asks the policy where it is to be asked.
  func open(_ options: SessionOptions) throws -> any EngineSession {
    var options = options
    if policy.onLaunch != .never {
      let (policy, recorder, onYes) = (policy, recorder, onYes)
      options.compactOnLaunch = { space in
        let compacts = policy.decideAtLaunch(recorder.observation(atLaunch: space)).compact
        if compacts { onYes() }
        return compacts
      }
    }
    let start = Clock.monotonicNanoseconds()
    let opened = try engine.open(folder, options)
    recorder.opened(nanoseconds: Clock.monotonicNanoseconds() - start)
    let launches = [opened.launch] + opened.launchOfOtherFiles
    // All of them first: what one file did is not to be seen by the question that another was asked.
    let events = launches.enumerated().compactMap { index, launch in
      event(for: launch).map { $0.of(file: index + 1, among: launches.count) }
    }
    for event in events { recorder.happened(event) }
    return opened.session
  }

  /// The launch's outcome as an event with the policy's own words; nil where nobody was asked.
  private func event(for outcome: LaunchOutcome) -> CompactionEvent? {
    func event(
      _ outcome: CompactionEvent.Outcome, _ space: SpaceUsage, after: SpaceUsage? = nil,
      rewritten: ByteCount = .zero, because reason: String? = nil
    ) -> CompactionEvent {
      let decision = policy.decideAtLaunch(recorder.observation(atLaunch: space))
      return CompactionEvent(
        kind: .onLaunch, outcome: outcome,
        reason: [decision.reason, reason.map(naming)].compactMap { $0 }
          .joined(separator: "; "),
        before: space.total, after: (after ?? space).total, rewritten: rewritten)
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

extension CompactionEvent {
  /// Says which file it happened in, where there is more than one.
  fileprivate func of(file: Int, among files: Int) -> Self {
    guard files > 1 else { return self }
    var event = self
    event.reason = "file \(file) of \(files): \(reason)"
    return event
  }
}
