// Which of the language's distributions of keys the operations had: the one with the greatest likelihood, less half a
// logarithm of the number of operations for each parameter (Schwarz's criterion).
package import Generators

/// A distribution of keys, and what speaks for it.
package struct KeyFit: Sendable, Equatable {
  package var keys: KeyDistribution
  /// The number of operations that it was fitted to.
  package var operations: Int
  /// The mean gain of an operation's log-likelihood over the uniform distribution, in nats.
  package var gain: Double
  /// What the distribution was chosen by, in words.
  package var evidence: String

  /// So many of all operations follow a fixed order before it is one.
  static let orderedShare = 0.95
  /// Gains below are not worth a parameter, however many operations there are.
  static let minGain = 0.01

  package init(_ sketch: KeySketch) {
    operations = sketch.count
    self = Self.ordered(sketch) ?? Self.random(sketch)
  }

  private init(_ keys: KeyDistribution, _ sketch: KeySketch, gain: Double, _ evidence: String) {
    self.keys = keys
    operations = sketch.count
    self.gain = gain
    self.evidence = evidence
  }

  /// Returns a distribution that draws nothing; nil if the operations follow no order.
  private static func ordered(_ sketch: KeySketch) -> KeyFit? {
    guard sketch.count >= 2, sketch.meanRows > 2 else { return nil }
    let count = Double(sketch.count)
    if Double(sketch.oldest) >= orderedShare * count {
      return KeyFit(
        .fifo, sketch, gain: sketch.rows.mean,
        "\(Notation.share(sketch.oldest, of: sketch.count)) of \(Notation.count(sketch.count)) on the oldest row"
      )
    }
    if sketch.count >= 8, Double(sketch.steps) >= orderedShare * (count - 1) {
      return KeyFit(
        .sequential, sketch, gain: sketch.rows.mean,
        "\(Notation.share(sketch.steps, of: sketch.count - 1)) of \(Notation.count(sketch.count))"
          + " on the row after the one before"
      )
    }
    return nil
  }

  private static func random(_ sketch: KeySketch) -> KeyFit {
    let uniform = KeyFit(
      .uniform, sketch, gain: 0,
      "\(Notation.count(sketch.count)) operations, no row more likely than others")
    guard sketch.count >= 20, sketch.meanRows > 2 else { return uniform }
    let penalty = naturalLogarithm(Double(sketch.count)) / (2 * Double(sketch.count))
    let byPosition = [
      // A hot spot is the best of very many.
      (ranked(sketch, meanLogarithm: sketch.fromOldest.mean) { .zipfian(thetaPermille: $0) }, 1.0),
      (ranked(sketch, meanLogarithm: sketch.fromNewest.mean) { .latest(thetaPermille: $0) }, 1.0),
      (hotspot(sketch), 4.0),
    ]
    var best = (fit: uniform, score: 0.0)
    for (fit, parameters) in byPosition where fit.gain >= minGain {
      let score = fit.gain - parameters * penalty
      if score > best.score { best = (fit, score) }
    }
    // Popularity by position explains repetitions too; that popular rows lie anywhere must explain clearly more.
    if let scattered = scrambled(sketch), scattered.gain > 1.2 * best.fit.gain + 0.02 {
      return scattered
    }
    return best.fit
  }

  /// Returns the fit in which rows are the less popular the farther they are from one end.
  /// - Parameter logarithm: the mean logarithm of that distance.
  private static func ranked(
    _ sketch: KeySketch, meanLogarithm logarithm: Double,
    _ distribution: (_ thetaPermille: Int) -> KeyDistribution
  ) -> KeyFit {
    let found = ZipfianFit.maxLikelihood(meanLogarithm: logarithm, rows: sketch.meanRows)
    return KeyFit(
      distribution(permille(found.exponent)), sketch, gain: found.gain,
      likelihood(sketch, found.gain))
  }

  /// Returns the division of the axis into a hot and a cold part with the greatest likelihood.
  private static func hotspot(_ sketch: KeySketch) -> KeyFit {
    var best = (gain: 0.0, operations: 500, rows: 500)
    var sum = 0
    for rows in 1..<KeySketch.parts {
      sum += sketch.positions[rows - 1]
      let (share, width) = (
        Double(sum) / Double(sketch.count), Double(rows) / Double(KeySketch.parts)
      )
      guard share > width else { continue }
      var gain = share * naturalLogarithm(share / width)
      if share < 1 { gain += (1 - share) * naturalLogarithm((1 - share) / (1 - width)) }
      if gain > best.gain { best = (gain, Int((share * 1000).rounded()), rows) }
    }
    return KeyFit(
      .hotspot(operationsPermille: best.operations, rowsPermille: best.rows), sketch,
      gain: best.gain, likelihood(sketch, best.gain))
  }

  /// Returns a Zipfian distribution over rows anywhere; nil if rows do not come again more often than by chance.
  private static func scrambled(_ sketch: KeySketch) -> KeyFit? {
    guard sketch.pairs > 0, sketch.equalPairs >= 20 else { return nil }
    let coincidence = Double(sketch.equalPairs) / Double(sketch.pairs)
    let byChance = sketch.chance.mean
    // Pairs of one window depend on each other, so the tolerance is wide.
    let tolerance = 4 * (Double(sketch.equalPairs).squareRoot() / Double(sketch.pairs))
    guard coincidence > 1.1 * byChance + tolerance else { return nil }
    let found = ZipfianFit.matching(coincidence: coincidence, rows: 1 / byChance)
    return KeyFit(
      .scrambledZipfian(thetaPermille: permille(found.exponent)), sketch, gain: found.gain,
      "\(Notation.count(sketch.count)) operations, two on the same row "
        + "\(Notation.decimal(coincidence / byChance, 1)) times as often as by chance"
    )
  }

  private static func likelihood(_ sketch: KeySketch, _ gain: Double) -> String {
    "\(Notation.count(sketch.count)) operations, \(Notation.decimal(gain, 2)) nats each above uniform"
  }

  private static func permille(_ exponent: Double) -> Int {
    min(999, max(1, Int((exponent * 1000).rounded())))
  }
}

extension KeyDistribution {
  /// Whether two fits may be of one distribution: of the same kind, with parameters that are close.
  func isClose(to other: Self) -> Bool {
    switch (self, other) {
    case (.zipfian(let own), .zipfian(let other)), (.latest(let own), .latest(let other)),
      (.scrambledZipfian(let own), .scrambledZipfian(let other)):
      abs(own - other) <= 100
    case (.hotspot(let operations, let rows), .hotspot(let others, let otherRows)):
      abs(operations - others) <= 100 && abs(rows - otherRows) <= 100
    default: self == other
    }
  }
}
