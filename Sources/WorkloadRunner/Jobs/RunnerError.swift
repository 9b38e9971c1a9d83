// Why a cell could not be run to its end.

package struct RunnerError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
