// The exact figures of a repetition, computed from its samples in whole numbers, so that they are reproducible bit for bit.
package import MetricModel

/// Sums up samples one by one in constant memory.
package struct ExactSums: Sendable {
  private var highWater = ByteCount.zero
  private var last: Sample?
  private var all = Area()
  private var open = Area()

  /// Size times time; each sample counts until the next.
  private struct Area: Sendable {
    var area = Int128(0)
    var time = Int128(0)

    mutating func add(_ sample: Sample, until next: Sample) {
      let span = Int128(next.observation.time.microseconds - sample.observation.time.microseconds)
      precondition(span >= 0, "samples are in the order of the virtual clock")
      area += Int128(sample.observation.space.total.bytes) * span
      time += span
    }

    /// Rounded half up to a byte; nil if no time passed.
    var mean: ByteCount? {
      time > 0 ? ByteCount(Int((2 * area + time) / (2 * time))) : nil
    }
  }

  package init() {}

  package mutating func add(_ sample: Sample) {
    highWater = max(highWater, sample.observation.space.total)
    if let last {
      all.add(last, until: sample)
      if last.observation.launch == sample.observation.launch { open.add(last, until: sample) }
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
    return ExactSummary(
      highWater: highWater, final: final, finalLive: last.observation.space.live,
      timeWeighted: all.mean ?? final, timeWeightedOpen: open.mean ?? final,
      rewritten: last.rewritten, written: last.written, requested: requested,
      commits: last.observation.commits, operations: operations,
      samplesDigest: SampleDigest.of(recorded))
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
