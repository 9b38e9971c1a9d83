// How far the virtual clock moves with a commit.
import MetricModel

enum CommitPace {
  /// A closed loop at this rate per second, with a pause after each commit.
  case rate(Double, think: VirtualTime)
  /// An open loop: the time at which the transaction was scheduled to begin.
  case due(VirtualTime)
}
