// Where an instance may be used. Swift's isolation checks most of this at compile time, since an instance is not
// Sendable; the rest is checked here, at each access.
import Dispatch
import Foundation

/// One thread, one serial queue or one actor; or no restriction, for frozen instances.
enum Confinement: @unchecked Sendable {
  case main
  case thread(UInt64, RunLoop)
  case queue(UInt64, DispatchQueue)
  case actor(any Actor)
  case unconfined

  /// The key by which a live instance of the same confinement is found.
  enum Key: Hashable {
    case main
    case thread(UInt64)
    case queue(UInt64)
    case actor(ObjectIdentifier)
  }

  static var currentThread: Confinement {
    isMain ? .main : .thread(ThreadLocalState.current.threadID, RunLoop.current)
  }

  static func on(_ queue: DispatchQueue) -> Confinement {
    if queue === DispatchQueue.main { return .main }
    if let known = queue.getSpecific(key: queueKey) { return .queue(known, queue) }
    let id = lastQueueID.withLock { last in
      last += 1
      return last
    }
    queue.setSpecific(key: queueKey, value: id)
    return .queue(id, queue)
  }

  static func on(_ actor: any Actor) -> Confinement {
    actor === MainActor.shared ? .main : .actor(actor)
  }

  /// When a program on Linux gives its main thread to Dispatch, other threads run the main queue and the main actor.
  @inline(__always)
  private static var isMain: Bool {
    ThreadLocalState.current.isMain || DispatchQueue.getSpecific(key: mainKey) != nil
  }

  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static let queueKey = DispatchSpecificKey<UInt64>()
  private static let lastQueueID = LockedValue(UInt64(0))

  /// nil for an unconfined instance, of which there may be many.
  var key: Key? {
    switch self {
    case .main: .main
    case .thread(let id, _): .thread(id)
    case .queue(let id, _): .queue(id)
    case .actor(let actor): .actor(ObjectIdentifier(actor))
    case .unconfined: nil
    }
  }

  /// Whether the caller may use the instance. For an actor other than the main one only Swift's runtime can check: a
  /// violation stops the program.
  @inline(__always)
  var isCurrent: Bool {
    switch self {
    case .main: return Self.isMain
    case .thread(let id, _): return ThreadLocalState.current.threadID == id
    case .queue(let id, _): return DispatchQueue.getSpecific(key: Self.queueKey) == id
    case .actor(let actor):
      actor.preconditionIsolated("A realm is used outside of the actor that it was opened for.")
      return true
    case .unconfined: return true
    }
  }

  /// The identifier of the only thread of the confinement, if the caller is on it; 0 otherwise. An access from this thread
  /// needs no further check.
  var onlyThreadID: UInt64 {
    let thread = ThreadLocalState.current
    switch self {
    case .main: return thread.isMain ? thread.threadID : 0
    case .thread(let id, _): return id
    case .queue, .actor, .unconfined: return 0
    }
  }

  var name: String {
    switch self {
    case .main: "main"
    case .thread(let id, _): "thread \(id)"
    case .queue(_, let queue): "queue \(queue.label)"
    case .actor(let actor):
      "actor \((actor as? any CustomStringConvertible)?.description ?? "\(type(of: actor))")"
    case .unconfined: "anywhere"
    }
  }

  /// Runs `body` later where the instance is confined: in the next turn of the thread's run loop, in a block of the queue,
  /// or in a task of the actor. On a thread that does not run its run loop it never runs.
  func schedule(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: DispatchQueue.main.async(execute: body)
    case .thread(_, let loop): loop.perform(body)
    case .queue(_, let queue): queue.async(execute: body)
    case .actor(let actor): Task { await actor.run(body) }
    case .unconfined: break
    }
  }
}

extension Actor {
  fileprivate func run(_ body: @Sendable () -> Void) { body() }
}
