// Which of the language's distributions of sizes values had: the simplest whose distribution function is near enough.
package import Generators

/// A distribution of sizes, and what speaks for it.
package struct SizeFit: Sendable, Equatable {
  package var sizes: SizeDistribution
  package var evidence: String

  /// The greatest distance of two distribution functions that is near enough, whatever the number of values; for few, that
  /// which chance exceeds once in a hundred times (Kolmogorov and Smirnov's 1.63 / √n).
  static func tolerance(_ count: Int) -> Double { max(0.02, 1.63 / Double(count).squareRoot()) }

  /// - Precondition: the sketch has a value.
  package init(_ sketch: SizeSketch) {
    let values = "\(Notation.count(sketch.count)) values of \(Self.span(sketch))"
    let (low, high) = (max(1, Int(sketch.bytes.min)), max(1, Int(sketch.bytes.max)))
    let tolerance = Self.tolerance(sketch.count)
    if low == high {
      self.init(sizes: .fixed(low), evidence: values)
    } else if let distinct = sketch.distinct, distinct.count <= 4, sketch.count >= 20 {
      self.init(sizes: .mixture(Self.parts(of: distinct)), evidence: values)
    } else if Self.uniformDistance(sketch) <= tolerance {
      self.init(
        sizes: .uniform(low: low, high: high),
        evidence: values + Self.distance(Self.uniformDistance(sketch)))
    } else {
      let normal = Self.logNormal(sketch)
      if normal.distance <= tolerance {
        self.init(sizes: normal.sizes, evidence: values + Self.distance(normal.distance))
      } else {
        let parts = Self.parts(of: sketch, within: tolerance)
        self.init(sizes: .mixture(parts), evidence: values + ", in \(parts.count) ranges")
      }
    }
  }

  private init(sizes: SizeDistribution, evidence: String) {
    self.sizes = sizes
    self.evidence = evidence
  }

  private static func span(_ sketch: SizeSketch) -> String {
    let (low, high) = (Int(sketch.bytes.min), Int(sketch.bytes.max))
    return low == high
      ? "\(Notation.count(low)) B"
      : "\(Notation.count(low)) to \(Notation.count(high)) B, mean \(Notation.count(sketch.bytes.rounded)) B"
  }

  private static func distance(_ distance: Double) -> String {
    ", distribution functions within \(Notation.decimal(distance * 100, 1)) %"
  }

  private static func uniformDistance(_ sketch: SizeSketch) -> Double {
    let (low, high) = (sketch.bytes.min, sketch.bytes.max)
    return greatestDistance(sketch) { (Double($0) + 1 - low) / (high + 1 - low) }
  }

  /// Returns a log-normal distribution with the sketch's median and the spread between its quantiles, cut at the largest
  /// size.
  private static func logNormal(
    _ sketch: SizeSketch
  ) -> (sizes: SizeDistribution, distance: Double) {
    let mean = sketch.logarithms.mean
    let deviation = max(0.001, sketch.logarithms.deviation)
    let (median, greatest) = (exponential(mean), Int(sketch.bytes.max))
    // What is larger than the largest size is drawn again.
    let whole = normalDistribution((naturalLogarithm(Double(greatest) + 0.5) - mean) / deviation)
    let distance = greatestDistance(sketch) {
      normalDistribution((naturalLogarithm(Double($0) + 0.5) - mean) / deviation) / whole
    }
    let sigma = min(5000, max(1, Int((deviation * 1000).rounded())))
    let written = Notation.roundedSize(max(1, Int(median.rounded())))
    return (
      .logNormal(median: written, sigmaPermille: sigma, greatest: max(greatest, written)), distance
    )
  }

  private static func greatestDistance(
    _ sketch: SizeSketch, to function: (Int) -> Double
  ) -> Double {
    var (greatest, before) = (0.0, 0.0)
    var last: Int?
    for (size, share) in sketch.cumulative {
      greatest = max(greatest, abs(share - function(size)))
      // Below the sizes that occur, the function is still that of the size before.
      if let last, size > last + 1, size < 128 {
        greatest = max(greatest, abs(before - function(size - 1)))
      }
      (last, before) = (size, share)
    }
    return greatest
  }

  private static func parts(of distinct: [Int: Int]) -> [SizePart] {
    let total = distinct.values.reduce(0, +)
    return completed(
      distinct.sorted { $0.key < $1.key }.map {
        SizePart(
          shareMillionths: $0.value * 1_000_000 / total / 100 * 100, low: max(1, $0.key),
          high: max(1, $0.key))
      })
  }

  /// Returns ranges of sizes whose distribution function is within the tolerance of the values', or as many as a line has room
  /// for: the function as a chain of straight lines, each line divided where it is farthest from the function.
  private static func parts(of sketch: SizeSketch, within tolerance: Double) -> [SizePart] {
    var points: [(size: Int, share: Double)] = []
    for step in sketch.steps {
      if points.last?.size != step.low - 1 { points.append((step.low - 1, step.below)) }
      points.append((step.high, step.upTo))
    }
    var bounds = [0, points.count - 1]
    while bounds.count <= maxParts {
      var worst = (distance: tolerance / 2, point: 0)
      for (from, to) in zip(bounds, bounds.dropFirst()) {
        let (low, high) = (points[from], points[to])
        for point in from..<to {
          let width = Double(points[point].size - low.size) / Double(high.size - low.size)
          let distance = abs(
            points[point].share - low.share - width * (high.share - low.share))
          if distance > worst.distance { worst = (distance, point) }
        }
      }
      guard worst.point > 0 else { break }
      bounds = (bounds + [worst.point]).sorted()
    }
    let parts = zip(bounds, bounds.dropFirst()).map { from, to in
      SizePart(
        shareMillionths: Int((points[to].share - points[from].share) * 10_000) * 100,
        low: max(1, points[from].size + 1), high: max(1, points[to].size))
    }
    return completed(parts.filter { $0.shareMillionths >= 1000 })
  }

  private static let maxParts = 10

  /// Gives what rounding left of the whole to the largest part.
  private static func completed(_ parts: [SizePart]) -> [SizePart] {
    var parts = parts
    let rest = 1_000_000 - parts.reduce(0) { $0 + $1.shareMillionths }
    if let largest = parts.indices.max(by: {
      parts[$0].shareMillionths < parts[$1].shareMillionths
    }) {
      parts[largest].shareMillionths += rest
    }
    return parts
  }
}
