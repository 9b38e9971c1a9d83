// Takes snapshots one after the other. Each is released at the end of its lifetime, or is leaked until its launch ends.
import Generators
import ScenarioModel

final class PinsClient: CommitDrivenClient {
  let name: String
  private let spec: PinsSpec
  private let context: ClientContext
  private let taker: SnapshotTaker
  private var rows: RowReader
  private var lifetimes: LifetimeChooser
  private var held: [(due: Int, handle: any SnapshotHandle)] = []
  private var nextTake: Int?

  init(
    _ name: String, _ spec: PinsSpec, _ context: ClientContext, _ rows: RowReader,
    lifetimes: LifetimeChooser
  ) {
    self.name = name
    self.spec = spec
    self.context = context
    self.rows = rows
    self.lifetimes = lifetimes
    taker = SnapshotTaker(spec.heldBy)
  }

  func begin() throws { try take() }

  var nextDue: Int? { ([nextTake] + held.map(\.due)).compactMap { $0 }.min() }

  func act() throws {
    let commits = context.recorder.position.commits
    // Where both are due, the new snapshots are taken first: overlapping pins leave no gap.
    if let nextTake, nextTake <= commits { try take() }
    for pin in held where pin.due <= commits { pin.handle.release() }
    held.removeAll { $0.due <= commits }
  }

  private func take() throws {
    let commits = context.recorder.position.commits
    nextTake = commits + spec.takeEveryCommits
    for _ in 0..<spec.atOnce where spec.maxHeld == 0 || held.count < spec.maxHeld {
      let (snapshot, handle) = try takeOne()
      if let lifetime = lifetimes.next() {
        held.append((commits + lifetime, handle))
      } else {
        context.leftovers.leak(handle)
      }
      try rows.read(spec.reads, from: snapshot.snapshot, timing: context.recorder)
    }
  }

  private func takeOne() throws -> (held: HeldSnapshot, handle: any SnapshotHandle) {
    let (name, context) = (name, context)
    guard spec.heldBy == .actor, context.recorded.holdsByInstances else {
      return try taker.take { try context.recorded.hold(name) }
    }
    // The engine opens instances for an actor of its own.
    let held = try context.recorded.hold(name, as: .actor)
    return (held, held)
  }

  func end() {
    for pin in held { pin.handle.release() }
    held = []
    nextTake = nil
  }
}
