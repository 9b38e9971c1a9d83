// Takes snapshots one after the other; each goes when its lifetime is over, or is lost and goes with its launch.
import Generators
import ScenarioModel

final class PinsClient: PinningClient {
  let name: String
  private let spec: PinsSpec
  private let context: ClientContext
  private let taker: SnapshotTaker
  private var rows: RowReader
  private var lifetimes: LifetimeChooser
  private var held: [(due: Int, grip: any Grip)] = []
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
    // The new ones come first where both are due: who overlaps never leaves a gap.
    if let nextTake, nextTake <= commits { try take() }
    for pin in held where pin.due <= commits { pin.grip.letGo() }
    held.removeAll { $0.due <= commits }
  }

  private func take() throws {
    let commits = context.recorder.position.commits
    nextTake = commits + spec.takeEveryCommits
    for _ in 0..<spec.atOnce where spec.maxHeld == 0 || held.count < spec.maxHeld {
      let (snapshot, grip) = try takeOne()
      if let lifetime = lifetimes.next() {
        held.append((commits + lifetime, grip))
      } else {
        context.leftovers.leak(grip)
      }
      try rows.read(spec.reads, from: snapshot.snapshot, timing: context.recorder)
    }
  }

  private func takeOne() throws -> (held: HeldSnapshot, grip: any Grip) {
    let (name, context) = (name, context)
    guard spec.heldBy == .actor, context.holdsByInstances else {
      return try taker.take { try context.hold(name) }
    }
    // Instances of an actor are opened for it: the engine has the actor.
    let held = try context.hold(name, as: .actor)
    return (held, held)
  }

  func end() {
    for pin in held { pin.grip.letGo() }
    held = []
    nextTake = nil
  }
}
