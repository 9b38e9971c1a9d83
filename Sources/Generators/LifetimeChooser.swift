// How long pins live. Integer arithmetic, like everything that decides about the bytes of a run.

/// The distributions that a pin's lifetime may have, in commits.
package enum LifetimeDistribution: Hashable, Sendable, Codable {
  /// Every lifetime has this length.
  case fixed(commits: Int)
  /// A lifetime between the two, each equally likely.
  case uniform(low: Int, high: Int)
  /// An exponential distribution: the remaining lifetime does not depend on the age.
  case exponential(mean: Int)
  /// A lifetime whose logarithm is normal, given by the median and by the logarithm's standard deviation in thousandths.
  case logNormal(median: Int, sigmaPermille: Int)
  /// A heavy tail: at least `least`, and longer than x with the probability (least / x) to the power of alpha (in
  /// thousandths).
  case pareto(least: Int, alphaPermille: Int)
  /// The pin is held until the launch ends.
  case never
}

/// Draws lifetimes from a stream of random numbers.
package struct LifetimeChooser: Sendable {
  private let distribution: LifetimeDistribution
  private var stream: RandomStream

  /// The maximum lifetime: no run has so many commits.
  package static let greatest = 1_000_000_000

  package init(_ distribution: LifetimeDistribution, stream: RandomStream) {
    self.distribution = distribution
    self.stream = stream
  }

  /// Returns the next lifetime, at least 1; nil if the pin is held until the launch ends.
  package mutating func next() -> Int? {
    switch distribution {
    case .never: nil
    case .fixed(let commits): Self.bounded(UInt128(commits))
    case .uniform(let low, let high): Self.bounded(UInt128(stream.next(in: low...high)))
    case .exponential(let mean):
      // −ln of a share of one; log2 counts from 2^64.
      Self.bounded(
        (UInt128(mean) * ((UInt128(logarithmOfShare()) * Self.naturalOfTwo) >> 40)) >> 40)
    case .pareto(let least, let alpha):
      Self.bounded(Self.power(least, exponent: UInt128(logarithmOfShare()) * 1000 / UInt128(alpha)))
    case .logNormal(let median, let sigma):
      logNormal(median, sigma)
    }
  }

  private mutating func logNormal(_ median: Int, _ sigmaPermille: Int) -> Int {
    let deviate = NormalDeviate.next(from: &stream)
    let lifetime = FixedPoint.scaled(
      median, byExponentialOf: deviate.magnitude, sigmaPermille: sigmaPermille,
      isNegative: deviate.isNegative, limit: Self.greatest)
    return max(1, lifetime ?? Self.greatest)
  }

  private static func bounded(_ value: UInt128) -> Int {
    Int(max(1, min(value, UInt128(greatest))))
  }

  /// Returns −log2 of a uniform share of one, with 40 binary digits.
  private mutating func logarithmOfShare() -> UInt64 {
    (64 << 40) - FixedPoint.log2(stream.next() | 1)
  }

  /// ln 2 with 40 binary digits.
  private static let naturalOfTwo: UInt128 = 762_123_384_786

  /// Returns `base` times 2 to the power of `exponent`, which has 40 binary digits.
  private static func power(_ base: Int, exponent: UInt128) -> UInt128 {
    let whole = exponent >> 40
    if whole >= 30 { return UInt128(greatest) }
    // 2 to the fraction is 2 · 2^−(1 − fraction).
    let fraction = UInt64(truncatingIfNeeded: exponent) & ((1 << 40) - 1)
    let mantissa =
      fraction == 0
      ? 1 << 62 : UInt128(FixedPoint.negativePower(ofFraction: (1 << 40) - fraction)) << 1
    return ((UInt128(base) * mantissa) << whole) >> 62
  }
}
