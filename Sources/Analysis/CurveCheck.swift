// Expectations of a curve's shape: how it ends, how high it comes, how soon it is back, how far it rises again.
import MetricModel
import RecordModel
import ScenarioModel

struct CurveCheck {
  private let stretch: Stretch
  /// The same of the run that this one is held against.
  private let other: Stretch?

  private struct Curve {
    var points: [(commits: Int, value: Double)]
    var isBytes: Bool

    func words(_ value: Double) -> String {
      isBytes ? ByteCount(Int(value.rounded())).description : value.threeDigits
    }

    /// The first of the greatest.
    var peak: (commits: Int, value: Double) {
      points.reduce(points[0]) { $1.value > $0.value ? $1 : $0 }
    }

    var rise: Double { points[points.count - 1].value - points[0].value }
  }

  private struct Untold: Error {
    var reason: String
  }

  init(_ stretch: Stretch, against other: Stretch? = nil) {
    self.stretch = stretch
    self.other = other
  }

  /// What the last third of the curve is like.
  func shape(_ name: String, _ holds: (CurveShape, Bool) -> Bool) -> StretchResult {
    told(name) { curve in
      guard let shape = CurveShape(curve.points) else {
        let count = curve.points.count
        return .notApplicable(reason: "too few samples for a trend (\(count), at least 3)")
      }
      let slope = shape.slope.map { ", \(curve.words($0)) per commit" } ?? ""
      let evidence =
        "\(name) goes from \(curve.words(shape.begin)) to \(curve.words(shape.end)) over the last"
        + " \(counted(shape.commits, "commit"))\(slope)"
      let begin = (curve.points.last?.commits ?? 0) - shape.commits
      return holds(shape, curve.isBytes) ? .held(evidence) : .failed(evidence, at: begin)
    }
  }

  /// How high it comes.
  func highWater(
    _ name: String, _ comparison: Expectation.Comparison, _ limit: Expectation.Limit
  ) -> StretchResult {
    told(name) { curve in
      let peak = curve.peak
      let (bound, words) = try self.limit(limit, name, curve, "the greatest") { $0.peak.value }
      let evidence =
        "\(name) comes to \(curve.words(peak.value)) at commit \(grouped(peak.commits)); the limit is \(words)"
      return comparison.holds(peak.value, bound)
        ? .held(evidence) : .failed(evidence, at: peak.commits)
    }
  }

  /// What it has at the end above what it had at the begin.
  func rise(
    _ name: String, _ comparison: Expectation.Comparison, _ limit: Expectation.Limit
  ) -> StretchResult {
    told(name) { curve in
      let (bound, words) = try self.limit(limit, name, curve, "the rise of") { $0.rise }
      let evidence =
        "\(name) rises by \(curve.words(curve.rise)), from \(curve.words(curve.points[0].value));"
        + " the limit is \(words)"
      return comparison.holds(curve.rise, bound)
        ? .held(evidence) : .failed(evidence, at: curve.points[curve.points.count - 1].commits)
    }
  }

  /// The bound that a limit comes to, and how to say it; `measure` is what is limited.
  private func limit(
    _ limit: Expectation.Limit, _ name: String, _ own: Curve, _ what: String,
    _ measure: (Curve) -> Double
  ) throws -> (Double, words: String) {
    switch limit {
    case .value(let value): return (value, own.words(value))
    case .times(let factor, let other):
      let bound = factor * measure(try curve(other, of: stretch.samples))
      return (bound, "\(own.words(bound)), \(factor.threeDigits) times \(what) \(other)")
    case .timesOther(let factor):
      guard let other else { throw Untold(reason: "the other cell has no sample there") }
      let value = measure(try curve(name, of: other.samples))
      return (
        factor * value,
        "\(own.words(factor * value)), \(factor.threeDigits) times \(own.words(value))"
      )
    }
  }

  /// How far it rises after its least value.
  func rebound(_ name: String, _ factor: Double) -> StretchResult {
    told(name) { curve in
      let rebound = Rebound(curve.points)
      let (least, peak) = (curve.words(rebound.least), curve.words(rebound.peak))
      guard let ratio = rebound.ratio else {
        return rebound.peak == 0
          ? .held("\(name) stays zero")
          : .failed("\(name) rises from zero to \(peak)", at: rebound.peakCommit)
      }
      let evidence =
        "\(name) rises from \(least) at commit \(grouped(rebound.minimumCommit)) to"
        + " \(peak) at commit \(grouped(rebound.peakCommit)), \(ratio.threeDigits) times"
      return ratio <= factor ? .held(evidence) : .failed(evidence, at: rebound.peakCommit)
    }
  }

  /// How soon it is back where it was before snapshots were held.
  func reclaimed(_ name: String, _ commits: Int) -> StretchResult {
    let releases = stretch.places(of: .release)
    var evidence: String?
    for release in releases {
      let pinned = stretch.whole[..<release].lastIndex { $0.observation.pins == 0 }
      let result = told(name, of: stretch.whole) { curve in
        // Where the launch began with snapshots held, nothing is known of before.
        let reclaim = Reclaim(curve.points, release: release, calm: pinned, within: commits)
        let words =
          "\(name) was \(curve.words(reclaim.before)) before the snapshots and"
          + " \(curve.words(reclaim.atRelease)) at their release at commit \(grouped(reclaim.release))"
        if let back = reclaim.back {
          return .held("\(words), and is back \(counted(back, "commit")) later")
        }
        let left =
          "still \(curve.words(reclaim.last)) \(counted(reclaim.lastAfter, "commit")) later"
        return .failed("\(words), and is \(left)", at: reclaim.release + reclaim.lastAfter)
      }
      guard case .held(let words) = result else { return result }
      evidence = evidence ?? words
    }
    return evidence.map { .held($0) } ?? .notApplicable(reason: "no snapshot was released there")
  }

  /// What `check` says of the samples after each such event.
  func following(
    _ event: Expectation.Event, _ commits: Int, _ check: ([Sample]) -> StretchResult
  ) -> StretchResult {
    let places = stretch.places(of: event)
    var evidence: String?
    for place in places {
      let begin = stretch.whole[place].observation.commits
      switch check(Array(stretch.whole[place...])) {
      case .held(let words):
        evidence = evidence ?? "\(event.rawValue) at commit \(grouped(begin)): \(words)"
      case .failed(let words, let commit):
        return .failed("\(event.rawValue) at commit \(grouped(begin)): \(words)", at: commit)
      case .notApplicable(let reason): return .notApplicable(reason: reason)
      }
    }
    return evidence.map { .held($0) } ?? .notApplicable(reason: "no \(event.rawValue) there")
  }

  private func told(
    _ name: String, of samples: [Sample]? = nil, _ body: (Curve) throws -> StretchResult
  ) -> StretchResult {
    do {
      return try body(try curve(name, of: samples ?? stretch.samples))
    } catch let untold as Untold {
      return .notApplicable(reason: untold.reason)
    } catch {
      preconditionFailure("only what is untold is thrown: \(error)")
    }
  }

  private func curve(_ name: String, of samples: [Sample]) throws -> Curve {
    guard let variable = ObservedVariable.named(name) else {
      throw Untold(reason: "there is no variable \(name)")
    }
    var points: [(commits: Int, value: Double)] = []
    for sample in samples {
      guard let value = variable.value(sample.seen) else {
        throw Untold(reason: "the engine cannot tell \(name)")
      }
      points.append((sample.observation.commits, value))
    }
    return Curve(points: points, isBytes: variable.unit == .bytes)
  }
}
