// State of each thread: an identifier that no other thread has had, and the ticket counter of property wrappers.
import Foundation
import SystemIO

/// The calling thread's state, in two words of thread-local storage: creating an object reads it once for each of its
/// properties. (The system reuses its thread handles, so they do not identify a thread.)
struct ThreadLocalState {
  private let words: UnsafeMutablePointer<UInt64>

  @inline(__always)
  static var current: ThreadLocalState { ThreadLocalState(words: ThreadWords.current) }

  /// The ticket of the next property wrapper that is initialized on this thread.
  @inline(__always)
  var nextTicket: UInt32 {
    get { UInt32(truncatingIfNeeded: words[0]) }
    nonmutating set { words[0] = UInt64(newValue) }
  }

  /// Identifies the thread; the first thread that is asked has 1.
  @inline(__always)
  var threadID: UInt64 { identity >> 1 }

  @inline(__always)
  var isMain: Bool { identity & 1 != 0 }

  /// The identifier, and in the lowest bit whether this is the main thread: asking the system takes two calls.
  @inline(__always)
  private var identity: UInt64 { words[1] != 0 ? words[1] : assignIdentity() }

  @inline(never)
  private func assignIdentity() -> UInt64 {
    let id = Self.lastID.withLock { last in
      last += 1
      return last
    }
    words[1] = id << 1 | (Thread.isMainThread ? 1 : 0)
    return words[1]
  }

  private static let lastID = LockedValue(UInt64(0))
}

/// Returns the ticket of a wrapper that is being initialized, in this module or another.
@usableFromInline
func drawTicket() -> UInt32 {
  let state = ThreadLocalState.current
  let ticket = state.nextTicket
  state.nextTicket = ticket &+ 1
  return ticket
}
