// How far an engine behaves as another one that it follows: the same operations on both, figure beside figure. Sizes that
// are one growth step apart count as equal, since both engines lengthen their files by whole steps.
package import MetricModel
import RecordModel

/// One scenario's cells of an engine beside those of the engine that it is held against.
package struct Agreement: Sendable {
  /// By how much a file is lengthened at once.
  package static let growthStep = ByteCount(1 << 20)
  /// High-water marks may be so far apart: each one, and their median over scenarios.
  package static let mostApart = 0.25
  package static let mostApartInMedian = 0.10

  package struct Figures: Sendable, Equatable {
    package var highWater: ByteCount
    package var final: ByteCount
    package var timeWeighted: ByteCount
    /// Whether the files level off in every phase.
    package var levelsOff: Bool
    /// Automatic compactions that began.
    package var starts: Int
    /// From the high-water mark to the end.
    package var shrunk: ByteCount { highWater - final }
  }

  /// One policy and arm, on both engines.
  package struct Row: Sendable, Equatable {
    package let policy: String
    package let arm: String
    package let engine: Figures
    package let reference: Figures

    /// The engine's high-water mark ÷ the reference's, less one; zero where they are within a growth step.
    package var apart: Double {
      let difference = engine.highWater - reference.highWater
      if abs(difference.bytes) <= growthStep.bytes { return 0 }
      return difference.ratio(to: reference.highWater) ?? 0
    }

    package var agrees: Bool {
      abs(apart) <= mostApart && engine.levelsOff == reference.levelsOff
    }
  }

  package let scenario: String
  package let engine: String
  package let reference: String
  package let rows: [Row]
  /// Pairs of policies that one engine puts clearly the other way round than the other, by time-weighted size.
  package let reversed: [String]
  /// Cells that one of the two engines does not have, with the reason.
  package let leftOut: [String]

  package var keepsOrder: Bool { reversed.isEmpty }

  package init(_ analysis: ScenarioAnalysis, engine: String, reference: String) {
    scenario = analysis.record.scenario.name
    self.engine = engine
    self.reference = reference
    let levels = Dictionary(
      analysis.curves.map { ($0.key, $0.growing == nil) }, uniquingKeysWith: { first, _ in first })
    var rows: [Row] = []
    var leftOut: [String] = []
    for cell in analysis.cells where cell.key.engine == engine {
      let (policy, arm) = (cell.key.policy, cell.key.arm)
      guard let other = analysis.cell(reference, policy, arm) else { continue }
      if let a = Figures(cell, levels), let b = Figures(other, levels) {
        rows.append(Row(policy: policy, arm: arm, engine: a, reference: b))
      } else {
        leftOut.append("\(policy), \(arm): \(cell.absence ?? other.absence ?? "no curve")")
      }
    }
    self.rows = rows
    self.leftOut = leftOut
    reversed = Self.reversed(rows)
  }

  private static func reversed(_ rows: [Row]) -> [String] {
    var pairs: [String] = []
    for (index, first) in rows.enumerated() {
      for second in rows[(index + 1)...] where second.arm == first.arm {
        let a = order(first.engine, second.engine)
        let b = order(first.reference, second.reference)
        if a * b < 0 { pairs.append("\(first.policy) and \(second.policy), \(first.arm)") }
      }
    }
    return pairs
  }

  /// Which of the two takes less: -1 the first, 1 the second, 0 neither clearly.
  private static func order(_ first: Figures, _ second: Figures) -> Int {
    let difference = (first.timeWeighted - second.timeWeighted).bytes
    let least = min(first.timeWeighted, second.timeWeighted).bytes
    if abs(difference) <= growthStep.bytes
      || Double(abs(difference)) <= PolicyChoice.tie * Double(least)
    {
      return 0
    }
    return difference.signum()
  }
}

extension Agreement.Figures {
  init?(_ cell: CellAnalysis, _ levels: [CellKey: Bool]) {
    guard let run = cell.first, cell.isMeasured, let levelsOff = levels[cell.key] else {
      return nil
    }
    highWater = run.exact.highWater
    final = run.exact.final
    timeWeighted = run.exact.timeWeighted
    self.levelsOff = levelsOff
    starts = run.events.count { $0.event.kind == .automatic && $0.event.outcome == .started }
  }
}
