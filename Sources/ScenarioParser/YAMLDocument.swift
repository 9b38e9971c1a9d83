// From text to YAML nodes with their places. Yams stops at a key that occurs twice; here the first of the two is marked
// in a copy of the text and reading goes on, so that it is one mistake among the others.
import Yams

struct YAMLDocument {
  let root: Node
  /// A key that begins with one of these begins, in the file, with the value, and occurs again later.
  let restoredKeys: [Unicode.Scalar: Unicode.Scalar]

  /// So many marks: more repeated keys are a broken file.
  private static let marks = (0xE000...0xE03F).compactMap(Unicode.Scalar.init)

  /// Refuses a file of more bytes than a scenario may have, before anything else is looked at.
  static func checkSize(_ byteCount: Int, file: String) throws(ScenarioProblems) {
    guard byteCount > YAMLLimits.length else { return }
    throw problem(
      SourceText("", file: file), nil, "the file is larger than 1 MiB", "is it a scenario?")
  }

  /// Reads the text, or throws the one mistake that makes it no YAML.
  init(_ source: SourceText, text: String) throws(ScenarioProblems) {
    var scalars = Array(text.unicodeScalars)
    if let problem = YAMLLimits.alias(in: scalars) {
      let at = source.position(of: problem.offset)
      throw ScenarioProblems([
        ScenarioProblem(
          file: source.file, line: at.line, column: at.column, length: problem.length, path: "",
          message: problem.message, hint: problem.hint, sourceLine: source.line(at.line))
      ])
    }
    var restored: [Unicode.Scalar: Unicode.Scalar] = [:]
    while true {
      do {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        guard let node = try Self.compose(String(view)) else {
          throw Self.problem(source, nil, "the file is empty", "begin with scenario: <name>")
        }
        root = node
        restoredKeys = restored
        return
      } catch let problems as ScenarioProblems {
        throw problems
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        let at = SourceText.Position(line: context.mark.line, column: context.mark.column)
        guard let mark = Self.marks.first(where: { !scalars.contains($0) }),
          let offset = Self.offset(of: keys[0], at: source.offset(of: at), in: scalars)
        else {
          throw Self.problem(source, context.mark, "key \"\(keys[0])\" is given twice", nil)
        }
        restored[mark] = scalars[offset]
        scalars[offset] = mark
      } catch {
        throw Self.translated(error, source, text: text)
      }
    }
  }

  private static func compose(_ text: String) throws -> Node? {
    try Parser(yaml: text, encoding: .utf8).singleRoot()
  }

  /// Returns the offset of a key's text, after a quote; nil if the key is written with escapes.
  private static func offset(of key: String, at start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    guard scalars.indices.contains(start), !key.isEmpty else { return nil }
    let begin = scalars[start] == "\"" || scalars[start] == "'" ? start + 1 : start
    return scalars[min(begin, scalars.count)...].starts(with: key.unicodeScalars) ? begin : nil
  }

  private static func translated(
    _ error: any Error, _ source: SourceText, text: String
  ) -> ScenarioProblems {
    switch error as? YamlError {
    case .composer(_, let problem, let mark, _) where problem.contains("another document"):
      return Self.problem(
        source, mark, "a second document begins here", "a file holds one scenario")
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let location = context.map { " \($0.text)" } ?? ""
      return Self.problem(
        source, mark, "this is no YAML: \(problem)\(location)", hint(for: problem))
    case .reader(let problem, let offset, _, _):
      let index = offset.flatMap {
        text.index(text.startIndex, offsetBy: $0, limitedBy: text.endIndex)
      }
      let before = index.map { text[..<$0].unicodeScalars.count } ?? 0
      let at = source.position(of: before)
      return ScenarioProblems([
        ScenarioProblem(
          file: source.file, line: at.line, column: at.column, path: "",
          message: "this is no YAML: \(problem)", sourceLine: source.line(at.line))
      ])
    default:
      return Self.problem(source, nil, "this is no YAML: \(error)", nil)
    }
  }

  private static func hint(for problem: String) -> String? {
    if problem.contains("cannot start any token") { return "indent with spaces, quote the text" }
    if problem.contains("mapping values are not allowed") {
      return "put text that has a colon in quotes"
    }
    return nil
  }

  private static func problem(
    _ source: SourceText, _ mark: Mark?, _ message: String, _ hint: String?
  ) -> ScenarioProblems {
    ScenarioProblems([
      ScenarioProblem(
        file: source.file, line: mark?.line ?? 1, column: mark?.column ?? 1, path: "",
        message: message, hint: hint, sourceLine: source.line(mark?.line ?? 1))
    ])
  }
}

extension YAMLDocument {
  /// Returns the top node of a file, and the collector of its mistakes; an error where it cannot be read at all.
  static func open(
    _ text: String, file: String, companion: @escaping (String) throws -> String
  ) throws(ScenarioProblems) -> (root: Node, collector: ProblemCollector) {
    try checkSize(text.utf8.count, file: file)
    // A byte order mark would count as a column.
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    let source = SourceText(text, file: file)
    if let problem = CharacterCheck.unprintable(in: source) { throw ScenarioProblems([problem]) }
    let document = try YAMLDocument(source, text: text)
    let collector = ProblemCollector(
      source: source, restoredKeys: document.restoredKeys, companion: companion)
    collector.reportUnprintable(in: document.root)
    return (document.root, collector)
  }
}
