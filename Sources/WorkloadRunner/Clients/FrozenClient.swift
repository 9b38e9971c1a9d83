// Holds a sliding window of frozen objects, each of which pins the version that it was taken from.
import ScenarioModel

final class FrozenClient: CommitDrivenClient {
  let name: String
  private let spec: FrozenSpec
  private let context: ClientContext
  private var rows: RowReader
  private var window: [HeldSnapshot] = []
  private(set) var nextDue: Int?

  init(_ name: String, _ spec: FrozenSpec, _ context: ClientContext, _ rows: RowReader) {
    self.name = name
    self.spec = spec
    self.context = context
    self.rows = rows
  }

  func begin() throws { try act() }

  func act() throws {
    // The oldest is released first, so that no more than the window is ever held.
    if spec.window > 0, window.count == spec.window { window.removeFirst().release() }
    let held = try context.recorded.hold(name, as: .frozen)
    window.append(held)
    try rows.read(spec.reads, from: held.snapshot, timing: context.recorder)
    nextDue = context.recorder.position.commits + spec.takeEveryCommits
  }

  func end() {
    for held in window { held.release() }
    window.removeAll()
    nextDue = nil
  }
}
