// What this room keeps for each thread: a number that no other thread has had, and the tickets of property wrappers.
import Foundation

/// The calling thread's own. (Threads' handles of the system are given out again, so they do not tell threads apart.)
final class ThreadSeat {
  let number: UInt64
  /// Asked once: the system answers it with two calls.
  let isMain = Thread.isMainThread
  /// Drawn by the wrappers of an object while it is initialised.
  private(set) var nextTicket: UInt32 = 0

  private init() {
    number = Self.numbers.withLock { last in
      last += 1
      return last
    }
  }

  func drawTicket() -> UInt32 {
    defer { nextTicket &+= 1 }
    return nextTicket
  }

  private static let numbers = Guarded(UInt64(0))

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { seat in
      #if canImport(Darwin)
        Unmanaged<ThreadSeat>.fromOpaque(seat).release()
      #else
        if let seat { Unmanaged<ThreadSeat>.fromOpaque(seat).release() }
      #endif
    }
    precondition(result == 0, "A thread's own place could not be made: errno \(result).")
    return key
  }()

  static var current: ThreadSeat {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ThreadSeat>.fromOpaque(known).takeUnretainedValue()
    }
    let seat = ThreadSeat()
    pthread_setspecific(key, Unmanaged.passRetained(seat).toOpaque())
    return seat
  }
}

/// For wrappers that are initialised in other modules.
@usableFromInline
func drawTicket() -> UInt32 { ThreadSeat.current.drawTicket() }
