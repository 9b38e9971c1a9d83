// Simulated devices beside the same ones really run: per device, per quantile, and in the order of policies.
import Statistics

/// What a device was drawn with.
package struct DeviceTraits: Hashable, Sendable, Codable {
  package var number: Int
  /// Bytes of all values on the first day, and of one.
  package var data: Double
  package var value: Double
  /// Bytes of values a day.
  package var growth: Double
  package var commitsPerDay: Double
  package var launchesPerDay: Double

  package init(_ device: Device) {
    number = device.number
    data = device.data
    value = device.value
    growth = device.growth
    commitsPerDay = device.commitsPerDay
    launchesPerDay = device.launchesPerDay
  }
}

/// One device under one policy, walked and really run.
package struct DevicePair: Hashable, Sendable, Codable {
  package var device: DeviceTraits
  /// The index of its group.
  package var group: Int
  /// The index of the policy.
  package var policy: Int
  package var simulated: DeviceOutcome
  package var real: DeviceOutcome
  /// The device really run again, with other rows; nil if it was not.
  package var twin: DeviceOutcome?

  package init(
    device: DeviceTraits, group: Int, policy: Int, simulated: DeviceOutcome, real: DeviceOutcome,
    twin: DeviceOutcome? = nil
  ) {
    self.device = device
    self.group = group
    self.policy = policy
    self.simulated = simulated
    self.real = real
    self.twin = twin
  }
}

/// All pairs of a comparison, and what they were made with.
package struct FleetAgreement: Hashable, Sendable, Codable {
  package var population: String
  package var seed: UInt64
  package var days: Double
  /// The largest data of a device on its first day.
  package var maxData: Double
  /// Devices that were passed over because their data are larger.
  package var passedOver: Int
  package var groups: [GroupSummary]
  package var policies: [NamedRule]
  /// In the order of the devices, and for each of the policies.
  package var pairs: [DevicePair]
  /// Where the times of compactions are from; nil where they are not known.
  package var costs: String?

  package struct NamedRule: Hashable, Sendable, Codable {
    package var name: String
    package var rule: String

    package init(name: String, rule: String) {
      self.name = name
      self.rule = rule
    }
  }

  package init(
    population: String, seed: UInt64, days: Double, maxData: Double, passedOver: Int,
    groups: [GroupSummary], policies: [NamedRule], pairs: [DevicePair], costs: String? = nil
  ) {
    self.population = population
    self.seed = seed
    self.days = days
    self.maxData = maxData
    self.passedOver = passedOver
    self.groups = groups
    self.policies = policies
    self.pairs = pairs
    self.costs = costs
  }

  /// Why no comparison can have given this; nil if one can.
  package var flaw: String? {
    guard !pairs.isEmpty else { return "has no device" }
    let isKnown = pairs.allSatisfy {
      groups.indices.contains($0.group) && policies.indices.contains($0.policy)
    }
    return isKnown ? nil : "has a device of no group or policy"
  }

  /// The engines of the groups, each once.
  package var engines: [String] {
    groups.reduce(into: []) { if !$0.contains($1.engine) { $0.append($1.engine) } }
  }

  /// The figures that are compared. What a policy sees has no times; they are estimates of the same model on both sides.
  package var figures: [FleetFigure] {
    [.finalSize, .largestSize, .amplification, .compactions, .rewritten]
      + (costs == nil ? [] : [.longestStall])
  }

  /// The pairs of an engine, under one policy or all.
  package func pairs(of engine: String, policy: Int? = nil) -> [DevicePair] {
    pairs.filter {
      groups[$0.group].engine == engine && (policy == nil || $0.policy == policy)
    }
  }

  package func devices(of engine: String) -> Int {
    Set(pairs(of: engine).map(\.device.number)).count
  }

  var years: Double { days / FleetSimulation.daysPerYear }

  /// Returns how far a figure of these devices is off; nil where it is 0 in all of them, on both sides.
  package func errors(_ figure: FleetFigure, in pairs: [DevicePair]) -> AgreementErrors? {
    AgreementErrors(
      pairs.map {
        (figure.value($0.simulated, years: years), figure.value($0.real, years: years))
      })
  }

  /// Returns a quantile of these devices' figure, simulated and real; nil without devices.
  package func quantile(
    _ share: Double, of figure: FleetFigure, in pairs: [DevicePair]
  ) -> (simulated: Double, real: Double)? {
    let simulated = pairs.map { figure.value($0.simulated, years: years) }
    let real = pairs.map { figure.value($0.real, years: years) }
    guard let a = Quantiles.quantile(share, of: simulated),
      let b = Quantiles.quantile(share, of: real)
    else { return nil }
    return (a, b)
  }
}
