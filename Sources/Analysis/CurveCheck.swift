// Checks of expectations about a curve: its trend, maximum, growth, reclamation and rebound.
import MetricModel
import RecordModel
import ScenarioModel

struct CurveCheck {
  private let segment: Segment
  /// The same segment of the run to compare with.
  private let other: Segment?

  private struct Curve {
    var points: [(commits: Int, value: Double)]
    var isBytes: Bool

    func words(_ value: Double) -> String {
      isBytes ? ByteCount(Int(value.rounded())).description : value.threeDigits
    }

    /// The first of the largest values.
    var peak: (commits: Int, value: Double) {
      points.reduce(points[0]) { $1.value > $0.value ? $1 : $0 }
    }

    var rise: Double { points[points.count - 1].value - points[0].value }
  }

  private struct MissingValue: Error {
    var reason: String
  }

  init(_ segment: Segment, against other: Segment? = nil) {
    self.segment = segment
    self.other = other
  }

  /// Checks the trend of the last third of the curve.
  func shape(_ name: String, _ holds: (CurveShape, Bool) -> Bool) -> CheckResult {
    check(name) { curve in
      guard let shape = CurveShape(curve.points) else {
        let count = curve.points.count
        return .notApplicable(
          reason: "too few samples for a trend (\(count), at least 3 are needed)")
      }
      let slope = shape.slope.map { ", \(curve.words($0)) per commit" } ?? ""
      let evidence =
        "\(name) goes from \(curve.words(shape.begin)) to \(curve.words(shape.end)) over the last"
        + " \(counted(shape.commits, "commit"))\(slope)"
      let begin = (curve.points.last?.commits ?? 0) - shape.commits
      return holds(shape, curve.isBytes) ? .held(evidence) : .failed(evidence, at: begin)
    }
  }

  /// Checks the maximum.
  func highWater(
    _ name: String, _ comparison: Expectation.Comparison, _ limit: Expectation.Limit
  ) -> CheckResult {
    check(name) { curve in
      let peak = curve.peak
      let (bound, words) = try self.limit(limit, name, curve, "the maximum of") { $0.peak.value }
      let evidence =
        "\(name) reaches \(curve.words(peak.value)) at commit \(grouped(peak.commits)); the limit is \(words)"
      return comparison.holds(peak.value, bound)
        ? .held(evidence) : .failed(evidence, at: peak.commits)
    }
  }

  /// Checks the difference between the end and the start.
  func rise(
    _ name: String, _ comparison: Expectation.Comparison, _ limit: Expectation.Limit
  ) -> CheckResult {
    check(name) { curve in
      let (bound, words) = try self.limit(limit, name, curve, "the rise of") { $0.rise }
      let evidence =
        "\(name) rises by \(curve.words(curve.rise)), from \(curve.words(curve.points[0].value));"
        + " the limit is \(words)"
      return comparison.holds(curve.rise, bound)
        ? .held(evidence) : .failed(evidence, at: curve.points[curve.points.count - 1].commits)
    }
  }

  /// Returns the bound of a limit and its text; `measure` is the quantity that is limited.
  private func limit(
    _ limit: Expectation.Limit, _ name: String, _ own: Curve, _ what: String,
    _ measure: (Curve) -> Double
  ) throws -> (Double, words: String) {
    switch limit {
    case .value(let value): return (value, own.words(value))
    case .times(let factor, let other):
      let bound = factor * measure(try curve(other, of: segment.samples))
      return (bound, "\(own.words(bound)), \(factor.threeDigits) times \(what) \(other)")
    case .timesOther(let factor):
      guard let other else {
        throw MissingValue(reason: "the cell to compare with has no sample there")
      }
      let value = measure(try curve(name, of: other.samples))
      return (
        factor * value,
        "\(own.words(factor * value)), \(factor.threeDigits) times \(own.words(value))"
      )
    }
  }

  /// Checks the rebound after the minimum.
  func rebound(_ name: String, _ factor: Double) -> CheckResult {
    check(name) { curve in
      let rebound = Rebound(curve.points)
      let (minimum, peak) = (curve.words(rebound.minimum), curve.words(rebound.peak))
      guard let ratio = rebound.ratio else {
        return rebound.peak == 0
          ? .held("\(name) stays zero")
          : .failed("\(name) rises from zero to \(peak)", at: rebound.peakCommit)
      }
      let evidence =
        "\(name) rises from \(minimum) at commit \(grouped(rebound.minimumCommit)) to"
        + " \(peak) at commit \(grouped(rebound.peakCommit)), \(ratio.threeDigits) times"
      return ratio <= factor ? .held(evidence) : .failed(evidence, at: rebound.peakCommit)
    }
  }

  /// Checks how many commits after their release it is back at its value before snapshots were held.
  func reclaimed(_ name: String, _ commits: Int) -> CheckResult {
    let releases = segment.indices(of: .release)
    var evidence: String?
    for release in releases {
      let lastUnpinned = segment.launchSamples[..<release].lastIndex { $0.observation.pins == 0 }
      let result = check(name, of: segment.launchSamples) { curve in
        // If the launch starts with snapshots held, the value before them is unknown.
        let reclaim = Reclaim(
          curve.points, release: release, lastUnpinned: lastUnpinned, within: commits)
        let words =
          "\(name) was \(curve.words(reclaim.before)) before the snapshots and"
          + " \(curve.words(reclaim.atRelease)) at their release at commit \(grouped(reclaim.release))"
        if let commits = reclaim.commitsToRecover {
          return .held("\(words), and is back after \(counted(commits, "commit"))")
        }
        let rest =
          "still \(curve.words(reclaim.lastValue)) after \(counted(reclaim.commitsObserved, "commit"))"
        return .failed("\(words), and is \(rest)", at: reclaim.release + reclaim.commitsObserved)
      }
      guard case .held(let words) = result else { return result }
      evidence = evidence ?? words
    }
    return evidence.map { .held($0) } ?? .notApplicable(reason: "no snapshot was released there")
  }

  /// Runs a check on the samples after each such event.
  func following(
    _ event: Expectation.Event, _ commits: Int, _ check: ([Sample]) -> CheckResult
  ) -> CheckResult {
    let indices = segment.indices(of: event)
    var evidence: String?
    for index in indices {
      let begin = segment.launchSamples[index].observation.commits
      switch check(Array(segment.launchSamples[index...])) {
      case .held(let words):
        evidence = evidence ?? "\(event.rawValue) at commit \(grouped(begin)): \(words)"
      case .failed(let words, let commit):
        return .failed("\(event.rawValue) at commit \(grouped(begin)): \(words)", at: commit)
      case .notApplicable(let reason): return .notApplicable(reason: reason)
      }
    }
    return evidence.map { .held($0) } ?? .notApplicable(reason: "no \(event.rawValue) there")
  }

  private func check(
    _ name: String, of samples: [Sample]? = nil, _ body: (Curve) throws -> CheckResult
  ) -> CheckResult {
    do {
      return try body(try curve(name, of: samples ?? segment.samples))
    } catch let missing as MissingValue {
      return .notApplicable(reason: missing.reason)
    } catch {
      preconditionFailure("only missing values are thrown: \(error)")
    }
  }

  private func curve(_ name: String, of samples: [Sample]) throws -> Curve {
    guard let variable = ObservedVariable.named(name) else {
      throw MissingValue(reason: "there is no variable \(name)")
    }
    var points: [(commits: Int, value: Double)] = []
    for sample in samples {
      guard let value = variable.value(sample.seen) else {
        throw MissingValue(reason: "the engine does not report \(name)")
      }
      points.append((sample.observation.commits, value))
    }
    return Curve(points: points, isBytes: variable.unit == .bytes)
  }
}
