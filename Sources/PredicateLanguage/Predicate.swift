// A condition or arithmetic expression over named values, kept with its source text.

package struct Predicate: Hashable, Sendable, Codable {
  /// The text as the user wrote it.
  package let source: String
}
