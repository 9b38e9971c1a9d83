// What this room refuses: a record or a sample file that is not ours, is damaged, or is newer than this program.

package struct RecordError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A code exists where someone reacts to it differently.
  package enum Code: String, Sendable {
    /// Not JSON, not CSV, or without the parts that a record has.
    case malformed
    /// A record, of another format than this program reads.
    case otherFormat
    /// Whole in its form, and not what the run left.
    case changed
  }

  package let code: Code
  /// What is wrong, where, and what can be done.
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
        report --accept-changed renders it all the same, with a mark
        """)
  }

  package var description: String { message }
}
