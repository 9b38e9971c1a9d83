// Errors of baselines, threshold files, histories and the runs that are compared with them.

package struct RegressionError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable, Equatable {
    /// A file is malformed.
    case malformed
    /// The runs cannot be compared.
    case notComparable
  }

  package let code: Code
  /// What is wrong and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
