// Snapshots held by the client's own thread, by a suspended task, or by an actor. They begin and end within their holder,
// and the schedule waits for both, so that the order of operations remains the schedule's.
import Dispatch
import ScenarioModel

/// Takes snapshots that one kind of holder holds.
struct SnapshotTaker: Sendable {
  private let kind: PinsSpec.Holder
  private let actor = HoldingActor()

  init(_ kind: PinsSpec.Holder) { self.kind = kind }

  /// Has the holder begin a snapshot with `open`. Returns the snapshot, and the handle that releases it.
  func take(
    _ open: @escaping @Sendable () throws -> HeldSnapshot
  ) throws -> (held: HeldSnapshot, handle: any SnapshotHandle) {
    switch kind {
    case .thread:
      let held = try open()
      return (held, held)
    case .tasks:
      let task = HoldingTask()
      return (try task.begin(open), task)
    case .actor:
      let actor = actor
      let (held, number) = try waitForTask { try await actor.take(open) }
      return (held, ActorHandle(actor, number))
    }
  }
}

/// A task that holds one snapshot while it is suspended.
private final class HoldingTask: SnapshotHandle {
  private let suspension = AsyncStream<Void>.makeStream()
  private let ended = DispatchSemaphore(value: 0)

  func begin(_ open: @escaping @Sendable () throws -> HeldSnapshot) throws -> HeldSnapshot {
    let taken = TaskResult<HeldSnapshot>()
    let (stream, ended) = (suspension.stream, ended)
    Task.detached {
      do {
        let held = try open()
        taken.set(.success(held))
        for await _ in stream {}
        held.release()
      } catch { taken.set(.failure(error)) }
      ended.signal()
    }
    return try taken.wait()
  }

  func release() {
    suspension.continuation.finish()
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

  func release(_ number: Int) { held.removeValue(forKey: number)?.release() }
}

private final class ActorHandle: SnapshotHandle {
  private let actor: HoldingActor
  private let number: Int

  init(_ actor: HoldingActor, _ number: Int) {
    self.actor = actor
    self.number = number
  }

  func release() {
    let (actor, number) = (actor, number)
    try? waitForTask { await actor.release(number) }
  }
}

/// The result of a task, for a thread that waits for it.
private final class TaskResult<Value: Sendable>: @unchecked Sendable {
  // Written before the signal and read after it.
  private var result: Result<Value, any Error>?
  private let isSet = DispatchSemaphore(value: 0)

  func set(_ result: Result<Value, any Error>) {
    self.result = result
    isSet.signal()
  }

  func wait() throws -> Value {
    isSet.wait()
    guard let result else { preconditionFailure("the semaphore was signaled without a result") }
    return try result.get()
  }
}

/// Runs the work in a task and waits for it. Must not be called from a task, since it blocks its thread.
private func waitForTask<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let result = TaskResult<Value>()
  Task.detached {
    do { result.set(.success(try await work())) } catch { result.set(.failure(error)) }
  }
  return try result.wait()
}
