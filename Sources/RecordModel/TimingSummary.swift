// The wall-clock figures of a repetition.
package import MetricModel

/// Wall-clock figures in nanoseconds: noisy, to be compared side by side only.
package struct TimingSummary: Sendable, Codable, Equatable {
  package var commitLatency: LatencySummary
  package var readLatency: LatencySummary
  /// The latencies of single rows inserted, overwritten or deleted within transactions.
  package var writeLatency: LatencySummary
  /// The latencies of write transactions of open loops: from the scheduled time to the commit.
  package var intendedLatency: LatencySummary
  /// The rates and delays of open loops, by client.
  package var openLoads: [OpenLoad]
  /// How long transactions waited for the write lock in phases of several writers under the threads schedule; nil
  /// without such.
  package var lockWait: LatencyPercentiles?
  /// All clients of lookups together; nil for none.
  package var lookups: LookupSpan?
  /// The cost of measuring the engine and the machine.
  package var sampling: SamplingCost
  /// The time for which opening the database held up the launching thread, over all launches.
  package var blockedAtLaunchTotal: Int
  package var blockedAtLaunchMax: Int
  package var wall: Int
  package var processorTime: Int
  package var peakMemory: ByteCount
  /// The largest of all readings of memory that belongs to no file, and of pages of mapped files; nil where the system does
  /// not report them, and in records of earlier versions.
  package var peakAnonymousMemory: ByteCount?
  package var peakFileMemory: ByteCount?

  package init(
    commitLatency: LatencySummary, readLatency: LatencySummary,
    writeLatency: LatencySummary = .none, intendedLatency: LatencySummary = .none,
    openLoads: [OpenLoad] = [], sampling: SamplingCost = SamplingCost(),
    blockedAtLaunchTotal: Int,
    blockedAtLaunchMax: Int, wall: Int, processorTime: Int, peakMemory: ByteCount
  ) {
    self.commitLatency = commitLatency
    self.readLatency = readLatency
    self.writeLatency = writeLatency
    self.intendedLatency = intendedLatency
    self.openLoads = openLoads
    self.sampling = sampling
    self.blockedAtLaunchTotal = blockedAtLaunchTotal
    self.blockedAtLaunchMax = blockedAtLaunchMax
    self.wall = wall
    self.processorTime = processorTime
    self.peakMemory = peakMemory
  }
}

/// Latencies in nanoseconds: their count, two percentiles and the maximum. All are zero if the count is.
package struct LatencySummary: Hashable, Sendable, Codable {
  package var count: Int
  package var p50: Int
  package var p99: Int
  package var max: Int

  /// The summary of no latencies.
  package static let none = LatencySummary(count: 0, p50: 0, p99: 0, max: 0)

  package init(count: Int, p50: Int, p99: Int, max: Int) {
    self.count = count
    self.p50 = p50
    self.p99 = p99
    self.max = max
  }
}

/// The rate and the delays of an open loop over all its phases.
package struct OpenLoad: Hashable, Sendable, Codable {
  package var client: String
  /// The scheduled rate of its last phase.
  package var ratePerSecond: Double
  /// The rate without a schedule, measured at the start of that phase, if the scheduled rate is a share of it.
  package var maximumPerSecond: Double?
  /// The largest delay between a scheduled and the actual start, in nanoseconds.
  package var greatestDelay: Int
  /// The times from the intended start of each transaction until its commit returned.
  package var intended: LatencySummary
  /// The times from the actual start of each transaction until its commit returned.
  package var service: LatencySummary

  package init(
    client: String, ratePerSecond: Double, maximumPerSecond: Double?, greatestDelay: Int,
    intended: LatencySummary, service: LatencySummary
  ) {
    self.client = client
    self.ratePerSecond = ratePerSecond
    self.maximumPerSecond = maximumPerSecond
    self.greatestDelay = greatestDelay
    self.intended = intended
    self.service = service
  }
}

/// The cost of sampling: counts, and nanoseconds of the wall clock.
package struct SamplingCost: Hashable, Sendable, Codable {
  /// The number of samples of the engine, for which clients had to wait.
  package var samples: Int
  package var sampleNanoseconds: Int
  /// The number of samples of files, memory and disk, taken on a separate thread.
  package var looks: Int
  package var lookNanoseconds: Int

  package init(
    samples: Int = 0, sampleNanoseconds: Int = 0, looks: Int = 0, lookNanoseconds: Int = 0
  ) {
    self.samples = samples
    self.sampleNanoseconds = sampleNanoseconds
    self.looks = looks
    self.lookNanoseconds = lookNanoseconds
  }

  package var nanoseconds: Int { sampleNanoseconds + lookNanoseconds }
}
