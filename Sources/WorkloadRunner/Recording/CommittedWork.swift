// What one write transaction did, as its client tells the recorder.
import MetricModel

struct CommittedWork {
  /// How the virtual clock moves.
  enum Pace {
    /// A closed loop at this rate per second, with a pause.
    case rate(Double, think: VirtualTime)
    /// An open loop: the transaction was to begin then.
    case due(VirtualTime)
  }

  var pace: Pace
  var operations = 0
  var requestedBytes = 0
  /// From asking for the writer's place until the commit returned.
  var nanoseconds: UInt64 = 0
  /// From the time at which it was to begin, on the wall clock; nil in a closed loop and on the virtual clock.
  var sinceIntended: UInt64?
  /// Keeps the compiler from dropping reads.
  var touched: UInt64 = 0

  init(pace: Pace) { self.pace = pace }
}
