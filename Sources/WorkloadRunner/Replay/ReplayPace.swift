// The times of a replay's operations: as fast as possible, or at the recorded times scaled by a speed.
import SystemIO

struct ReplayPace {
  /// How many times as fast as recorded; nil for as fast as possible.
  private let speed: Double?
  private let now: () -> UInt64
  private let sleep: (_ untilNanoseconds: UInt64) -> Void
  /// The beginning of the launch on the trace's clock (in microseconds) and on the machine's (in nanoseconds); nil before the
  /// first launch.
  private var origin: (trace: Int, machine: UInt64)?

  init(
    speed: Double?, now: @escaping () -> UInt64 = Clock.monotonicNanoseconds,
    sleep: @escaping (UInt64) -> Void = { Clock.sleep(untilNanoseconds: $0) }
  ) {
    self.speed = speed
    self.now = now
    self.sleep = sleep
  }

  /// Begins a launch at this time of the trace, without waiting for the gap before it.
  mutating func beginLaunch(at time: Int) { origin = (time, now()) }

  /// Waits until the machine's clock has reached this time of the trace.
  mutating func wait(for time: Int) {
    guard let speed else { return }
    guard let origin else { return beginLaunch(at: time) }
    let span = Double(time - origin.trace) * 1000 / speed
    let due = origin.machine + UInt64(min(max(span, 0), 1e18))
    if due > now() { sleep(due) }
  }
}
