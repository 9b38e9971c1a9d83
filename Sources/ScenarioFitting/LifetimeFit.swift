// Which of the language's distributions of lifetimes pins had, by likelihood. A pin that ended with its phase is known to
// have lived at least so long.
package import Generators

/// A distribution of lifetimes, and what speaks for it.
package struct LifetimeFit: Sendable, Equatable {
  package var lifetime: LifetimeDistribution
  package var evidence: String

  /// - Parameters:
  ///   - lives: lifetimes in commits, at least 1.
  ///   - cut: ages at which pins ended that would have lived longer.
  package init(lives: [Int], cut: [Int]) {
    let count = "\(Notation.count(lives.count)) ended"
    let rest = cut.isEmpty ? "" : ", \(Notation.count(cut.count)) more with the phase"
    guard let low = lives.min(), let high = lives.max() else {
      self.init(
        lifetime: .fixed(commits: max(1, cut.max() ?? 1)),
        evidence: "all \(Notation.count(cut.count)) ended with the phase")
      return
    }
    var moments = Moments()
    for life in lives { moments.add(life) }
    let mean = Notation.decimal(moments.mean, 1)
    let span =
      low == high
      ? "each after \(Notation.count(low))"
      : "after \(Notation.count(low)) to \(Notation.count(high)), mean \(mean)"
    // The schedule may let a commit or two pass before a pin's turn comes.
    let isFixed = high - low <= 2 + low / 50
    let best = isFixed ? .fixed(commits: moments.rounded) : Self.maxLikelihood(lives, cut)
    self.init(lifetime: best, evidence: "\(count) \(span) commits\(rest)")
  }

  private init(lifetime: LifetimeDistribution, evidence: String) {
    self.lifetime = lifetime
    self.evidence = evidence
  }

  private static func maxLikelihood(_ lives: [Int], _ cut: [Int]) -> LifetimeDistribution {
    let fits = [
      uniform(lives, cut), exponential(lives, cut), logNormal(lives, cut), pareto(lives, cut),
    ]
    let penalty = naturalLogarithm(Double(lives.count)) / 2
    let best = fits.max {
      $0.likelihood - Double($0.parameters) * penalty < $1.likelihood - Double($1.parameters)
        * penalty
    }
    return best?.lifetime ?? .fixed(commits: lives[0])
  }

  private typealias Candidate = (
    lifetime: LifetimeDistribution, likelihood: Double, parameters: Int
  )

  private static func uniform(_ lives: [Int], _ cut: [Int]) -> Candidate {
    let (low, high) = (lives.min() ?? 1, max(lives.max() ?? 1, cut.max() ?? 1))
    let width = Double(high - low + 1)
    var likelihood = -Double(lives.count) * naturalLogarithm(width)
    for age in cut {
      likelihood += naturalLogarithm(Double(high - max(low, age) + 1) / width)
    }
    return (.uniform(low: low, high: high), likelihood, 2)
  }

  private static func exponential(_ lives: [Int], _ cut: [Int]) -> Candidate {
    let total = Double(lives.reduce(0, +) + cut.reduce(0, +))
    let mean = max(1, total / Double(lives.count))
    let likelihood = -Double(lives.count) * naturalLogarithm(mean) - total / mean
    return (.exponential(mean: Int(mean.rounded())), likelihood, 1)
  }

  /// The parameters by expectation and maximization: a cut lifetime's logarithm is replaced by its mean above the cut.
  private static func logNormal(_ lives: [Int], _ cut: [Int]) -> Candidate {
    let known = lives.map { naturalLogarithm(Double($0)) }
    let bounds = cut.map { naturalLogarithm(Double(max(1, $0))) }
    var moments = Moments()
    for value in known { moments.add(value) }
    var (mean, deviation) = (moments.mean, max(0.05, moments.deviation))
    for _ in 0..<(cut.isEmpty ? 0 : 30) {
      var (sum, squares) = (known.reduce(0, +), known.reduce(0) { $0 + $1 * $1 })
      for bound in bounds {
        let (first, second) = momentsAbove(bound, mean, deviation)
        sum += first
        squares += second
      }
      let count = Double(known.count + bounds.count)
      mean = sum / count
      deviation = max(0.05, max(0, squares / count - mean * mean).squareRoot())
    }
    var likelihood = 0.0
    for value in known {
      let distance = (value - mean) / deviation
      likelihood += -0.5 * distance * distance - naturalLogarithm(deviation) - value - 0.918_938_5
    }
    for bound in bounds {
      likelihood += naturalLogarithm(max(1e-12, normalDistribution((mean - bound) / deviation)))
    }
    let sigma = min(5000, max(100, Int((deviation * 1000).rounded())))
    let median = min(1_000_000, max(1, Int(ScenarioFitting.exponential(mean).rounded())))
    return (.logNormal(median: median, sigmaPermille: sigma), likelihood, 2)
  }

  /// Returns the first two moments of a normal deviate above `bound`.
  private static func momentsAbove(
    _ bound: Double, _ mean: Double, _ deviation: Double
  ) -> (Double, Double) {
    let z = (bound - mean) / deviation
    let tail = max(1e-12, normalDistribution(-z))
    let ratio = ScenarioFitting.exponential(-z * z / 2) / 2.506_628_3 / tail
    let first = mean + deviation * ratio
    let variance = deviation * deviation * (1 + z * ratio - ratio * ratio)
    return (first, first * first + max(0, variance))
  }

  private static func pareto(_ lives: [Int], _ cut: [Int]) -> Candidate {
    let least = Double(lives.min() ?? 1)
    let logarithm = { (life: Int) in naturalLogarithm(max(Double(life), least) / least) }
    let total = lives.reduce(0) { $0 + logarithm($1) } + cut.reduce(0) { $0 + logarithm($1) }
    let alpha = min(5, max(0.1, Double(lives.count) / max(total, 1e-9)))
    var likelihood = 0.0
    for life in lives {
      likelihood +=
        naturalLogarithm(alpha) + alpha * naturalLogarithm(least)
        - (alpha + 1) * naturalLogarithm(Double(life))
    }
    for age in cut { likelihood -= alpha * logarithm(age) }
    return (
      .pareto(least: Int(least), alphaPermille: Int((alpha * 1000).rounded())), likelihood, 2
    )
  }
}
