// The clock that policies and samples see. Under the stepped schedule it is moved by commits and by the gaps between
// launches alone; under the threads schedule it is the machine's, plus the gaps.
import MetricModel
import SystemIO

struct RunClock: Sendable {
  private var virtual = VirtualTime.zero
  private let startNanoseconds: UInt64?

  /// A clock for the schedule, at zero.
  init(usesMachineTime: Bool) {
    startNanoseconds = usesMachineTime ? Clock.monotonicNanoseconds() : nil
  }

  var now: VirtualTime {
    guard let startNanoseconds else { return virtual }
    let elapsed = Clock.monotonicNanoseconds() - startNanoseconds
    return virtual + VirtualTime(microseconds: Int(elapsed / 1000))
  }

  /// A transaction was committed: of an open loop, at the time at which it was due or later; of a closed one, as long
  /// after the one before as the rate and the time to think say.
  mutating func commit(_ pace: CommittedWork.Pace) {
    guard startNanoseconds == nil else { return }
    switch pace {
    case .rate(let rate, let think): virtual = virtual + VirtualTime(seconds: 1 / rate) + think
    case .due(let time): virtual = max(virtual, time)
    }
  }

  /// A replay has come to this time, which is never before the one that it had.
  mutating func move(to time: VirtualTime) { virtual = max(virtual, time) }

  /// The app was not running for this long.
  mutating func pass(_ gap: VirtualTime) { virtual = virtual + gap }
}
