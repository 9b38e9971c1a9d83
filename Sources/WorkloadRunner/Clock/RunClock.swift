// The clock of policies and samples. Under the stepped schedule only commits and the gaps between launches move it; under
// the threads schedule it is the machine's clock plus the gaps.
import MetricModel
import SystemIO

struct RunClock: Sendable {
  private var virtual = VirtualTime.zero
  private let startNanoseconds: UInt64?

  /// Creates a clock at zero: the machine's for the threads schedule, a virtual one for the stepped schedule.
  init(usesMachineTime: Bool) {
    startNanoseconds = usesMachineTime ? Clock.monotonicNanoseconds() : nil
  }

  var now: VirtualTime {
    guard let startNanoseconds else { return virtual }
    let elapsed = Clock.monotonicNanoseconds() - startNanoseconds
    return virtual + VirtualTime(microseconds: Int(elapsed / 1000))
  }

  /// Advances the virtual clock by one commit: of an open loop, to the time at which the commit was due, if that is later
  /// than now; of a closed loop, by the interval of its rate and its think time.
  mutating func advance(by pace: CommitPace) {
    guard startNanoseconds == nil else { return }
    switch pace {
    case .rate(let rate, let think): virtual = virtual + VirtualTime(seconds: 1 / rate) + think
    case .due(let time): virtual = max(virtual, time)
    }
  }

  /// Moves the virtual clock forward to a replayed time; an earlier time leaves the clock as it is.
  mutating func move(to time: VirtualTime) { virtual = max(virtual, time) }

  /// Advances the clock by a time in which the app did nothing or was not running.
  mutating func pass(_ gap: VirtualTime) { virtual = virtual + gap }
}
