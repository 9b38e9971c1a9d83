// Who has a snapshot in its hands: the client's own thread, a task that is suspended meanwhile, or an actor. Snapshots are
// taken and let go within them, and the schedule waits for both, so that the order stays the schedule's.
import Dispatch
import ScenarioModel

/// Takes snapshots into the hands of one kind of holder.
struct SnapshotTaker: Sendable {
  private let kind: PinsSpec.Holder
  private let actor = HoldingActor()

  init(_ kind: PinsSpec.Holder) { self.kind = kind }

  /// The snapshot that `open` begins, and who has it from now on.
  func take(
    _ open: @escaping @Sendable () throws -> HeldSnapshot
  ) throws -> (held: HeldSnapshot, grip: any Grip) {
    switch kind {
    case .thread:
      let held = try open()
      return (held, held)
    case .tasks:
      let task = HoldingTask()
      return (try task.begin(open), task)
    case .actor:
      let actor = actor
      let (held, number) = try waiting { try await actor.take(open) }
      return (held, ActorGrip(actor, number))
    }
  }
}

/// A task that holds one snapshot while it is suspended.
private final class HoldingTask: Grip {
  private let gate = AsyncStream<Void>.makeStream()
  private let ended = DispatchSemaphore(value: 0)

  func begin(_ open: @escaping @Sendable () throws -> HeldSnapshot) throws -> HeldSnapshot {
    let taken = Answer<HeldSnapshot>()
    let (stream, ended) = (gate.stream, ended)
    Task.detached {
      do {
        let held = try open()
        taken.give(.success(held))
        for await _ in stream {}
        held.end()
      } catch { taken.give(.failure(error)) }
      ended.signal()
    }
    return try taken.wait()
  }

  func letGo() {
    gate.continuation.finish()
    ended.wait()
  }
}

/// An actor whose state holds snapshots.
private actor HoldingActor {
  private var held: [Int: HeldSnapshot] = [:]
  private var taken = 0

  func take(_ open: @Sendable () throws -> HeldSnapshot) throws -> (HeldSnapshot, Int) {
    let snapshot = try open()
    taken += 1
    held[taken] = snapshot
    return (snapshot, taken)
  }

  func letGo(_ number: Int) { held.removeValue(forKey: number)?.end() }
}

private final class ActorGrip: Grip {
  private let actor: HoldingActor
  private let number: Int

  init(_ actor: HoldingActor, _ number: Int) {
    self.actor = actor
    self.number = number
  }

  func letGo() {
    let (actor, number) = (actor, number)
    try? waiting { await actor.letGo(number) }
  }
}

/// What a task answers to a thread that waits for it.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  // Written before the signal and read after it.
  private var value: Result<Value, any Error>?
  private let given = DispatchSemaphore(value: 0)

  func give(_ value: Result<Value, any Error>) {
    self.value = value
    given.signal()
  }

  func wait() throws -> Value {
    given.wait()
    guard let value else { preconditionFailure("an answer was waited for that nobody gave") }
    return try value.get()
  }
}

/// Runs the work in a task and waits for it. Never called from a task: it blocks its thread.
private func waiting<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let answer = Answer<Value>()
  Task.detached {
    do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
  }
  return try answer.wait()
}
