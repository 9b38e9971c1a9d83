// What is wrong with a baseline, a threshold file, a history or what they are held against.

package struct RegressionError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable, Equatable {
    /// A file is not what it should be.
    case malformed
    /// Something cannot be compared that was asked to be.
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
