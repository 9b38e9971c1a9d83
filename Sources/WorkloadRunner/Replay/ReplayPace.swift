// When a replay carries out what: at once, or at the recorded times, faster or slower.
import SystemIO

struct ReplayPace {
  /// How many times as fast as recorded; nil for as fast as it goes.
  private let speed: Double?
  private let now: () -> UInt64
  private let sleep: (_ untilNanoseconds: UInt64) -> Void
  /// Moments of the trace (in microseconds) and of the machine (in nanoseconds) that are one; nil before a launch.
  private var origin: (trace: Int, machine: UInt64)?

  init(
    speed: Double?, now: @escaping () -> UInt64 = Clock.monotonicNanoseconds,
    sleep: @escaping (UInt64) -> Void = { Clock.sleep(untilNanoseconds: $0) }
  ) {
    self.speed = speed
    self.now = now
    self.sleep = sleep
  }

  /// A launch begins at this time of the trace: the time since the one before is not waited for.
  mutating func launch(at time: Int) { origin = (time, now()) }

  /// Waits until the time of the trace has come.
  mutating func wait(for time: Int) {
    guard let speed else { return }
    guard let origin else { return launch(at: time) }
    let span = Double(time - origin.trace) * 1000 / speed
    let due = origin.machine + UInt64(min(max(span, 0), 1e18))
    if due > now() { sleep(due) }
  }
}
