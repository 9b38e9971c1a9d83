// Why no scenario could be fitted to traces.

package struct FittingError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable {
    /// No transaction was committed and counted.
    case empty
    /// The traces are not of one app.
    case differentTables
    /// More of something than a scenario may have.
    case tooLarge
  }

  package let code: Code
  /// The problem, and what to do.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
