// Why a trace could not be read or written.
package import SystemIO

package struct TraceError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// Not a trace.
    case notATrace
    /// A version of the format that this program does not support.
    case version
    /// The bytes differ from those that were written.
    case damaged
    /// The recording was interrupted, or the file was truncated.
    case unfinished
    /// Undamaged but invalid, such as a commit without a transaction.
    case invalid
    /// A system call failed.
    case system
  }

  package let code: Code
  /// The problem, its position, and what to do.
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
