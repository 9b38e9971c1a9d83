// A mistake in a scenario file, shaped so that a terminal shows it and an editor jumps to it. All mistakes of a file
// are reported together, so that one run is enough to find them all.
import PredicateLanguage

/// A mistake in a scenario file, with its position.
package struct ScenarioProblem: Hashable, Sendable {
  /// The name of the file as it was given to the parser.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, in Unicode scalars.
  package let column: Int
  /// The length of the marked part of the line, at least 1.
  package let length: Int
  /// The keys that lead to the value: `phases.pinned.commits`, `policies[2]`; empty for the document itself.
  package let path: String
  /// The mistake in words.
  package let message: String
  /// The way to correct it.
  package let hint: String?
  /// The line as it stands in the file.
  package let sourceLine: String

  package init(
    file: String, line: Int, column: Int, length: Int = 1, path: String, message: String,
    hint: String? = nil, sourceLine: String
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
    self.path = path
    self.message = message
    self.hint = hint
    self.sourceLine = sourceLine
  }

  /// The mistake on one line: `mine.yml:14:12: policies[2]: unknown variable "usedByte"; did you mean "usedBytes"?`
  package var summary: String {
    let short = path.count <= 100 ? path : "\(path.prefix(99))…"
    let location = path.isEmpty ? "" : "\(escaped(short)): "
    return "\(escaped(file)):\(line):\(column): \(location)\(message)"
      + (hint.map { "; \($0)" } ?? "")
  }

  /// The line with carets below the mistake: two lines without a newline at the end.
  package var excerpt: String {
    Excerpt.text(
      of: sourceLine.unicodeScalars.map { String($0) }, column: column, length: length,
      indent: "  ")
  }
}

/// All mistakes of a scenario file, in the order of the file; at least one.
package struct ScenarioProblems: Error, Hashable, Sendable, CustomStringConvertible {
  package let problems: [ScenarioProblem]

  package init(_ problems: [ScenarioProblem]) {
    precondition(!problems.isEmpty, "A scenario without problems is no error.")
    self.problems = problems
  }

  /// The text for a terminal: each mistake with its line and carets.
  package var description: String {
    problems.map { "\($0.summary)\n\($0.excerpt)" }.joined(separator: "\n")
  }
}
