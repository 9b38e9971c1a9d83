// Conditions on a figure of the whole run, named by its column: `peak_disk_bytes <= 60 MB`.
import MetricModel
import ScenarioModel

extension ConditionReader {
  /// Returns the condition; nil after a report of what is wrong with it.
  func figure(_ metric: Metric, _ words: String, _ field: Field) -> Expectation.Condition? {
    let name = metric.column
    guard metric.repeatability == .exact else {
      field.report(
        "\(name) depends on the machine, and an expectation cannot",
        hint: "compare it side by side: compaction-lab compare-builds")
      return nil
    }
    keys.variable?.report("\"of\" does not go with a figure", hint: "leave it out")
    if keys.at == nil {
      field.report("\(name) is a figure of the whole run", hint: "give at: end")
    }
    guard let (comparison, rest) = comparison(words), let (limit, unit) = figureLimit(rest) else {
      field.report(
        "expected \(name) <= 60 MB, \(name) <= 3 * final_bytes or \(name) <= 1.2 times, found"
          + " \"\(shortened(words))\"")
      return nil
    }
    if case .timesOther = limit, keys.against == nil {
      field.report(
        "it is not said times what", hint: "give against: an arm, a policy or an engine")
    }
    if let unit, unit != metric.unit {
      field.report(
        "\(name) is in \(metric.unit.rawValue), and the limit is \(unit == .nanoseconds ? "a time" : "in \(unit.rawValue)")",
        hint: metric.unit == .bytes ? "write a size such as 60 MB" : "write a plain number")
    }
    return .figure(column: name, comparison, limit)
  }

  /// The limit, and its unit; nil for a plain number.
  private func figureLimit(_ text: Substring) -> (Expectation.Limit, Metric.Unit?)? {
    if text.hasSuffix(" times") {
      return QuantityText.decimal(text.dropLast(6)).map { (.timesOther($0), nil) }
    }
    let parts = text.split { "*×".contains($0) }.map(QuantityText.trimmed)
    if parts.count == 2, let factor = QuantityText.decimal(parts[0]) {
      guard let other = Metric.of(column: String(parts[1])), other.repeatability == .exact else {
        return nil
      }
      return (.times(factor, variable: other.column), other.unit)
    }
    if let other = Metric.of(column: String(text)), other.repeatability == .exact {
      return (.times(1, variable: other.column), other.unit)
    }
    return quantity(text).map {
      (.value($0), $1 == nil ? nil : $1 == .bytes ? .bytes : .nanoseconds)
    }
  }
}
