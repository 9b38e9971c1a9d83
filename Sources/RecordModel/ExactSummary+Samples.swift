// The exact figures of a repetition, from its samples alone: whole numbers throughout, so that they repeat bit for bit.
package import MetricModel

extension ExactSummary {
  /// Sums up a repetition. Nothing is exact about a run without samples, so there is at least one.
  package init(samples: [Sample], requested: ByteCount, operations: Int) {
    guard let last = samples.last else {
      preconditionFailure("a repetition has a sample at every phase boundary, so never none")
    }
    self.init(
      highWater: samples.map(\.observation.space.total).max() ?? .zero,
      final: last.observation.space.total, finalLive: last.observation.space.live,
      timeWeighted: Self.timeWeighted(samples, whileOpen: false),
      timeWeightedOpen: Self.timeWeighted(samples, whileOpen: true),
      rewritten: last.rewritten, written: last.written, requested: requested,
      commits: last.observation.commits, operations: operations,
      samplesDigest: SampleDigest.of(samples))
  }

  /// The mean of `SpaceUsage.total` over virtual time, each sample standing until the next, rounded half up to a byte.
  ///
  /// `whileOpen` leaves out the time between launches. Where no time passed it is the plain last value.
  package static func timeWeighted(_ samples: [Sample], whileOpen: Bool) -> ByteCount {
    var area = Int128(0)
    var time = Int128(0)
    for (sample, next) in zip(samples, samples.dropFirst()) {
      if whileOpen, sample.observation.launch != next.observation.launch { continue }
      let span = Int128(next.observation.time.microseconds - sample.observation.time.microseconds)
      precondition(span >= 0, "samples are in the order of the virtual clock")
      area += Int128(sample.observation.space.total.bytes) * span
      time += span
    }
    guard time > 0 else { return samples.last?.observation.space.total ?? .zero }
    return ByteCount(Int((2 * area + time) / (2 * time)))
  }
}
