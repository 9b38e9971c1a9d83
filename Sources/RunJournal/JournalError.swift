// Errors of opening a journal.
import SystemIO

package struct JournalError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The codes that callers distinguish.
  package enum Code: String, Sendable {
    /// Another process, or another part of this one, has it open.
    case inUse
    /// It is of an unfinished run of another plan.
    case otherPlan
    /// It is no journal, or was changed.
    case damaged
    /// The operating system refused a call.
    case system
  }

  package let code: Code
  /// A sentence with the file and what can be done.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: SystemError) { self.init(.system, "\(error)") }

  package var description: String { message }
}
