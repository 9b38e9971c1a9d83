// How long the lookups of a phase go on under the threads schedule, and the pauses between them, which the end of the phase
// cuts short.
import ScenarioModel
import SystemIO

/// Safe to use from many threads.
final class LookupPace: Sendable {
  private let lock = ThreadMutex()
  private let ended = ThreadCondition()
  private let isOver = SharedFlag()
  /// The time at which lookups end; nil without one.
  let deadline: UInt64?
  let begin: UInt64

  init(_ extent: LookupExtent?) {
    begin = Clock.monotonicNanoseconds()
    if case .time(let time) = extent {
      deadline = begin + UInt64(time.microseconds) * 1000
    } else {
      deadline = nil
    }
  }

  /// Whether another transaction may begin now.
  var isOpen: Bool {
    guard !isOver.isSet else { return false }
    guard let deadline else { return true }
    return Clock.monotonicNanoseconds() < deadline
  }

  /// Ends all lookups after their current transactions, and all pauses.
  func end() {
    lock.withLock {
      isOver.set()
      ended.broadcast()
    }
  }

  /// Waits until the clock shows `due`. Returns false where the lookups end before.
  func wait(untilNanoseconds due: UInt64) -> Bool {
    if let deadline, due >= deadline { return false }
    let now = Clock.monotonicNanoseconds()
    // A condition wakes late by up to a millisecond or so; the rest is waited for exactly.
    if due > now + 3_000_000 {
      lock.withLock {
        while !isOver.isSet {
          let now = Clock.monotonicNanoseconds()
          guard due > now + 3_000_000 else { break }
          ended.wait(lock, atMostMilliseconds: Int((due - now) / 1_000_000) - 2)
        }
      }
    }
    guard !isOver.isSet else { return false }
    Clock.wait(untilNanoseconds: due)
    return true
  }
}
