// What a database is like as a function of the turnover since its last compaction, measured once for one size.

/// What a run showed at one launch.
package struct CurvePoint: Hashable, Sendable, Codable {
  package var turnover: Double
  /// Bytes of values.
  package var data: Double
  /// What the callback was given.
  package var totalBytes: Double
  package var usedBytes: Double

  package init(turnover: Double, data: Double, totalBytes: Double, usedBytes: Double) {
    self.turnover = turnover
    self.data = data
    self.totalBytes = totalBytes
    self.usedBytes = usedBytes
  }
}

/// The curve after a compaction at one size of the data. All bytes are relative to those of the values at the time.
package struct RenewalCurve: Hashable, Sendable, Codable {
  /// Bytes of values at the compaction.
  package var data: Double
  /// The largest turnover that was measured; from there on relative sizes are taken as constant.
  package var maxTurnover: Double
  /// By the nodes of `TurnoverGrid`.
  package var total: [Double]
  package var used: [Double]
  /// Bytes that a compaction writes ÷ the bytes of the file that it leaves.
  package var rewrittenPerCompacted: Double
  /// The part of the growth of used bytes since the file was fresh that a compaction keeps: 0 where it packs rows anew, 1 where
  /// it copies pages as they are, half full or not, as LMDB's `mdb_env_copy2` does.
  package var keptFill: Double

  /// Makes a curve of what was measured, in order of the turnover, the first right after the compaction.
  package init(
    data: Double, points: [CurvePoint], rewrittenPerCompacted: Double, keptFill: Double = 0
  ) {
    precondition(points.first?.turnover == 0, "a curve begins at its compaction")
    self.data = data
    maxTurnover = points[points.count - 1].turnover
    self.rewrittenPerCompacted = rewrittenPerCompacted
    self.keptFill = keptFill
    func resampled(_ bytes: KeyPath<CurvePoint, Double>) -> [Double] {
      Self.resampled(points.map { ($0.turnover, $0[keyPath: bytes] / $0.data) })
    }
    total = resampled(\.totalBytes)
    used = resampled(\.usedBytes)
  }

  /// Makes the curve of a run whose last point was compacted, which wrote `rewritten` bytes, and went on with `after`.
  package init(data: Double, points: [CurvePoint], after: [CurvePoint], rewritten: Double) {
    self.init(data: data, points: points, rewrittenPerCompacted: 1)
    let (fresh, last) = (points[0], points[points.count - 1])
    if let next = after.first {
      // What a fresh file would have come to since.
      let renewed = used(at: next.turnover)
      let grown = last.usedBytes / last.data - renewed
      if grown > Self.minGrowth * renewed {
        keptFill = max(0, min(1, (next.usedBytes / next.data - renewed) / grown))
      }
    }
    let kept = keptFill * (last.usedBytes / last.data - fresh.usedBytes / fresh.data)
    rewrittenPerCompacted = rewritten / ((fresh.totalBytes / fresh.data + kept) * last.data)
  }

  /// Used bytes that grow by less than this share show nothing of what a compaction keeps.
  private static let minGrowth = 0.02

  private func used(at turnover: Double) -> Double {
    let (node, fraction) = TurnoverGrid.position(turnover)
    return used[node] + (used[node + 1] - used[node]) * fraction
  }

  /// Linear between the points, constant after the last.
  private static func resampled(_ points: [(x: Double, y: Double)]) -> [Double] {
    var next = 1
    return TurnoverGrid.turnovers.map { turnover in
      while next < points.count, points[next].x < turnover { next += 1 }
      guard next < points.count else { return points[points.count - 1].y }
      let (low, high) = (points[next - 1], points[next])
      return low.y + (high.y - low.y) * (turnover - low.x) / (high.x - low.x)
    }
  }

  /// Whether a file could be described so.
  var isSound: Bool {
    [total, used].allSatisfy { series in
      series.count == TurnoverGrid.count && series.allSatisfy { $0 > 0 && $0.isFinite }
    } && data > 0 && maxTurnover > 0 && rewrittenPerCompacted > 0 && rewrittenPerCompacted.isFinite
      && 0...1 ~= keptFill
  }
}
