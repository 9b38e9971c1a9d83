// Checks of expectations about an exact figure of the whole run, as it is in summary.csv.
import MetricModel
import ScenarioModel

struct FigureCheck {
  private let cell: CellAnalysis
  /// The cell to compare with.
  private let other: CellAnalysis?

  init(_ cell: CellAnalysis, against other: CellAnalysis?) {
    self.cell = cell
    self.other = other
  }

  private struct MissingFigure: Error {
    let reason: String
  }

  func outcome(
    _ column: String, _ comparison: Expectation.Comparison, _ limit: Expectation.Limit
  ) -> ExpectationOutcome.Result {
    do {
      let (value, unit) = try figure(column, of: cell)
      let (bound, words) = try self.limit(limit, column, unit)
      let evidence = "\(column) is \(Self.words(value, unit)); the limit is \(words)"
      return comparison.holds(value, bound)
        ? .held(evidence: evidence) : .failed(evidence: evidence)
    } catch let missing as MissingFigure {
      return .notApplicable(reason: missing.reason)
    } catch {
      preconditionFailure("only missing figures are thrown: \(error)")
    }
  }

  private func limit(
    _ limit: Expectation.Limit, _ column: String, _ unit: Metric.Unit
  ) throws -> (Double, words: String) {
    switch limit {
    case .value(let value): return (value, Self.words(value, unit))
    case .times(let factor, let other):
      let bound = factor * (try figure(other, of: cell).0)
      return (bound, "\(Self.words(bound, unit)), \(factor.threeDigits) times \(other)")
    case .timesOther(let factor):
      guard let other else { throw MissingFigure(reason: "the cell to compare with was not run") }
      let value = try figure(column, of: other).0
      return (
        factor * value,
        "\(Self.words(factor * value, unit)), \(factor.threeDigits) times \(Self.words(value, unit))"
      )
    }
  }

  private func figure(_ column: String, of cell: CellAnalysis) throws -> (Double, Metric.Unit) {
    guard let metric = SummaryMetric.allCases.first(where: { $0.column == column }) else {
      throw MissingFigure(reason: "there is no figure \(column)")
    }
    let measure = cell.measure(metric)
    if case .absent(let reason) = measure { throw MissingFigure(reason: reason) }
    guard case .exact(let value, _) = measure else {
      throw MissingFigure(reason: "\(column) is exact in stepped runs only")
    }
    return (value, metric.unit)
  }

  private static func words(_ value: Double, _ unit: Metric.Unit) -> String {
    unit == .bytes ? ByteCount(Int(value.rounded())).description : value.threeDigits
  }
}
