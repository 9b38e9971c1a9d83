// Predicates over observations: the one table of variables, for policies and expectations alike, and how their values
// are printed.
package import MetricModel
package import PredicateLanguage

extension Predicate {
  /// Reads a condition over the variables of `ObservedVariable.all`, their aliases included.
  package init(observed source: String) throws(PredicateError) {
    try self.init(source, variables: .observed)
  }

  package func evaluate(_ observation: Observation) -> Evaluation {
    evaluate(observation.value)
  }

  /// The comparisons that decided, with their values.
  package func explain(_ observation: Observation) -> String {
    explain(observation.value, format: .observed)
  }
}

extension Formula {
  /// Reads an arithmetic expression over the variables of `ObservedVariable.all`, their aliases included.
  package init(observed source: String) throws(PredicateError) {
    try self.init(source, variables: .observed)
  }

  package func evaluate(_ observation: Observation) -> Formula.Result {
    evaluate(observation.value)
  }
}

extension Vocabulary {
  /// The variables of `ObservedVariable.all`, their aliases included.
  package static let observed = Vocabulary(
    ObservedVariable.all.flatMap { variable in
      ([variable.name] + variable.aliases).map {
        Variable(
          $0, variable.dimension, whole: variable.whole, isTruth: variable.unit == .truth)
      }
    })
}

extension ObservedVariable {
  fileprivate var dimension: Dimension {
    switch unit {
    case .bytes: .bytes
    case .seconds: .seconds
    case .byteSeconds: .byteSeconds
    case .count, .truth: .count
    }
  }
}

extension Observation {
  /// The value of a variable by its name or alias; nil where there is no such variable or its value is unknown.
  package func value(_ name: String) -> Double? { ObservedVariable.named(name)?.value(self) }
}

extension ValueFormat {
  /// The format for the variables of `ObservedVariable.all`.
  package static let observed = ValueFormat(
    dimension: { ObservedVariable.named($0)?.dimension ?? .plain },
    measured: measuredText, exact: exactText, constant: constantText)
}

private func measuredText(_ value: Double, _ quantity: Quantity) -> String {
  switch quantity {
  case .bytes:
    abs(value) < 1e18 ? "\(ByteCount(Int(value.rounded())))" : exactText(value, quantity)
  case .seconds: "\(shortNumber(value)) s"
  case .share: "\(shortNumber(value * 100)) %"
  case .number: shortNumber(value)
  }
}

private func exactText(_ value: Double, _ quantity: Quantity) -> String {
  switch quantity {
  case .bytes: "\(exactNumber(value)) B"
  case .seconds: "\(exactNumber(value)) s"
  case .share: "\(exactNumber(value * 100)) %"
  case .number: exactNumber(value)
  }
}

/// Returns a constant in the largest unit that gives a whole number, binary units first: 20971520 is 20 MiB.
private func constantText(_ value: Double, _ quantity: Quantity) -> String {
  guard quantity == .bytes, value >= 1000, value < 1e18, value == value.rounded() else {
    return quantity == .bytes ? exactText(value, .bytes) : measuredText(value, quantity)
  }
  let bytes = Int(value)
  let units = [
    ("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KiB", 1 << 10),
    ("kB", 1000),
  ]
  for (unit, size) in units where bytes % size == 0 { return "\(bytes / size) \(unit)" }
  return exactText(value, .bytes)
}

/// Three digits at least, all digits of a whole number, no zeros at the end.
private func shortNumber(_ value: Double) -> String {
  guard abs(value) >= 0.01, value != value.rounded(), abs(value) < 1000 else {
    return exactNumber(abs(value) < 1000 ? value : value.rounded())
  }
  var text = value.threeDigits
  if text.contains(".") {
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
  }
  return text
}

private func exactNumber(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
}
