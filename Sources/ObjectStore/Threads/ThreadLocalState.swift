// What this room keeps for each thread: a number that no other thread has had, and the tickets of property wrappers.
import Foundation
import SystemIO

/// The calling thread's own, in two words that it has from its beginning: an object that is made looks here once for each
/// of its properties. (Threads' handles of the system are given out again, so they do not tell threads apart.)
struct ThreadLocalState {
  private let words: UnsafeMutablePointer<UInt64>

  @inline(__always)
  static var current: ThreadLocalState { ThreadLocalState(words: ThreadWords.current) }

  /// Drawn by the wrappers of an object while it is initialised.
  @inline(__always)
  var nextTicket: UInt32 {
    get { UInt32(truncatingIfNeeded: words[0]) }
    nonmutating set { words[0] = UInt64(newValue) }
  }

  /// From 1 on.
  @inline(__always)
  var number: UInt64 { fact >> 1 }

  @inline(__always)
  var isMain: Bool { fact & 1 != 0 }

  /// The number, and in the last bit whether it is the main thread, which the system answers with two calls.
  @inline(__always)
  private var fact: UInt64 { words[1] != 0 ? words[1] : begin() }

  @inline(never)
  private func begin() -> UInt64 {
    let number = Self.numbers.withLock { last in
      last += 1
      return last
    }
    words[1] = number << 1 | (Thread.isMainThread ? 1 : 0)
    return words[1]
  }

  private static let numbers = LockedValue(UInt64(0))
}

/// For wrappers that are initialised in other modules.
@usableFromInline
func drawTicket() -> UInt32 {
  let seat = ThreadLocalState.current
  let ticket = seat.nextTicket
  seat.nextTicket = ticket &+ 1
  return ticket
}
