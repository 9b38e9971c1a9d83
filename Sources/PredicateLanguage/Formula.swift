// An arithmetic expression over named values, in the same language as predicates. Its numbers are real.

/// A number computed from named values. Encoded as its text.
package struct Formula: Hashable, Sendable {
  package enum Result: Hashable, Sendable {
    case value(Double)
    /// A division by zero, or a result that is no number.
    case undefined
    /// The value depends on this variable, which has none.
    case unknown(String)
  }

  /// The text as the user wrote it.
  package let source: String
  let arithmetic: Arithmetic

  /// Reads an expression in which `variables` (aliases included) may be named.
  package init(_ source: String, variables: Vocabulary) throws(PredicateError) {
    self.source = source
    arithmetic = try Parser.arithmetic(in: source, vocabulary: variables)
  }

  /// The names that it asks for, in alphabetical order.
  package var variables: [String] { arithmetic.variables.sorted() }

  /// Returns the dimension of the value, given that of each variable: bytes over bytes is a share.
  package func dimension(of variable: (String) -> Dimension) -> Dimension {
    arithmetic.dimension(of: variable)
  }

  package func evaluate(_ value: (String) -> Double?) -> Result {
    switch arithmetic.evaluate(value) {
    case .value(let value): .value(value)
    case .undefined, .refused: .undefined
    case .unknown(let name): .unknown(name)
    }
  }
}

extension Formula: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    source = try container.decode(String.self)
    do {
      arithmetic = try Parser.arithmetic(in: source, vocabulary: nil)
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(error.position.column): \(error)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(source)
  }
}
