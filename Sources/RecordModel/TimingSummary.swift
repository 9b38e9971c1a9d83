// What the wall clock showed of a repetition.
package import MetricModel

/// Figures of the wall clock: noise, to be compared side by side only. Nanoseconds.
package struct TimingSummary: Sendable, Codable, Equatable {
  package var commitLatency: LatencySummary
  package var readLatency: LatencySummary
  /// Of single rows inserted, overwritten or deleted within transactions.
  package var writeLatency: LatencySummary
  /// Of write transactions of open loops: from the time at which they were to begin until they were committed.
  package var intendedLatency: LatencySummary
  /// What open loops kept to, by client.
  package var openLoads: [OpenLoad]
  /// What looking cost: samples of the engine's account, and of the machine.
  package var sampling: SamplingCost
  /// From asking for the database until it is open, over all launches.
  package var blockedAtLaunchTotal: Int
  package var blockedAtLaunchMax: Int
  package var wall: Int
  package var processorTime: Int
  package var peakMemory: ByteCount

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

/// Nanoseconds; zero counts leave all of them zero.
package struct LatencySummary: Hashable, Sendable, Codable {
  package var count: Int
  package var p50: Int
  package var p99: Int
  package var max: Int

  /// Of nothing.
  package static let none = LatencySummary(count: 0, p50: 0, p99: 0, max: 0)

  package init(count: Int, p50: Int, p99: Int, max: Int) {
    self.count = count
    self.p50 = p50
    self.p99 = p99
    self.max = max
  }
}

/// How an open loop kept to its schedule, over all its phases.
package struct OpenLoad: Hashable, Sendable, Codable {
  package var client: String
  /// What it was to keep to in its last phase.
  package var ratePerSecond: Double
  /// What it had reached unhindered at the beginning of that phase, where the rate is a share of it.
  package var maximumPerSecond: Double?
  /// How long after its time the latest transaction began, in nanoseconds.
  package var greatestDelay: Int
  /// From the intended time until the commit returned, and from the actual beginning.
  package var intended: LatencySummary
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

/// What sampling took: how often, and how long in nanoseconds of the wall clock.
package struct SamplingCost: Hashable, Sendable, Codable {
  /// Samples of the engine's account, for which clients had to wait.
  package var samples: Int
  package var sampleNanoseconds: Int
  /// Looks at the files, the memory and the disk, on a thread of their own.
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
