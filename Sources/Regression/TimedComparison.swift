// What a comparison of two builds found, as a file that a gate reads: `compare-builds --json`.
package import Analysis
package import Foundation
import MetricModel
import Statistics

package struct TimedComparison: Sendable, Codable, Equatable {
  package static let currentFormat = 1

  package struct Figure: Sendable, Codable, Equatable {
    package var name: String
    package var unit: String
    /// `lower`, `higher`, or `–`.
    package var better: String
    /// `regressed`, `improved`, `equivalent` or `inconclusive`.
    package var call: String
    /// Medians.
    package var base: Double
    package var head: Double
    package var ratio: Double?
    package var low: Double?
    package var high: Double?
    package var pValue: Double
    package var pValueBySignFlips: Double
    package var rankBiserial: Double
    package var cliffsDelta: Double
    /// The least change, as a share of base, that would have been called; nil where none would.
    package var smallestEffect: Double?
  }

  package var format = Self.currentFormat
  package var base: String
  package var head: String
  /// Name → value: the machine that both ran on.
  package var machine: [String: String]
  package var tolerance: Double
  package var blocks: Int
  package var isEnvironmentValid: Bool
  package var figures: [Figure]
  /// Base beside base.
  package var certificate: [Figure]
  package var exactFigures: Int
  package var exactDifferences: [ExactDifference]

  package init(
    base: String, head: String, machine: [String: String], tolerance: Double, blocks: Int,
    isEnvironmentValid: Bool, verdicts: [PairedVerdict], certificate: [PairedVerdict],
    polarity: (String) -> String, exactFigures: Int, exactDifferences: [ExactDifference]
  ) {
    self.base = base
    self.head = head
    self.machine = machine
    self.tolerance = tolerance
    self.blocks = blocks
    self.isEnvironmentValid = isEnvironmentValid
    figures = verdicts.map { Figure($0, polarity($0.name)) }
    self.certificate = certificate.map { Figure($0, polarity($0.name)) }
    self.exactFigures = exactFigures
    self.exactDifferences = exactDifferences
  }

  /// The file's bytes, ending in a line feed.
  package func json() throws -> Data { try JSONText.encode(self) }

  package init(json data: Data, name: String) throws(RegressionError) {
    do { self = try JSONDecoder().decode(Self.self, from: data) } catch {
      throw RegressionError(
        .malformed, "\(name): not what compare-builds --json writes; compare the builds again")
    }
    guard format == Self.currentFormat else {
      throw RegressionError(
        .malformed,
        "\(name): comparison format \(format); this program reads \(Self.currentFormat). Compare the builds again"
      )
    }
  }
}

extension TimedComparison.Figure {
  init(_ verdict: PairedVerdict, _ better: String) {
    self.init(
      name: verdict.name, unit: verdict.unit.rawValue, better: better, call: verdict.call.rawValue,
      base: verdict.base, head: verdict.head, ratio: verdict.ratio?.ratio,
      low: verdict.ratio?.interval?.low, high: verdict.ratio?.interval?.high,
      pValue: verdict.pValue, pValueBySignFlips: verdict.flipPValue,
      rankBiserial: verdict.rankBiserial, cliffsDelta: verdict.cliffsDelta,
      smallestEffect: verdict.smallestEffect.isFinite ? verdict.smallestEffect : nil)
  }

  /// The farthest that the interval goes from 1, as a share: of base beside base, the machine's own noise.
  var reach: Double? {
    guard let low, let high, low > 0 else { return nil }
    return max(high, 1 / low) - 1
  }
}

extension TimedComparison {
  /// A figure after the thresholds: a call within what is allowed to it is none.
  package func call(_ figure: Figure, _ allowance: Allowance) -> PairedVerdict.Call {
    guard let call = PairedVerdict.Call(rawValue: figure.call) else { return .inconclusive }
    guard call == .regressed || call == .improved, let low = figure.low, let high = figure.high
    else { return call }
    let isAllowed: Bool =
      switch allowance {
      case .none: false
      case .any: true
      case .range(let range): range.contains(figure.head)
      case .absolute(let most): abs(figure.head - figure.base) <= most
      case .relative, .noise:
        within(
          low, high,
          allowance.tolerance(
            noise: certificate.first { $0.name == figure.name }?.reach ?? .infinity))
      }
    return isAllowed ? .equivalent : call
  }

  /// Whether the interval is not wholly beyond the tolerance.
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
