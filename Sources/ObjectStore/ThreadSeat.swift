// What this room keeps for each thread: a number that no other thread has had, and the tickets of property wrappers.
import Foundation

/// The calling thread's own, in memory of its own: an object that is made looks here once for each of its properties, so
/// that costs no reference counting. (Threads' handles of the system are given out again, so they do not tell threads
/// apart.)
struct ThreadSeat {
  /// From 1 on.
  let number: UInt64
  /// Asked once: the system answers it with two calls.
  let isMain: Bool
  /// Drawn by the wrappers of an object while it is initialised.
  var nextTicket: UInt32 = 0

  private static let numbers = Guarded(UInt64(0))

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { seat in
      #if canImport(Darwin)
        seat.deallocate()
      #else
        seat?.deallocate()
      #endif
    }
    precondition(result == 0, "A thread's own place could not be made: errno \(result).")
    return key
  }()

  /// Valid on this thread, as long as it lives.
  @inline(__always)
  static var current: UnsafeMutablePointer<ThreadSeat> {
    if let known = pthread_getspecific(key) {
      return known.assumingMemoryBound(to: ThreadSeat.self)
    }
    return make()
  }

  @inline(never)
  private static func make() -> UnsafeMutablePointer<ThreadSeat> {
    let number = numbers.withLock { last in
      last += 1
      return last
    }
    let seat = UnsafeMutablePointer<ThreadSeat>.allocate(capacity: 1)
    seat.initialize(to: ThreadSeat(number: number, isMain: Thread.isMainThread))
    pthread_setspecific(key, seat)
    return seat
  }
}

/// For wrappers that are initialised in other modules.
@usableFromInline
func drawTicket() -> UInt32 {
  let seat = ThreadSeat.current
  let ticket = seat.pointee.nextTicket
  seat.pointee.nextTicket = ticket &+ 1
  return ticket
}
