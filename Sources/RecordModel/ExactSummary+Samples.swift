// The exact figures of a repetition, computed from its samples in whole numbers, so that they are reproducible bit for bit.
package import MetricModel
import Objective

/// Sums up samples one by one in constant memory.
package struct ExactSums: Sendable {
  private var highWater = ByteCount.zero
  private var last: Sample?
  private var all = Area()
  private var open = Area()
  /// Live data; nil once a sample did not report them.
  private var live: ByteTime? = .zero

  /// Size times time; each sample counts until the next.
  private struct Area: Sendable {
    var area = ByteTime.zero
    var time = VirtualTime.zero

    mutating func add(_ sample: Sample, for span: VirtualTime) {
      area = area + ByteTime(sample.observation.space.total, for: span)
      time = time + span
    }

    /// Rounded half up to a byte; nil if no time passed.
    var mean: ByteCount? { area.mean(over: time) }
  }

  package init() {}

  package mutating func add(_ sample: Sample) {
    highWater = max(highWater, sample.observation.space.total)
    if let last {
      let span = sample.observation.time - last.observation.time
      precondition(span >= .zero, "samples are in the order of the virtual clock")
      all.add(last, for: span)
      if last.observation.launch == sample.observation.launch { open.add(last, for: span) }
      live = live.flatMap { sum in
        last.observation.space.live.map { sum + ByteTime($0, for: span) }
      }
    }
    last = sample
  }

  /// Returns the summary. At least one sample must have been added.
  ///
  /// - Parameter recorded: the rows of samples.csv.
  package func summary(recorded: [Sample], requested: ByteCount, operations: Int) -> ExactSummary {
    guard let last else {
      preconditionFailure("a repetition has a sample at every phase boundary")
    }
    let final = last.observation.space.total
    var summary = ExactSummary(
      highWater: highWater, final: final, finalLive: last.observation.space.live,
      timeWeighted: all.mean ?? final, timeWeightedOpen: open.mean ?? final,
      rewritten: last.rewritten, written: last.written, requested: requested,
      commits: last.observation.commits, operations: operations,
      samplesDigest: SampleDigest.of(recorded))
    (summary.area, summary.liveArea, summary.time) = (all.area, live, all.time)
    return summary
  }
}

extension ExactSummary {
  /// Summarizes a repetition whose samples were all recorded.
  package init(samples: [Sample], requested: ByteCount, operations: Int) {
    var sums = ExactSums()
    for sample in samples { sums.add(sample) }
    self = sums.summary(recorded: samples, requested: requested, operations: operations)
  }

  /// The mean of `SpaceUsage.total` over virtual time. `whileOpen` leaves out the time between launches. Where no time
  /// passed it is the plain last value.
  package static func timeWeighted(_ samples: [Sample], whileOpen: Bool) -> ByteCount {
    guard !samples.isEmpty else { return .zero }
    let summary = ExactSummary(samples: samples, requested: .zero, operations: 0)
    return whileOpen ? summary.timeWeightedOpen : summary.timeWeighted
  }
}
