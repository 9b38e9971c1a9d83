// Opens a database on a thread of its own, as asynchronous opening does, while the thread that launches takes turns like an
// app's main thread: what holds that thread up is all that its user notices.
import SystemIO

struct BackgroundOpening {
  /// The time between two turns of a thread that is not held up.
  private static let turnMilliseconds = 1

  /// Called on the launching thread in each turn.
  var turn: () -> Void = {}

  /// Runs `open` on a thread of its own. Returns its result, and the longest time for which the calling thread was held up:
  /// by starting the other, or between two turns.
  func run<Value: Sendable>(
    _ open: @escaping @Sendable () -> Value
  ) throws(SystemError) -> (value: Value, longestStall: UInt64) {
    let outcome = Outcome<Value>()
    let began = Clock.monotonicNanoseconds()
    let thread = try SystemThread.start(name: "opening") { outcome.set(open()) }
    var last = Clock.monotonicNanoseconds()
    var longest = last - began
    var value: Value?
    while value == nil {
      turn()
      value = outcome.wait(atMostMilliseconds: Self.turnMilliseconds)
      let now = Clock.monotonicNanoseconds()
      let due = last + UInt64(Self.turnMilliseconds) * 1_000_000
      if now > due { longest = max(longest, now - due) }
      last = now
    }
    thread.join()
    guard let value else { preconditionFailure("The loop ends with a value.") }
    return (value, longest)
  }

  /// The result of the other thread.
  private final class Outcome<Value: Sendable>: @unchecked Sendable {
    private let mutex = ThreadMutex()
    private let condition = ThreadCondition()
    private var value: Value?

    func set(_ value: Value) {
      mutex.withLock {
        self.value = value
        condition.broadcast()
      }
    }

    func wait(atMostMilliseconds milliseconds: Int) -> Value? {
      mutex.withLock {
        if value == nil { condition.wait(mutex, atMostMilliseconds: milliseconds) }
        return value
      }
    }
  }
}
