// Moves the write-ahead log into the file, once or every few commits. The outcome is a line in the next sample.
import EngineInterface
import MetricModel
import RecordModel
import ScenarioModel

final class CheckpointClient: CommitDrivenClient {
  let name: String
  private(set) var nextDue: Int?
  let holdsBackWriters = false
  private let spec: CheckpointSpec
  private let context: ClientContext

  init(_ name: String, _ spec: CheckpointSpec, _ context: ClientContext) {
    self.name = name
    self.spec = spec
    self.context = context
  }

  func begin() throws {
    guard spec.everyCommits == nil else { return scheduleNext() }
    try checkpoint()
  }

  func act() throws {
    try checkpoint()
    scheduleNext()
  }

  func end() { nextDue = nil }

  private func scheduleNext() {
    nextDue = spec.everyCommits.map { context.recorder.position.commits + $0 }
  }

  private func checkpoint() throws {
    let timeline = context.recorder.timeline
    timeline.begin(.checkpoint, label: spec.mode.rawValue)
    defer { timeline.end(.checkpoint, label: spec.mode.rawValue) }
    let outcome = try context.session
      .require((any Checkpointing).self, for: "a \(spec.mode.rawValue) checkpoint")
      .checkpoint(spec.mode)
    context.recorder.annotateNextSample(
      "\(spec.mode.rawValue) checkpoint: \(outcome.isBusy ? "busy; " : "")\(outcome.movedPages) of "
        + "\(outcome.loggedPages) pages in the log are in the file")
  }
}
