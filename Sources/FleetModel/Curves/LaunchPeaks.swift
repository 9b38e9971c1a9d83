// How far all files together exceed the file that a launch leaves behind, at the worst moment of the launch: a log that is
// written before the file, or what is cut when the file is closed. It depends on how much a launch writes.

package struct LaunchPeaks: Hashable, Sendable, Codable {
  /// Lengths of launches, in commits: 1, 2, 4, …
  static let lengths = (0...12).map { 1 << $0 }

  /// By `lengths`: bytes beyond the file.
  package var bytes: [Double]

  /// The means of measured launches, linear between their lengths, from 0 for none; constant after the longest.
  package init(_ launches: [(commits: Int, bytes: Double)]) {
    let means = Dictionary(grouping: launches.filter { $0.commits > 0 }, by: \.commits)
      .mapValues { own in own.reduce(0) { $0 + $1.bytes } / Double(own.count) }
    let points =
      [(x: 0.0, y: 0.0)]
      + means.keys.sorted().map { (x: Double($0), y: max(0, means[$0] ?? 0)) }
    bytes = Self.lengths.map { length in
      let x = Double(length)
      guard let next = points.firstIndex(where: { $0.x >= x }) else {
        return points[points.count - 1].y
      }
      let (low, high) = (points[next - 1], points[next])
      return low.y + (high.y - low.y) * (x - low.x) / (high.x - low.x)
    }
  }

  /// Whether files could be so.
  var isSound: Bool {
    bytes.count == Self.lengths.count && bytes.allSatisfy { $0 >= 0 && $0.isFinite }
  }

  /// Interpolates in what has an entry for each of the lengths.
  @inline(__always)
  static func value(_ bytes: [Double], commits: Double) -> Double {
    guard commits > 1 else { return bytes[0] * commits }
    let position = min(commits.piecewiseLog2, Double(bytes.count - 1))
    let low = min(Int(position), bytes.count - 2)
    // Between powers of two the piecewise logarithm is linear.
    return bytes[low] + (bytes[low + 1] - bytes[low]) * (position - Double(low))
  }
}
