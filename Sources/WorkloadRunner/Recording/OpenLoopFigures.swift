// The figures of one open loop: how late its operations began, and how long they took.
import MetricModel
import RecordModel

/// One operation of an open loop; all times in nanoseconds.
struct OpenLoopOperation {
  /// When it ended, on the machine's clock.
  var end: UInt64
  /// From the time at which it was scheduled to begin until it began.
  var delay: UInt64
  /// From the time at which it was scheduled to begin until its end.
  var intended: UInt64
  /// From its beginning until its end.
  var service: UInt64
}

/// The figures of all operations so far.
struct OpenLoopFigures {
  var rate = 0.0
  var maximum: Double?
  private var greatestDelay: UInt64 = 0
  private var intended = LatencyHistogram()
  private var service = LatencyHistogram()

  mutating func add(_ operation: OpenLoopOperation) {
    greatestDelay = max(greatestDelay, operation.delay)
    intended.record(Int(operation.intended))
    service.record(Int(operation.service))
  }

  /// Returns the figures as the record of a run stores them.
  func load(of client: String) -> OpenLoad {
    OpenLoad(
      client: client, ratePerSecond: rate, maximumPerSecond: maximum,
      greatestDelay: Int(greatestDelay), intended: intended.summary, service: service.summary)
  }
}
