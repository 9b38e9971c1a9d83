// The rates of one device in its log: size, growth, launches and commits, each with its error.
import Statistics

package struct DeviceRates: Sendable {
  package var hash: UInt64
  /// Days from the first launch in the log to the last.
  package var days: Double
  package var launches: Int
  /// Used bytes at the first launch.
  package var used: Double
  /// Used bytes at the last launch.
  package var lastUsed: Double
  /// Bytes by which used bytes grow in a day, and the standard error.
  package var growth: Double
  package var growthError: Double
  /// Logged launches a day, and the variance of the logarithm.
  package var launchesPerDay: Double
  package var launchesLogVariance: Double
  /// Commits a day; nil where the log does not determine them.
  package var commitsPerDay: Double?
  package var commitsLogVariance = 0.0
  /// Bytes of values that a commit writes, where devices of several kinds are compared; 1 otherwise.
  package var bytesPerCommit = 1.0
  /// The squares of what the space model misses of free ÷ used bytes, by which kinds of devices are told apart.
  package var spaceSquares = 0.0
  /// Whether sizes show no commits at all: a file that is written to within steps of its engine stays as large.
  var showsNoCommits: Bool {
    !countsCommits && (commitsPerDay ?? 1) < 2 * CommitRate.minRate
  }
  /// Whether commits were counted by the app.
  package var countsCommits = false
  /// Whether free bytes no longer rise, so that there may be more commits.
  package var isCommitsLowerBound = false
  package var compactions: Int
  package var loggedFalls: Int
  package var unloggedFalls: Int
  /// Launches between the first and the last by the app's own count; nil where it has none.
  package var countedLaunches: Int?
  package var available: Double?
  /// Whether the log has the column `compacted`.
  package var flagsCompactions: Bool

  /// A device with a shorter log does not determine a day's rates.
  package static let minDays = 1.0
  package static let minLaunches = 4
  /// Above this many standard errors a device grows.
  static let growthErrors = 3.0
  private static let blocks = 24

  /// - Returns: nil for a log that is too short.
  package init?(_ history: DeviceHistory, model: any SpaceModel) {
    let rows = history.rows
    guard rows.count >= Self.minLaunches, history.days >= Self.minDays,
      let first = rows.first, let last = rows.last
    else { return nil }
    hash = history.hash
    days = history.days
    launches = rows.count
    let line = Self.line(rows)
    growth = line.slope
    growthError = line.error
    used = max(1, line.start)
    lastUsed = Double(last.usedBytes)
    launchesPerDay = Double(rows.count - 1) / history.days
    launchesLogVariance = Self.gapVariance(rows)
    let generations = Generations(of: rows)
    compactions = generations.compactions
    loggedFalls = generations.logged
    unloggedFalls = generations.unlogged
    flagsCompactions = rows.contains { $0.compacted != .unknown }
    available = first.available >= 0 ? Double(first.available) : nil
    if first.launch >= 0, last.launch >= first.launch + Int32(rows.count - 1) {
      countedLaunches = Int(last.launch - first.launch)
    }
    if first.commits >= 0, last.commits > first.commits {
      commitsPerDay = Double(last.commits - first.commits) / history.days
      commitsLogVariance = 1 / Double(last.commits - first.commits)
      countsCommits = true
      spaceSquares = CommitRate.squares(
        generations, model.adapted(growth: max(0, line.slope), commitsPerDay: commitsPerDay ?? 0),
        rate: commitsPerDay ?? 0)
    } else if let found = CommitRate(generations, model).map({
      CommitRate(generations, model.adapted(growth: max(0, line.slope), commitsPerDay: $0.rate))
        ?? $0
    }) {
      commitsPerDay = found.rate
      commitsLogVariance = found.logVariance
      isCommitsLowerBound = found.isLowerBound
      spaceSquares = found.squares
    }
  }

  /// Raises commits that were found from sizes to those that the growth needs, each of which writes so many bytes of values.
  mutating func raiseCommits(writing bytes: Double, _ model: any SpaceModel) {
    guard !countsCommits, !showsNoCommits, let commits = commitsPerDay,
      growth > Self.growthErrors * growthError
    else { return }
    let needed = growth * model.dataShare(used: used) / bytes
    guard commits < needed else { return }
    commitsPerDay = needed
    isCommitsLowerBound = true
  }

  /// The line of used bytes over time: the median slope between means of equally many launches.
  private static func line(
    _ rows: [LaunchRow]
  ) -> (slope: Double, error: Double, start: Double) {
    let start = rows[0].days
    let count = min(blocks, rows.count)
    var x: [Double] = []
    var y: [Double] = []
    for block in 0..<count {
      let part = rows[(block * rows.count / count)..<((block + 1) * rows.count / count)]
      x.append(part.reduce(0) { $0 + $1.days - start } / Double(part.count))
      y.append(part.reduce(0) { $0 + Double($1.usedBytes) } / Double(part.count))
    }
    guard let estimate = RobustSlope.estimate(x: x, y: y) else {
      return (0, 0, Double(rows[0].usedBytes))
    }
    let error = (estimate.interval.high - estimate.interval.low) / (2 * 1.96)
    let intercepts = zip(x, y).map { $1 - estimate.slope * $0 }
    return (estimate.slope, error, Quantiles.median(intercepts) ?? y[0])
  }

  /// The variance of the logarithm of the launch rate, by the gaps between launches: squared coefficient of variation ÷ n.
  private static func gapVariance(_ rows: [LaunchRow]) -> Double {
    let gaps = zip(rows, rows.dropFirst()).map { $1.days - $0.days }
    let n = Double(gaps.count)
    let mean = gaps.reduce(0, +) / n
    guard mean > 0 else { return 1 / n }
    let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / n
    return variance / (mean * mean) / n
  }
}
