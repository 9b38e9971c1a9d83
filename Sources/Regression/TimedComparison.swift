// The result of a comparison of two builds as a file for the gate: `compare-builds --json`.
package import Analysis
package import Foundation
import MetricModel
import Statistics

package struct TimedComparison: Sendable, Codable, Equatable {
  /// Raised to 2 when `call` became `verdict` and `certificate` became `aaCheck`.
  package static let currentFormat = 2
  /// The earlier format, which is still read.
  private static let earlierFormat = 1

  package struct Figure: Sendable, Codable, Equatable {
    package var name: String
    package var unit: String
    /// `lower`, `higher`, or `–`.
    package var better: String
    /// `regressed`, `improved`, `equivalent` or `inconclusive`.
    package var verdict: String
    /// The medians of base and head.
    package var base: Double
    package var head: Double
    package var ratio: Double?
    package var low: Double?
    package var high: Double?
    package var pValue: Double
    package var pValueBySignFlips: Double
    package var rankBiserial: Double
    package var cliffsDelta: Double
    /// The smallest change, as a share of base, that would have been detected; nil if none would.
    package var smallestEffect: Double?
  }

  package var format = Self.currentFormat
  package var base: String
  package var head: String
  /// The machine that both ran on, as values by name.
  package var machine: [String: String]
  package var tolerance: Double
  package var blocks: Int
  package var isEnvironmentValid: Bool
  package var figures: [Figure]
  /// The figures of base compared with itself.
  package var aaCheck: [Figure]
  package var exactFigures: Int
  package var exactDifferences: [ExactDifference]

  package init(
    base: String, head: String, machine: [String: String], tolerance: Double, blocks: Int,
    isEnvironmentValid: Bool, comparisons: [PairedComparison], aaCheck: [PairedComparison],
    polarity: (String) -> String, exactFigures: Int, exactDifferences: [ExactDifference]
  ) {
    self.base = base
    self.head = head
    self.machine = machine
    self.tolerance = tolerance
    self.blocks = blocks
    self.isEnvironmentValid = isEnvironmentValid
    figures = comparisons.map { Figure($0, polarity($0.name)) }
    self.aaCheck = aaCheck.map { Figure($0, polarity($0.name)) }
    self.exactFigures = exactFigures
    self.exactDifferences = exactDifferences
  }

  /// The file's bytes, ending in a line feed.
  package func json() throws -> Data { try JSONText.encode(self) }

  package init(json data: Data, name: String) throws(RegressionError) {
    do { self = try Self.decode(data) } catch {
      throw RegressionError(
        .malformed, "\(name): not a file of compare-builds --json; compare the builds again")
    }
    guard format == Self.currentFormat || format == Self.earlierFormat else {
      throw RegressionError(
        .malformed,
        "\(name): comparison format \(format); this program reads formats \(Self.earlierFormat) and "
          + "\(Self.currentFormat). Compare the builds again")
    }
  }
}

extension TimedComparison {
  /// The names of format 1 with those of today.
  private static let renamedKeys = ["call": "verdict", "certificate": "aaCheck"]

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private static func decode(_ data: Data) throws -> Self {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      let name = path.last?.stringValue ?? ""
      return Key(stringValue: renamedKeys[name] ?? name)
    }
    return try decoder.decode(Self.self, from: data)
  }
}

extension TimedComparison.Figure {
  init(_ comparison: PairedComparison, _ better: String) {
    self.init(
      name: comparison.name, unit: comparison.unit.rawValue, better: better,
      verdict: comparison.verdict.rawValue, base: comparison.base, head: comparison.head,
      ratio: comparison.ratio?.ratio, low: comparison.ratio?.interval?.low,
      high: comparison.ratio?.interval?.high, pValue: comparison.pValue,
      pValueBySignFlips: comparison.flipPValue, rankBiserial: comparison.rankBiserial,
      cliffsDelta: comparison.cliffsDelta,
      smallestEffect: comparison.smallestEffect.isFinite ? comparison.smallestEffect : nil)
  }

  /// The largest distance of the interval from 1, as a share: in the A/A check, the noise of the machine.
  var maxDeviation: Double? {
    guard let low, let high, low > 0 else { return nil }
    return max(high, 1 / low) - 1
  }
}

extension TimedComparison {
  /// Returns the verdict on a figure after the thresholds: a change within its allowance is equivalent.
  package func verdict(_ figure: Figure, _ allowance: Allowance) -> PairedComparison.Verdict {
    guard let verdict = PairedComparison.Verdict(rawValue: figure.verdict) else {
      return .inconclusive
    }
    guard verdict == .regressed || verdict == .improved, let low = figure.low,
      let high = figure.high
    else { return verdict }
    let isAllowed: Bool =
      switch allowance {
      case .none: false
      case .any: true
      case .range(let range): range.contains(figure.head)
      case .absolute(let limit): abs(figure.head - figure.base) <= limit
      case .relative, .noise:
        within(
          low, high,
          allowance.tolerance(
            noise: aaCheck.first { $0.name == figure.name }?.maxDeviation ?? .infinity))
      }
    return isAllowed ? .equivalent : verdict
  }

  /// Returns whether a part of the interval is within the tolerance.
  private func within(_ low: Double, _ high: Double, _ tolerance: Double) -> Bool {
    low <= 1 + tolerance && high >= 1 / (1 + tolerance)
  }
}

/// JSON as all files of this program have it: sorted keys, fixed layout, a line feed at the end.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}
