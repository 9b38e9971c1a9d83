// The trend of a segment of a curve, plateau or growth: the rules that expectations and recommendations share.
package import Statistics

/// The last third of a segment of a curve.
package struct CurveShape: Sendable, Equatable {
  /// The unit by which the native engine extends its file: a smaller rise may be a step that was due anyway.
  package static let growthStep = 1_048_576.0
  package static let minRelativeRise = 0.02

  /// The values at the start and the end of the last third.
  package let begin: Double
  package let end: Double
  /// Theil–Sen, per commit; nil where the commits do not advance.
  package let trend: SlopeEstimate?
  package var slope: Double? { trend?.slope }
  /// The commits that the last third spans.
  package let commits: Int

  /// - Parameter points: value over commits, in order.
  /// - Returns: nil for fewer than three points.
  package init?(_ points: [(commits: Int, value: Double)]) {
    guard points.count >= 3, let first = points.first, let last = points.last else { return nil }
    let from = Double(first.commits) + Double(last.commits - first.commits) * 2 / 3
    var third = points.filter { Double($0.commits) >= from }
    if third.count < 2 { third = Array(points.suffix(2)) }
    begin = third[0].value
    end = last.value
    commits = last.commits - third[0].commits
    trend = RobustSlope.estimate(x: third.map { Double($0.commits) }, y: third.map(\.value))
  }

  /// Returns where the plateau of a curve of bytes starts: the first commit from which on the curve stays within the
  /// tolerance of its last value. Nil without points.
  static func plateauBegin(_ points: [(commits: Int, value: Double)]) -> Int? {
    guard let end = points.last?.value else { return nil }
    let tolerance = max(growthStep, minRelativeRise * abs(end))
    let outside = points.lastIndex { abs($0.value - end) >= tolerance }
    return points[(outside ?? -1) + 1].commits
  }

  package var rise: Double { end - begin }

  /// Whether it rises by less than one growth step (for bytes) or 2 %, whichever is larger.
  package func levelsOff(isBytes: Bool) -> Bool { rise <= 0 || rise < tolerance(isBytes) }

  /// Whether it rises by less than twice as much: a thread that waits for a processor holds its snapshot for more commits than
  /// planned, and the file takes a step that the stepped schedule does not have.
  package func levelsOffOnThreads(isBytes: Bool) -> Bool {
    rise <= 0 || rise < 2 * tolerance(isBytes)
  }

  private func tolerance(_ isBytes: Bool) -> Double {
    max(isBytes ? Self.growthStep : 0, Self.minRelativeRise * abs(begin))
  }

  /// Whether the slope is positive and the rise at least 2 %.
  package var grows: Bool {
    (slope ?? 0) > 0 && rise > 0 && rise >= Self.minRelativeRise * abs(begin)
  }
}
