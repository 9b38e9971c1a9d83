// What a report needs of a simulation, as a file has it.

/// A quantile over the fleet, with an interval where the devices are enough for one.
package struct FleetQuantile: Hashable, Sendable, Codable {
  package var share: Double
  package var value: Double
  /// Contains the quantile of a fleet without end with a probability of 95 %.
  package var low: Double?
  package var high: Double?
}

/// One figure of all devices.
package struct FigureSummary: Hashable, Sendable, Codable {
  package var figure: FleetFigure
  package var quantiles: [FleetQuantile]
  /// The largest of all devices.
  package var worst: Double
  package var mean: Double
  /// The shares of devices that are better and worse off than under the first policy: smaller is better.
  package var smallerShare: Double
  package var largerShare: Double
  /// The distribution over the fleet; empty for figures that are not drawn.
  package var exceedance: [ExceedancePoint]

  package static let shares = [0.5, 0.9, 0.99, 0.999]

  package func value(_ share: Double) -> FleetQuantile? {
    quantiles.first { $0.share == share }
  }
}

/// All figures under one policy.
package struct PolicySummary: Hashable, Sendable, Codable {
  package var name: String
  package var rule: String
  package var figures: [FigureSummary]
  /// Quantiles of the file's size at equally spaced moments, by the shares of `FigureSummary`.
  package var sizes: [[Double]]
  /// The share of devices whose largest size is above each limit.
  package var aboveSizes: [Double]
  /// The share of devices with a stall above each limit.
  package var aboveStalls: [Double]
  /// The share of launches with a turnover that no curve has.
  package var shareBeyondCurves: Double

  package func figure(_ figure: FleetFigure) -> FigureSummary? {
    figures.first { $0.figure == figure }
  }
}

/// A simulated fleet under all policies.
package struct FleetSummary: Hashable, Sendable, Codable {
  package var population: String
  package var seed: UInt64
  package var devices: Int
  package var years: Double
  /// Limits that shares of devices are reported for, in bytes and in nanoseconds.
  package var sizeLimits: [Double]
  package var stallLimits: [Double]
  package var policies: [PolicySummary]
  /// By group: its name, engine with version, and the errors of interpolation.
  package var groups: [GroupSummary]
  /// Where the times of compactions are from; nil where they are not known.
  package var costs: String?
}

/// What the curves of a group are worth.
package struct GroupSummary: Hashable, Sendable, Codable {
  package var name: String
  package var engine: String
  package var engineVersion: String
  package var errors: InterpolationErrors?
  /// Nine in ten single compactions are between the estimate divided by this and multiplied by it; nil where times are not
  /// known.
  package var stallFactor: Double?

  package init(
    name: String, engine: String, engineVersion: String, errors: InterpolationErrors? = nil,
    stallFactor: Double? = nil
  ) {
    self.name = name
    self.engine = engine
    self.engineVersion = engineVersion
    self.errors = errors
    self.stallFactor = stallFactor
  }
}

extension FleetSimulation {
  /// Returns the summary of all devices' tallies.
  package func summary(
    _ tallies: [PolicyTally], devices: Int, sizeLimits: [Double] = [], stallLimits: [Double] = [],
    costs: String? = nil
  ) -> FleetSummary {
    FleetSummary(
      population: curves.population.name, seed: curves.population.seed, devices: devices,
      years: years, sizeLimits: sizeLimits, stallLimits: stallLimits,
      policies: zip(tests, tallies).map { test, tally in
        tally.summary(
          test.policy.name, test.policy.rule, sizeLimits, stallLimits, hasCosts: costs != nil)
      },
      groups: groupSummaries, costs: costs)
  }

  /// What the curves of each group are worth.
  package var groupSummaries: [GroupSummary] {
    zip(curves.groups, stalls).map { group, stall in
      GroupSummary(
        name: group.group, engine: group.engine, engineVersion: group.engineVersion,
        errors: group.errors, stallFactor: stall?.nineInTenFactor)
    }
  }
}

extension PolicyTally {
  fileprivate func summary(
    _ name: String, _ rule: String, _ sizeLimits: [Double], _ stallLimits: [Double], hasCosts: Bool
  ) -> PolicySummary {
    let figures = FleetFigure.allCases.filter { hasCosts || $0.unit != .nanoseconds }
    let largest = sketch(of: .largestSize)
    return PolicySummary(
      name: name, rule: rule, figures: figures.map(summary),
      sizes: sizes.map { sketch in
        FigureSummary.shares.map { sketch.quantile($0) ?? 0 }
      },
      aboveSizes: sizeLimits.map(largest.share),
      aboveStalls: hasCosts ? stallLimits.map(sketch(of: .longestStall).share) : [],
      shareBeyondCurves: Double(launchesBeyondCurves) / Double(max(1, launches)))
  }

  private func summary(_ figure: FleetFigure) -> FigureSummary {
    let sketch = sketch(of: figure)
    let index = FleetFigure.allCases.firstIndex(of: figure) ?? 0
    let count = Double(max(1, sketch.count))
    return FigureSummary(
      figure: figure,
      quantiles: FigureSummary.shares.map { share in
        let interval = sketch.interval(of: share)
        return FleetQuantile(
          share: share, value: (sketch.quantile(share) ?? 0) / figure.scale,
          low: interval.map { $0.lowerBound / figure.scale },
          high: interval.map { $0.upperBound / figure.scale })
      }, worst: max(0, sketch.maximum) / figure.scale, mean: (sketch.mean ?? 0) / figure.scale,
      smallerShare: Double(smaller[index]) / count, largerShare: Double(larger[index]) / count,
      exceedance: figure.isDrawn ? sketch.exceedance(scale: figure.scale) : [])
  }
}
