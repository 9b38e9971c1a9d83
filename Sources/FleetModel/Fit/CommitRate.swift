// Commits a day of one device from the share of free bytes at its launches: the rate at which the space model comes closest
// to them, by least squares. Missing launches leave fewer points on the same curve, and so no bias.
import Statistics

struct CommitRate {
  /// Commits a day.
  var rate: Double
  /// The variance of the rate's logarithm.
  var logVariance: Double
  /// Whether the free bytes no longer rise with commits, so that the rate is only a lower bound.
  var isLowerBound: Bool
  /// The squares of the errors of free ÷ used bytes.
  var squares: Double

  static let minRate = 0.01
  static let maxRate = 1e8
  /// Above this variance of the logarithm, the sizes do not determine the rate.
  static let maxLogVariance = 0.25
  private static let maxPoints = 64
  private static let gridSize = 24

  /// - Returns: nil with fewer than three launches beside those that begin generations.
  init?(_ generations: Generations, _ model: any SpaceModel) {
    let curves = Self.curves(generations, model)
    let count = curves.reduce(0) { $0 + $1.points.count }
    guard count >= 3 else { return nil }
    func error(_ logRate: Double) -> Double {
      let rate = LogRatio.ratio(logRate)
      return curves.reduce(0) { $0 + $1.squares(rate, model) }
    }
    let (low, high) = (LogRatio.of(Self.minRate), LogRatio.of(Self.maxRate))
    let step = (high - low) / Double(Self.gridSize)
    let grid = (0...Self.gridSize).map { low + Double($0) * step }
    let values = grid.map(error)
    let best = values.firstIndex(of: values.min() ?? 0) ?? 0
    let found = Self.minimum(
      between: grid[max(0, best - 1)], and: grid[min(Self.gridSize, best + 1)], of: error)
    squares = error(found)
    let residual = max(squares, 1e-12) / Double(count - 1)
    // The sensitivity of all points to the logarithm of the rate.
    let delta = 0.05
    let slope = curves.reduce(0) { $0 + $1.sensitivity(found, delta, model) }
    logVariance = slope > 0 ? residual / slope : .infinity
    isLowerBound = logVariance > Self.maxLogVariance
    rate = LogRatio.ratio(
      isLowerBound
        ? Self.smallest(from: low, to: found, of: error, below: squares + 4 * residual)
        : found)
    if isLowerBound { logVariance = Self.maxLogVariance }
  }

  /// Returns the squares of the errors at a rate that is known.
  static func squares(_ generations: Generations, _ model: any SpaceModel, rate: Double) -> Double {
    curves(generations, model).reduce(0) { $0 + $1.squares(rate, model) }
  }

  /// The golden section.
  private static func minimum(
    between low: Double, and high: Double, of f: (Double) -> Double
  ) -> Double {
    let ratio = (5.0.squareRoot() - 1) / 2
    var (low, high) = (low, high)
    var (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
    var (fa, fb) = (f(a), f(b))
    while high - low > 1e-4 {
      if fa < fb {
        (high, b, fb) = (b, a, fa)
        a = high - ratio * (high - low)
        fa = f(a)
      } else {
        (low, a, fa) = (a, b, fb)
        b = low + ratio * (high - low)
        fb = f(b)
      }
    }
    return (low + high) / 2
  }

  /// The smallest argument with a value below the limit, of a function that falls.
  private static func smallest(
    from low: Double, to high: Double, of f: (Double) -> Double, below limit: Double
  ) -> Double {
    var (low, high) = (low, high)
    while high - low > 1e-3 {
      let middle = (low + high) / 2
      if f(middle) < limit { high = middle } else { low = middle }
    }
    return high
  }

  /// The generations with at most so many points in all, evenly chosen.
  private static func curves(_ generations: Generations, _ model: any SpaceModel) -> [Curve] {
    let count = generations.all.reduce(0) { $0 + $1.points.count }
    let stride = max(1, (count + maxPoints - 1) / maxPoints)
    var index = 0
    return generations.all.compactMap { generation in
      let points = generation.points.filter { _ in
        defer { index += 1 }
        return index % stride == 0
      }
      guard !points.isEmpty else { return nil }
      let data = generation.used * model.dataShare(used: max(1, generation.used))
      let commits = generation.initialShare.map { model.commits(data: data, freeShare: $0) }
      return Curve(data: data, initialCommits: commits ?? 0, points: points)
    }
  }

  private struct Curve {
    /// Bytes of values at the compaction.
    var data: Double
    var initialCommits: Double
    var points: [(days: Double, share: Double)]

    func squares(_ rate: Double, _ model: any SpaceModel) -> Double {
      points.reduce(0) { sum, point in
        let error = point.share - share(rate, point.days, model)
        return sum + error * error
      }
    }

    func sensitivity(_ logRate: Double, _ delta: Double, _ model: any SpaceModel) -> Double {
      let (less, more) = (LogRatio.ratio(logRate - delta), LogRatio.ratio(logRate + delta))
      return points.reduce(0) { sum, point in
        let change = share(more, point.days, model) - share(less, point.days, model)
        return sum + change * change / (4 * delta * delta)
      }
    }

    private func share(_ rate: Double, _ days: Double, _ model: any SpaceModel) -> Double {
      model.freeShare(data: data, commits: initialCommits + rate * days)
    }
  }
}
