// Why a trace could not be read or written.
package import SystemIO

package struct TraceError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// Another kind of file.
    case notATrace
    /// Of a version of the format that this program does not know.
    case version
    /// Bytes that are not those that were written.
    case damaged
    /// The recording did not come to its end, or the file was cut.
    case unfinished
    /// Well written, and makes no sense: a commit without a transaction.
    case senseless
    /// The system refused.
    case system
  }

  package let code: Code
  /// What is wrong, where, and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package init(_ error: SystemError, _ action: String) {
    self.init(.system, "\(action): \(error)")
  }

  package var description: String { message }
}
