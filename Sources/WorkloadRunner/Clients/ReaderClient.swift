// A thread that reads some rows, then blocks on a long operation while others write: thread A of Realm's documents.
import ScenarioModel

final class ReaderClient: CommitDrivenClient {
  let name: String
  private let spec: ReaderSpec
  private let context: ClientContext
  private var rows: RowReader
  private var held: HeldSnapshot?
  private(set) var nextDue: Int?

  init(_ name: String, _ spec: ReaderSpec, _ context: ClientContext, _ rows: RowReader) {
    self.name = name
    self.spec = spec
    self.context = context
    self.rows = rows
  }

  func begin() throws {
    let snapshot = try context.recorded.hold(name, as: .live)
    held = snapshot
    try rows.read(spec.reads, from: snapshot.snapshot, timing: context.recorder)
    switch spec.whileBlocked {
    case .holds: nextDue = nil
    case .invalidates: release()
    case .refreshes(let commits): nextDue = context.recorder.position.commits + commits
    }
  }

  func act() throws {
    guard case .refreshes(let commits) = spec.whileBlocked, let held else { return }
    try held.refresh()
    try rows.read(spec.reads, from: held.snapshot, timing: context.recorder)
    nextDue = context.recorder.position.commits + commits
  }

  func end() { release() }

  private func release() {
    held?.release()
    held = nil
    nextDue = nil
  }
}
