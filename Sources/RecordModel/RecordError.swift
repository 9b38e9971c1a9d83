// Errors of reading a record or a sample file: not ours, damaged, or newer than this program.

package struct RecordError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The codes that callers distinguish.
  package enum Code: String, Sendable {
    /// The file is not JSON or CSV, or lacks required parts.
    case malformed
    /// A record, of another format than this program reads.
    case otherFormat
    /// Well-formed, but changed since the run.
    case changed
  }

  package let code: Code
  /// A sentence with the mistake, its place in the file, and what can be done.
  package let message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  package static func changed(_ file: String, _ what: String) -> RecordError {
    RecordError(
      code: .changed,
      message: """
        \(file): \(what), so its figures are not those that were measured; run the scenario again, or restore the file. \
        report --accept-changed renders it anyway, with a warning
        """)
  }

  package var description: String { message }
}
