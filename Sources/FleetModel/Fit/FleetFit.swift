// From the launches of a log to a population. Each device gives a point: the logarithms of its used bytes, launches and
// commits a day, and its growth. A mixture of normal distributions over these points finds the groups. Within a group each
// quantity is log-normal, its variance less what the device's own error adds, and one shared factor, activity, keeps the
// correlations.
import Statistics

/// What the log does not contain, and how it is fitted.
package struct FitOptions: Sendable {
  /// The app: engine, value, writes, replaced, keys and pins of every group.
  package var template: DeviceGroup
  /// The growth of free space after compactions; nil for one with a shape fitted to the log.
  package var model: (any SpaceModel)?
  /// Where several groups were measured, their templates and models, in place of the two above.
  package var kinds: [AppKind] = []
  /// The share of launches that the log lacks; nil where the log has a column for it.
  package var missingLaunches: Double?
  package var maxGroups = 4
  package var name: String
  package var source: String
  package var seed: UInt64 = 1

  package init(template: DeviceGroup, name: String, source: String) {
    self.template = template
    self.name = name
    self.source = source
  }

  /// Bytes that a commit leaves free at first, where nothing was measured: what it replaces, and the page on which it is.
  var bytesPerCommit: Double {
    Double(template.writes) * template.value.median + Self.pageSize
  }

  private static let pageSize = 4096.0
}

/// A population with the evidence for it.
package struct FittedFleet: Sendable {
  package var population: Population
  package var groups: [FittedGroup]
  package var counts: LogCounts
  package var devices: Int
  /// Devices whose logs are too short for rates.
  package var shortLogs: Int
  package var deviceShare: Double
  package var launches: Int
  package var days: Double
  package var missing: MissingLaunches
  package var model: String
  package var heldOut: HeldOutFit?
  /// How long opening took; nil where the log does not have it.
  package var stalls: LoggedStalls?
  /// What the log cannot tell, and what to log.
  package var advice: [String]
}

/// Why no population can be fitted, and what to do about it.
package struct FitError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

package enum FleetFit {
  /// Devices with which groups are found; all others are assigned to them.
  static let maxMixtureDevices = 2000
  static let minDevices = 10
  /// One in so many devices is held out.
  static let heldOutStride: UInt64 = 5

  /// Fits all devices, and four in five of them to be compared with the fifth.
  package static func fit(_ log: LaunchLog, _ options: FitOptions) throws(FitError) -> FittedFleet {
    let kinds = kinds(log, options)
    let all = RatesByKind(log.devices, kinds)
    guard all.count >= minDevices else {
      throw FitError(
        description:
          "\(all.count) of \(log.devices.count) devices have \(DeviceRates.minLaunches) launches over a day or more; a fit "
          + "needs \(minDevices): log for longer, or from more devices")
    }
    let rates = all.closest
    let missing = MissingLaunches(rates, given: options.missingLaunches)
    let groups = groups(all, missing, options)
    let population = Population(fitted: groups, options)
    let training = all.filter { !isHeldOut($0) }
    var heldOut: HeldOutFit?
    if training.count >= minDevices {
      let trained = self.groups(training, missing, options)
      heldOut = HeldOutFit(
        Population(fitted: trained, options), rates.filter(isHeldOut),
        trained.map { kinds[$0.kind].model })
    }
    return FittedFleet(
      population: population, groups: groups, counts: log.counts, devices: log.devices.count,
      shortLogs: log.devices.count - rates.count, deviceShare: log.deviceShare,
      launches: log.devices.reduce(0) { $0 + $1.rows.count }, days: log.days, missing: missing,
      model: summary(kinds, groups), heldOut: heldOut, stalls: LoggedStalls(log.devices),
      advice: LogAdvice.lines(log, rates, missing, options))
  }

  private static func kinds(_ log: LaunchLog, _ options: FitOptions) -> [AppKind] {
    guard options.kinds.isEmpty else { return options.kinds }
    let model =
      options.model
      ?? SaturatingSpace.fitted(log.devices, bytesPerCommit: options.bytesPerCommit)
    return [AppKind(template: options.template, model: model)]
  }

  private static func summary(_ kinds: [AppKind], _ groups: [FittedGroup]) -> String {
    guard kinds.count > 1 else { return kinds[0].model.summary }
    return groups.map { group in
      "\(group.group.name) by the measured curves of \(kinds[group.kind].template.name)"
    }.joined(separator: ", ") + ", of \(kinds.count) groups those that come closest"
  }

  private static func isHeldOut(_ rates: DeviceRates) -> Bool {
    // Devices are sampled by the low bits.
    (rates.hash >> 40) % heldOutStride == 0
  }

  private static func groups(
    _ all: RatesByKind, _ missing: MissingLaunches, _ options: FitOptions
  ) -> [FittedGroup] {
    var rates = all.closest
    var memberships = memberships(rates, missing, options)
    func kinds() -> [Int] {
      (memberships.first ?? []).indices.map { group in all.kind(of: memberships.map { $0[group] }) }
    }
    if all.kinds.count > 1 {
      // A single device's sizes may be closest to a kind that is not its own; those of its group are less often.
      rates = all.rates(memberships, kinds: kinds())
      memberships = self.memberships(rates, missing, options)
    }
    let fitted = kinds().enumerated().map { group, kind in
      FittedGroup(
        all.rates(as: kind), weights: memberships.map { $0[group] }, all.kinds[kind], kind: kind,
        missing: missing.share)
    }
    return FittedGroup.named(fitted)
  }

  /// Returns the probability of each group, by the device.
  private static func memberships(
    _ rates: [DeviceRates], _ missing: MissingLaunches, _ options: FitOptions
  ) -> [[Double]] {
    let features = DeviceFeatures(rates, missing: missing.share)
    let stride = max(1, (rates.count + maxMixtureDevices - 1) / maxMixtureDevices)
    let sample = Swift.stride(from: 0, to: rates.count, by: stride).map { features.points[$0] }
    let mixture = GaussianMixture.best(
      sample, maxComponents: options.maxGroups, seed: options.seed)
    return features.points.map { mixture?.memberships(of: $0) ?? [1] }
  }
}

/// The points in which groups are found: a device each, without coordinates that the log does not have.
struct DeviceFeatures {
  var points: [[Double]]

  init(_ rates: [DeviceRates], missing: Double) {
    // Where growth is within its error, the scale of the error keeps it from splitting groups.
    let scale = max(1, Quantiles.median(rates.map(\.growthError)) ?? 1)
    let hasCommits = rates.allSatisfy { $0.commitsPerDay != nil } && Self.determineCommits(rates)
    // In bytes, since the same sizes come from few large commits of one kind and many small ones of another.
    func written(_ device: DeviceRates) -> Double {
      LogRatio.of((device.commitsPerDay ?? 1) * device.bytesPerCommit)
    }
    // A device whose sizes show no commits is not of a group for that.
    let usual = Quantiles.median(rates.filter { !$0.showsNoCommits }.map(written)) ?? 0
    points = rates.map { device in
      var point = [
        LogRatio.of(device.used), LogRatio.of(device.launchesPerDay),
        Self.inverseSine(device.growth / (3 * scale)),
      ]
      if hasCommits { point.append(device.showsNoCommits ? usual : written(device)) }
      return point
    }
    // A coordinate that is alike in all devices tells none apart.
    let varied = (points.first ?? []).indices.filter { index in
      let values = points.map { $0[index] }
      return (values.max() ?? 0) - (values.min() ?? 0) > 1e-6
    }
    points = points.map { point in varied.map { point[$0] } }
  }

  /// The largest share of devices whose sizes leave their commits open: more of them would be a group of their own for that.
  private static let maxUndetermined = 0.1

  /// Whether the log determines the commits of so many devices that groups are told apart by them.
  private static func determineCommits(_ rates: [DeviceRates]) -> Bool {
    let undetermined = rates.count { $0.showsNoCommits || $0.isCommitsLowerBound }
    return Double(undetermined) <= maxUndetermined * Double(rates.count)
  }

  /// The inverse of the hyperbolic sine: linear around zero, logarithmic beyond.
  private static func inverseSine(_ value: Double) -> Double {
    let size = LogRatio.of(abs(value) + (value * value + 1).squareRoot())
    return value < 0 ? -size : size
  }
}
