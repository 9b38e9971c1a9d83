// The names that a text may use, and what each of them measures.

/// A name with what it measures.
package struct Variable: Hashable, Sendable {
  package var name: String
  /// `.plain` where it may be compared with anything.
  package var dimension: Dimension
  /// The variable of which this one is a part, for hints: their ratio is a share.
  package var whole: String?
  /// Whether it is 1 or 0, and a condition by itself.
  package var isTruth: Bool

  package init(
    _ name: String, _ dimension: Dimension = .plain, whole: String? = nil, isTruth: Bool = false
  ) {
    self.name = name
    self.dimension = dimension
    self.whole = whole
    self.isTruth = isTruth
  }
}

/// The names that a text may use, aliases included.
package struct Vocabulary: Sendable {
  package let names: [String]
  private let variables: [String: Variable]

  package init(_ variables: [Variable]) {
    names = variables.map(\.name)
    self.variables = Dictionary(variables.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The units that a number may carry.
  package static var units: [String] { Unit.all.map(\.text) }

  subscript(_ name: String) -> Variable? { variables[name] }
}

extension Vocabulary: ExpressibleByArrayLiteral {
  /// Names of which it is not declared what they measure.
  package init(arrayLiteral names: String...) { self.init(names.map { Variable($0) }) }
}
