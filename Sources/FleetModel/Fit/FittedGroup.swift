// The distributions of one group: weighted moments of logarithms, without what the devices' own errors add to the variance.
import Statistics

/// A quantity of a group with its evidence.
package struct FittedQuantity: Sendable, Hashable {
  package var distribution: QuantityDistribution
  /// The 95 % interval of the median.
  package var interval: Interval95?
  /// The 95 % interval of sigma.
  package var sigmaInterval: Interval95?
}

package struct Interval95: Sendable, Hashable {
  package var low: Double
  package var high: Double
}

package struct FittedGroup: Sendable {
  package var group: DeviceGroup
  /// The index of its kind, where several were measured.
  package var kind: Int
  /// The sum of the probabilities with which devices are of the group.
  package var devices: Double
  package var used: FittedQuantity
  package var growth: FittedQuantity
  package var commits: FittedQuantity?
  package var launches: FittedQuantity
  package var available: FittedQuantity?
  /// The largest difference between a correlation and that of the fitted activity.
  package var correlationError: Double

  /// A larger share of growing devices gives a log-normal growth of logarithms, a smaller one of moments.
  private static let growingShare = 0.9
  private static let defaultCommits = 100.0

  init(
    _ rates: [DeviceRates], weights: [Double], _ app: AppKind, kind: Int, missing: Double
  ) {
    let (model, template) = (app.model, app.template)
    self.kind = kind
    devices = weights.reduce(0, +)
    let used = LogMoments(
      rates.map { LogRatio.of($0.used * model.dataShare(used: $0.used)) },
      errors: rates.map { _ in 0 }, weights)
    let launches = LogMoments(
      rates.map { LogRatio.of($0.launchesPerDay / (1 - missing)) },
      errors: rates.map(\.launchesLogVariance), weights)
    let hasCommits = rates.allSatisfy { $0.commitsPerDay != nil }
    let commits =
      hasCommits
      ? LogMoments(
        rates.map { LogRatio.of($0.commitsPerDay ?? 1) }, errors: rates.map(\.commitsLogVariance),
        Self.weightsOfCommits(rates, weights)) : nil
    let growth = Self.growth(rates, weights, model)
    let varied = [used, launches, commits, growth.moments]
    let present = varied.compactMap { $0 }
    let correlations = present.map { a in present.map { b in a.correlation(with: b) } }
    let loadings = ActivityFactor.loadings(correlations)
    correlationError = ActivityFactor.largestError(loadings, correlations)
    var next = 0
    let activities = varied.map { moments -> Double in
      guard moments != nil else { return 0 }
      next += 1
      return loadings[next - 1]
    }
    self.used = used.quantity(activity: activities[0])
    self.launches = launches.quantity(activity: activities[1])
    self.commits = commits?.quantity(activity: activities[2])
    self.growth = growth.moments?.quantity(activity: activities[3]) ?? growth.quantity
    available = Self.available(rates, weights)
    group = template
    group.name = "all"
    group.share = devices
    group.data = self.used.distribution
    group.growth = self.growth.distribution
    group.commits = self.commits?.distribution ?? .fixed(Self.defaultCommits)
    group.launches = self.launches.distribution
    group.available = available?.distribution ?? template.available
  }

  /// Without devices whose sizes show no commits, unless nearly all are such.
  private static func weightsOfCommits(_ rates: [DeviceRates], _ weights: [Double]) -> [Double] {
    let own = zip(rates, weights).map { $0.showsNoCommits ? 0 : $1 }
    return own.reduce(0, +) * 10 > weights.reduce(0, +) ? own : weights
  }

  /// Growth as moments of logarithms where nearly all devices grow; else as the log-normal distribution with the mean and
  /// the variance of growth, less that of errors; else the mean; 0 where no growth is seen.
  private static func growth(
    _ rates: [DeviceRates], _ weights: [Double], _ model: any SpaceModel
  ) -> (moments: LogMoments?, quantity: FittedQuantity) {
    let sum = weights.reduce(0, +)
    func mean(_ value: (DeviceRates) -> Double) -> Double {
      zip(rates, weights).reduce(0) { $0 + value($1.0) * $1.1 } / sum
    }
    func data(_ device: DeviceRates) -> Double {
      device.growth * model.dataShare(used: device.used)
    }
    let growing = mean {
      $0.growth > DeviceRates.growthErrors * $0.growthError && $0.growth > 0 ? 1 : 0
    }
    if growing >= growingShare {
      let chosen = zip(rates, weights).map { device, weight in
        device.growth > 0 ? weight : 0
      }
      let moments = LogMoments(
        rates.map { LogRatio.of(max(data($0), 1e-3)) },
        errors: rates.map {
          let error = $0.growthError / max($0.growth, .leastNormalMagnitude)
          return min(1, error * error)
        }, chosen)
      return (moments, moments.quantity(activity: 0))
    }
    let average = mean(data)
    let spread = mean { (data($0) - average) * (data($0) - average) }
    let noise = mean { $0.growthError * $0.growthError }
    let error = (spread / max(1, sum)).squareRoot()
    guard average > 2 * error, average >= 1 else {
      return (nil, FittedQuantity(distribution: .fixed(0)))
    }
    let interval = Interval95(low: max(0, average - 1.96 * error), high: average + 1.96 * error)
    let variance = LogRatio.of(1 + max(0, spread - noise) / (average * average))
    guard variance > 1e-4 else {
      return (nil, FittedQuantity(distribution: .fixed(average), interval: interval))
    }
    let distribution = QuantityDistribution.logNormal(
      median: average / LogRatio.ratio(variance / 2), sigma: min(3, variance.squareRoot()))
    return (nil, FittedQuantity(distribution: distribution, interval: nil))
  }

  private static func available(
    _ rates: [DeviceRates], _ weights: [Double]
  ) -> FittedQuantity? {
    let logged = zip(rates, weights).filter { ($0.0.available ?? 0) > 0 }
    guard logged.count > 1, logged.count * 2 > rates.count else { return nil }
    return LogMoments(
      logged.map { LogRatio.of($0.0.available ?? 1) }, errors: logged.map { _ in 0 },
      logged.map(\.1)
    ).quantity(activity: 0)
  }

  /// The groups with shares and names, the largest group first.
  static func named(_ groups: [FittedGroup]) -> [FittedGroup] {
    let sum = groups.reduce(0) { $0 + $1.devices }
    let names =
      groups.count == 1
      ? ["all"]
      : groups.count == 2
        ? ["light", "heavy"] : groups.count == 3 ? ["light", "middle", "heavy"] : []
    let bySize = groups.indices.sorted {
      groups[$0].group.data.median < groups[$1].group.data.median
    }
    var named = groups
    for (rank, index) in bySize.enumerated() {
      named[index].group.name = rank < names.count ? names[rank] : "size-\(rank + 1)"
      named[index].group.share = groups[index].devices / sum
    }
    return named.sorted { $0.devices > $1.devices }
  }
}

/// Weighted moments of logarithms.
struct LogMoments {
  private let deviations: [Double]
  private let weights: [Double]
  private let mean: Double
  /// Without the variance that errors add.
  private let variance: Double
  private let largest: Double
  /// Devices, by Kish's formula.
  private let count: Double

  /// Errors are at most this share of the variance: what is left is never less than a tenth.
  private static let maxErrorShare = 0.9
  private static let minSigma = 0.001
  private static let maxSigma = 5.0
  /// No device has more than so many times what any in the log has.
  private static let beyondLargest = 10.0

  init(_ logarithms: [Double], errors: [Double], _ weights: [Double]) {
    let sum = max(weights.reduce(0, +), .leastNormalMagnitude)
    let mean = zip(logarithms, weights).reduce(0) { $0 + $1.0 * $1.1 } / sum
    deviations = logarithms.map { $0 - mean }
    let raw = zip(deviations, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 } / sum
    let noise = zip(errors, weights).reduce(0) { $0 + $1.0 * $1.1 } / sum
    self.mean = mean
    self.weights = weights
    variance = raw - min(noise, Self.maxErrorShare * raw)
    largest = zip(logarithms, weights).filter { $0.1 > 0.5 }.map(\.0).max() ?? mean
    count = sum * sum / max(weights.reduce(0) { $0 + $1 * $1 }, .leastNormalMagnitude)
  }

  /// The correlation of both quantities without errors, which are independent of each other; 0 within two standard errors.
  func correlation(with other: LogMoments) -> Double {
    let sum = max(zip(weights, other.weights).reduce(0) { $0 + min($1.0, $1.1) }, 1e-9)
    var product = 0.0
    for index in deviations.indices {
      product +=
        min(weights[index], other.weights[index]) * deviations[index]
        * other.deviations[index]
    }
    let scale = (variance * other.variance).squareRoot()
    guard scale > 1e-9 else { return 0 }
    let correlation = product / sum / scale
    return abs(correlation) < 2 / count.squareRoot() ? 0 : max(-0.99, min(0.99, correlation))
  }

  func quantity(activity: Double) -> FittedQuantity {
    let median = LogRatio.ratio(mean)
    let sigma = variance.squareRoot()
    let error = 1.96 * (variance / count).squareRoot()
    let interval = Interval95(
      low: LogRatio.ratio(mean - error), high: LogRatio.ratio(mean + error))
    guard sigma >= Self.minSigma else {
      return FittedQuantity(distribution: .fixed(median), interval: interval)
    }
    let spread = 1.96 * sigma / (2 * count).squareRoot()
    let limit = max(LogRatio.ratio(largest), median) * Self.beyondLargest
    return FittedQuantity(
      distribution: .logNormal(
        median: median, sigma: min(Self.maxSigma, sigma), activity: activity,
        greatest: min(limit, QuantityDistribution.maxValue)), interval: interval,
      sigmaInterval: Interval95(low: max(0, sigma - spread), high: sigma + spread))
  }
}
