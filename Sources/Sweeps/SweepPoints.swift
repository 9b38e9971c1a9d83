// The points of a sweep: every combination of the listed values, each with every point of the Sobol sequence.
import Generators

package enum SweepPoints {
  /// The maximum number of points of a sweep.
  package static let maxCount = 100_000
  /// The maximum number of axes that are varied by sobol.
  package static let maxSobolAxes = SobolSequence.maxDimensions

  /// Returns the values of each point, in the order of the axes. The last listed axis changes fastest.
  package static func all(_ axes: [SweepAxis]) throws(SweepError) -> [[String]] {
    guard !axes.isEmpty else { throw SweepError("a sweep varies at least one value") }
    for (index, axis) in axes.enumerated()
    where axes[..<index].contains(where: { $0.name == axis.name }) {
      throw SweepError("\(axis.name) is varied twice; leave one out")
    }
    let samples = try samples(axes)
    let count = axes.reduce(max(1, samples.count)) { count, axis in
      guard case .listed(let values) = axis.values else { return count }
      return min(count * values.count, maxCount + 1)
    }
    guard count <= maxCount else {
      throw SweepError(
        "there are more than \(maxCount) points; vary fewer values, or take fewer of each")
    }
    var points: [[String]] = [[]]
    for axis in axes {
      guard case .listed(let values) = axis.values else {
        // Filled in below: one sample for all of them together.
        points = points.map { $0 + [""] }
        continue
      }
      points = points.flatMap { point in values.map { point + [$0] } }
    }
    guard !samples.isEmpty else { return points }
    return points.flatMap { point in
      samples.map { sample in
        zip(point, sample).map { $1 ?? $0 }
      }
    }
  }

  /// Returns the values of the Sobol axes at each point of the sequence; nil for the other axes. Empty without such axes.
  private static func samples(_ axes: [SweepAxis]) throws(SweepError) -> [[String?]] {
    var counts: [Int] = []
    for axis in axes {
      if case .sobol(let count, _) = axis.values { counts.append(count) }
    }
    guard let count = counts.first else { return [] }
    guard counts.allSatisfy({ $0 == count }) else {
      throw SweepError(
        "values that are varied by sobol share their points, and need the same number of them: "
          + counts.map(String.init).joined(separator: ", "))
    }
    guard counts.count <= maxSobolAxes else {
      throw SweepError("at most \(maxSobolAxes) values can be varied by sobol")
    }
    var sequence = SobolSequence(dimensions: counts.count)
    return (0..<count).map { _ in
      var coordinates = sequence.next()[...]
      return axes.map { axis in
        guard case .sobol(_, let range) = axis.values else { return nil }
        return range.text(at: coordinates.removeFirst())
      }
    }
  }
}
