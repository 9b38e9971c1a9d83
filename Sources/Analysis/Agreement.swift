// The agreement of an engine with the reference that it follows, by the same operations on both. Sizes within one growth
// step count as equal, since both engines extend their files by whole steps.
package import MetricModel
import RecordModel

/// One scenario's cells of an engine, compared with those of the reference engine.
package struct Agreement: Sendable, Equatable {
  /// The unit by which a file is extended.
  package static let growthStep = ByteCount(1 << 20)
  /// The limits of the relative difference of high-water marks: for each, and for the median over scenarios.
  package static let maxDifference = 0.25
  package static let maxMedianDifference = 0.10
  /// In scenario sizes above `ci`, the minimum size of files whose high-water marks are judged: in smaller ones a few growth
  /// steps or the overhead of each engine dominate.
  package static let minJudgedSize = ByteCount(50_000_000)

  /// The runs that the figures are of.
  package struct Origin: Sendable, Equatable {
    /// The scenarios' size: `ci`, `middle` or `full`.
    package var size: String
    /// The number of rows that the tables start with.
    package var rows: Int
    package var engineVersion: String
    package var referenceVersion: String
    /// ISO 8601, UTC.
    package var startedAt: String

    package init(
      size: String, rows: Int, engineVersion: String, referenceVersion: String, startedAt: String
    ) {
      self.size = size
      self.rows = rows
      self.engineVersion = engineVersion
      self.referenceVersion = referenceVersion
      self.startedAt = startedAt
    }
  }

  package struct Figures: Sendable, Equatable {
    package var highWater: ByteCount
    package var final: ByteCount
    package var timeWeighted: ByteCount
    /// Whether the files level off in every phase.
    package var levelsOff: Bool
    /// The number of automatic compactions that started.
    package var automaticStarts: Int
    /// From the high-water mark to the end.
    package var shrunk: ByteCount { highWater - final }

    package init(
      highWater: ByteCount, final: ByteCount, timeWeighted: ByteCount, levelsOff: Bool,
      automaticStarts: Int
    ) {
      self.highWater = highWater
      self.final = final
      self.timeWeighted = timeWeighted
      self.levelsOff = levelsOff
      self.automaticStarts = automaticStarts
    }
  }

  /// One policy and arm, on both engines.
  package struct Row: Sendable, Equatable {
    package let policy: String
    package let arm: String
    package let engine: Figures
    package let reference: Figures

    package init(policy: String, arm: String, engine: Figures, reference: Figures) {
      self.policy = policy
      self.arm = arm
      self.engine = engine
      self.reference = reference
    }

    /// The engine's high-water mark ÷ the reference's, minus one; zero within a growth step.
    package var relativeDifference: Double {
      let difference = engine.highWater - reference.highWater
      if abs(difference.bytes) <= growthStep.bytes { return 0 }
      return difference.ratio(to: reference.highWater) ?? 0
    }

    /// Whether one of the two high-water marks is of a size that is judged.
    package var isLarge: Bool { max(engine.highWater, reference.highWater) >= minJudgedSize }

    package var agrees: Bool {
      abs(relativeDifference) <= maxDifference && engine.levelsOff == reference.levelsOff
    }
  }

  /// A cell that one of the two engines cannot run.
  package struct Exclusion: Sendable, Equatable {
    package let policy: String
    package let arm: String
    package let reason: String

    package init(policy: String, arm: String, reason: String) {
      self.policy = policy
      self.arm = arm
      self.reason = reason
    }
  }

  package let scenario: String
  package let engine: String
  package let reference: String
  package let origin: Origin
  package let rows: [Row]
  /// Pairs of policies that the two engines clearly order differently, by time-weighted size.
  package let reversedPairs: [String]
  package let exclusions: [Exclusion]

  package var ordersAgree: Bool { reversedPairs.isEmpty }

  /// Whether something was measured on both engines, and there is no difference to explain.
  package var agrees: Bool { !rows.isEmpty && ordersAgree && rows.allSatisfy(\.agrees) }

  package init(
    scenario: String, engine: String, reference: String, origin: Origin, rows: [Row],
    exclusions: [Exclusion]
  ) {
    self.scenario = scenario
    self.engine = engine
    self.reference = reference
    self.origin = origin
    self.rows = rows
    self.exclusions = exclusions
    reversedPairs = Self.reversedPairs(rows)
  }

  /// - Parameter size: the size in which the scenario was run.
  package init(
    _ analysis: ScenarioAnalysis, engine: String, reference: String, size: String
  ) {
    let provenance = analysis.record.provenance
    let levels = Dictionary(
      analysis.curves.map { ($0.key, $0.growing == nil) }, uniquingKeysWith: { first, _ in first })
    var rows: [Row] = []
    var exclusions: [Exclusion] = []
    for cell in analysis.cells where cell.key.engine == engine {
      let (policy, arm) = (cell.key.policy, cell.key.arm)
      guard let other = analysis.cell(reference, policy, arm) else { continue }
      if let a = Figures(cell, levels), let b = Figures(other, levels) {
        rows.append(Row(policy: policy, arm: arm, engine: a, reference: b))
      } else {
        exclusions.append(
          Exclusion(
            policy: policy, arm: arm, reason: cell.absence ?? other.absence ?? "no curve"))
      }
    }
    self.init(
      scenario: analysis.record.scenario.name, engine: engine, reference: reference,
      origin: Origin(
        size: size, rows: analysis.record.scenario.tables.reduce(0) { $0 + $1.rows },
        engineVersion: provenance.engineVersions[engine] ?? "",
        referenceVersion: provenance.engineVersions[reference] ?? "",
        startedAt: provenance.startedAt),
      rows: rows, exclusions: exclusions)
  }

  /// Returns the factor by which a scenario's data must grow for its file to be judged, given its high-water mark: a little
  /// more than the ratio, since not all of a file grows with the data. Nil if it is large enough, or empty.
  package static func dataFactorToBeJudged(highWater: ByteCount) -> Int? {
    guard highWater < minJudgedSize, let share = minJudgedSize.ratio(to: highWater) else {
      return nil
    }
    return Int((1.1 * share).rounded(.up))
  }

  private static func reversedPairs(_ rows: [Row]) -> [String] {
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

  /// Returns -1 if the first is clearly smaller, 1 if the second is, otherwise 0.
  private static func order(_ first: Figures, _ second: Figures) -> Int {
    let difference = (first.timeWeighted - second.timeWeighted).bytes
    let smaller = min(first.timeWeighted, second.timeWeighted).bytes
    if abs(difference) <= growthStep.bytes
      || Double(abs(difference)) <= PolicyChoice.tieTolerance * Double(smaller)
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
    automaticStarts = run.events.count {
      $0.event.kind == .automatic && $0.event.outcome == .started
    }
  }
}
