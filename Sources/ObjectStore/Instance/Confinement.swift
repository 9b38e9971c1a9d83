// Where an instance may be used. Swift's own isolation keeps most of this at compile time, since an instance is not
// Sendable; what remains is found out here, at each access.
import Dispatch
import Foundation

/// One thread, one serial queue, one actor; or anywhere, which is what frozen instances are.
enum Confinement: @unchecked Sendable {
  case main
  case thread(UInt64, RunLoop)
  case queue(UInt64, DispatchQueue)
  case actor(any Actor)
  case anywhere

  /// By what instances of one confinement are found again.
  enum Key: Hashable {
    case main
    case thread(UInt64)
    case queue(UInt64)
    case actor(ObjectIdentifier)
  }

  /// The calling thread.
  static var here: Confinement {
    isMain ? .main : .thread(ThreadLocalState.current.number, RunLoop.current)
  }

  static func on(_ queue: DispatchQueue) -> Confinement {
    if queue === DispatchQueue.main { return .main }
    if let known = queue.getSpecific(key: queueKey) { return .queue(known, queue) }
    let number = queueNumbers.withLock { last in
      last += 1
      return last
    }
    queue.setSpecific(key: queueKey, value: number)
    return .queue(number, queue)
  }

  static func on(_ actor: any Actor) -> Confinement {
    actor === MainActor.shared ? .main : .actor(actor)
  }

  /// Where a program of Linux gives its main thread to Dispatch, other threads do what is on the main queue, and that
  /// is where the main actor is.
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
  private static let queueNumbers = LockedValue(UInt64(0))

  /// nil for what is not found again.
  var key: Key? {
    switch self {
    case .main: .main
    case .thread(let number, _): .thread(number)
    case .queue(let number, _): .queue(number)
    case .actor(let actor): .actor(ObjectIdentifier(actor))
    case .anywhere: nil
    }
  }

  /// Whether the caller is where the instance belongs. For an actor other than the main one only Swift can tell: where
  /// it says no, the program stops there and then.
  @inline(__always)
  var isHere: Bool {
    switch self {
    case .main: return Self.isMain
    case .thread(let number, _): return ThreadLocalState.current.number == number
    case .queue(let number, _): return DispatchQueue.getSpecific(key: Self.queueKey) == number
    case .actor(let actor):
      actor.preconditionIsolated("A realm is used outside of the actor that it was opened for.")
      return true
    case .anywhere: return true
    }
  }

  /// The number of the one thread that is always there, where there is one and it is the caller; 0 else. Who has it need
  /// not look further.
  var home: UInt64 {
    let seat = ThreadLocalState.current
    switch self {
    case .main: return seat.isMain ? seat.number : 0
    case .thread(let number, _): return number
    case .queue, .actor, .anywhere: return 0
    }
  }

  var name: String {
    switch self {
    case .main: "main"
    case .thread(let number, _): "thread \(number)"
    case .queue(_, let queue): "queue \(queue.label)"
    case .actor(let actor):
      "actor \((actor as? any CustomStringConvertible)?.description ?? "\(type(of: actor))")"
    case .anywhere: "anywhere"
    }
  }

  /// Runs `body` where the instance belongs, later: in the next turn of the thread's run loop, in a block of the queue,
  /// in a task of the actor. A thread that does not run its loop never comes to it.
  func schedule(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: DispatchQueue.main.async(execute: body)
    case .thread(_, let loop): loop.perform(body)
    case .queue(_, let queue): queue.async(execute: body)
    case .actor(let actor): Task { await actor.run(body) }
    case .anywhere: break
    }
  }
}

extension Actor {
  fileprivate func run(_ body: @Sendable () -> Void) { body() }
}
