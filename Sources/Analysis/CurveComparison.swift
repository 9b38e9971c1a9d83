// Compares the curves of two records: exact ones by where they diverge, those of real threads by the largest gap between
// their means.
package import MetricModel
package import RecordModel
package import Statistics

/// One cell, in two records of the same scenario.
package struct CurveComparison: Sendable, Equatable {
  package enum Finding: Sendable, Equatable {
    /// All rows are the same.
    case same(samples: Int)
    /// From this row on the curves differ.
    case diverges(Divergence)
    /// Real threads: the largest gap of the mean curves, at this commit.
    case gap(CurveGap, commit: Int, base: Int, head: Int)
    case notCompared(reason: String)
  }

  package struct Divergence: Sendable, Equatable {
    package let launch: Int
    package let phase: String
    package let commit: Int
    /// The size of all files there; equal if the rows differ in another column.
    package let base: ByteCount
    package let head: ByteCount
    /// Head minus base where the sizes differ most, and the commit of it.
    package let maxGap: ByteCount
    package let maxGapCommit: Int
  }

  package let key: CellKey
  package let finding: Finding

  /// The number of commits at which curves of real threads are compared.
  private static let gridCount = 200

  /// Every cell of either record, in the order of head's, then what only base has.
  package static func all(
    base: ScenarioAnalysis, baseRows: [CellRows<Sample>], head: ScenarioAnalysis,
    headRows: [CellRows<Sample>]
  ) -> [CurveComparison] {
    let keys = head.cells.map(\.key)
    let others = base.cells.map(\.key).filter { !keys.contains($0) }
    let isExact = [base, head].allSatisfy { $0.record.provenance.schedule.hasExactFigures }
    return (keys + others).map { key in
      let before = runs(key, base.record.rowsOfBytes(baseRows))
      let after = runs(key, head.record.rowsOfBytes(headRows))
      guard let first = before.first, let second = after.first else {
        let side =
          before.isEmpty ? after.isEmpty ? "both records lack" : "base lacks" : "head lacks"
        return Self(key: key, finding: .notCompared(reason: "\(side) its samples"))
      }
      return Self(
        key: key,
        finding: isExact
          ? exact(first, second) : threads(before, after, seed: head.record.provenance.seed))
    }
  }

  /// The p-values of gaps, corrected for their number; nil for other findings.
  package static func holm(_ comparisons: [CurveComparison]) -> [Double?] {
    func pValue(_ comparison: CurveComparison) -> Double? {
      if case .gap(let gap, _, _, _) = comparison.finding { gap.pValue } else { nil }
    }
    var adjusted = Multiplicity.holm(comparisons.compactMap(pValue)).makeIterator()
    return comparisons.map { pValue($0) == nil ? nil : adjusted.next() }
  }

  private static func runs(_ key: CellKey, _ rows: [CellRows<Sample>]) -> [[Sample]] {
    rows.filter { $0.key == key && !$0.rows.isEmpty }.map(\.rows)
  }

  private static func exact(_ base: [Sample], _ head: [Sample]) -> Finding {
    let common = min(base.count, head.count)
    let first = (0..<common).first { base[$0] != head[$0] }
    guard first != nil || base.count != head.count else { return .same(samples: base.count) }
    let index = min(first ?? common, common - 1)
    let commits = Set((base + head).map(\.observation.commits)).sorted()
    let gaps = zip(sizes(base, at: commits), sizes(head, at: commits)).map { $1 - $0 }
    let widest = gaps.indices.reduce(0) { abs(gaps[$1]) > abs(gaps[$0]) ? $1 : $0 }
    return .diverges(
      Divergence(
        launch: head[index].observation.launch, phase: head[index].phase,
        commit: head[index].observation.commits, base: base[index].observation.space.total,
        head: head[index].observation.space.total, maxGap: ByteCount(Int(gaps[widest])),
        maxGapCommit: commits[widest]))
  }

  private static func threads(_ base: [[Sample]], _ head: [[Sample]], seed: UInt64) -> Finding {
    let last = (base + head).compactMap { $0.last?.observation.commits }.max() ?? 0
    let commits = (0..<gridCount).map { $0 * last / (gridCount - 1) }
    let gap = CurveGap(
      base: base.map { sizes($0, at: commits) }, head: head.map { sizes($0, at: commits) },
      seed: seed)
    return .gap(gap, commit: commits[gap.index], base: base.count, head: head.count)
  }

  /// Returns the size of all files at these commits; each sample counts until the next.
  private static func sizes(_ samples: [Sample], at commits: [Int]) -> [Double] {
    var next = 0
    return commits.map { commit in
      while next + 1 < samples.count, samples[next + 1].observation.commits <= commit { next += 1 }
      return Double(samples[next].observation.space.total.bytes)
    }
  }
}
