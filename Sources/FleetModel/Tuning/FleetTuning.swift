// The search for a rule that keeps all limits and has compactions write the least, over the same devices for every rule.
import Policies

package struct FleetTuning {
  /// What a rule comes to on the devices.
  package struct Score: Hashable, Sendable {
    package var candidate: FleetCandidate
    /// By the limits, their quantiles.
    package var values: [Double]
    /// Bytes that compactions write in a year, the mean of all devices.
    package var rewritten: Double
    package var keepsLimits: Bool

    /// How far the limit that is exceeded the most is exceeded, as a factor; at most 1 where all are kept.
    package var excess: Double
  }

  private let limits: [QuantileLimit]
  package private(set) var scores: [Score] = []

  package init(_ limits: [QuantileLimit]) { self.limits = limits }

  package mutating func add(_ candidates: [FleetCandidate], _ tallies: [PolicyTally]) {
    for (candidate, tally) in zip(candidates, tallies) {
      let values = limits.map { $0.value(of: tally) }
      let excess = zip(values, limits).map { $0 / max($1.maximum, .leastNormalMagnitude) }.max()
      scores.append(
        Score(
          candidate: candidate, values: values,
          rewritten: tally.sketch(of: .rewritten).mean ?? 0,
          keepsLimits: zip(values, limits).allSatisfy { $0 <= $1.maximum },
          excess: excess ?? 0))
    }
  }

  /// The rule of those so far that keeps all limits with the least rewritten; nil if none keeps them. Of equal ones the first
  /// that was tried.
  package var best: Score? {
    scores.filter(\.keepsLimits).min { $0.rewritten < $1.rewritten }
  }

  /// The rule that comes closest to keeping the limits.
  package var closest: Score? { scores.min { $0.excess < $1.excess } }

  /// Candidates worth trying next that were not tried: those around the best, or the closest.
  package var nextCandidates: [FleetCandidate] {
    guard let center = best ?? closest else { return [] }
    let tried = Set(scores.map(\.candidate))
    return center.candidate.neighbors.filter { !tried.contains($0) }
  }

  /// Rules than which no other has less of everything: no quantile of a limit, and nothing rewritten.
  package var front: [Score] {
    func dominates(_ a: Score, _ b: Score) -> Bool {
      let pairs = zip(a.values + [a.rewritten], b.values + [b.rewritten])
      return pairs.allSatisfy { $0 <= $1 } && pairs.contains { $0 < $1 }
    }
    return scores.filter { own in !scores.contains { dominates($0, own) } }
      .sorted { $0.rewritten < $1.rewritten }
  }
}
