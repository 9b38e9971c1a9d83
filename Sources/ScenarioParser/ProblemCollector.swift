// Gathers mistakes while a file is read, so that reading goes on after the first.
import PredicateLanguage
import Yams

final class ProblemCollector {
  let source: SourceText
  /// Keys that occurred twice, as `YAMLDocument` marked them, by their mark.
  let restoredKeys: [Unicode.Scalar: Unicode.Scalar]
  /// The text of a file beside the scenario, by its name.
  let companion: (String) throws -> String
  /// The declared names, as far as the file has been read.
  var known = KnownNames()
  private var problems: [ScenarioProblem] = []
  /// The keys that were read of those that are scalable, each once, by where their values begin.
  private var scalable: [(line: Int, column: Int, key: ScalableKey)] = []
  /// What was put into a value of the file, in words, by where the value begins.
  private var notes: [[Int]: [String]] = [:]

  init(
    source: SourceText, restoredKeys: [Unicode.Scalar: Unicode.Scalar] = [:],
    companion: @escaping (String) throws -> String
  ) {
    self.source = source
    self.restoredKeys = restoredKeys
    self.companion = companion
  }

  /// The number of mistakes so far, compared before reports of what may only follow from another mistake.
  var count: Int { problems.count }

  /// The mistakes in the order of the file. An arm repeats its clients' mistakes; each is reported once.
  var sorted: [ScenarioProblem] {
    var seen: Set<ScenarioProblem> = []
    return problems.filter { seen.insert($0).inserted }
      .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  func report(
    at position: SourceText.Position, length: Int = 1, path: String, _ message: String,
    hint: String? = nil
  ) {
    problems.append(
      ScenarioProblem(
        file: source.file, line: position.line, column: position.column, length: length,
        path: path, message: message, hint: hint, sourceLine: source.line(position.line)))
  }

  func report(at node: Node, path: String, _ message: String, hint: String? = nil) {
    let mark = node.mark
    let note = notes[[mark?.line ?? 1, mark?.column ?? 1]]
    report(
      at: SourceText.Position(line: mark?.line ?? 1, column: mark?.column ?? 1),
      length: note == nil ? node.lengthInLine : 1, path: path,
      message + (note.map { ", where \($0.joined(separator: " and "))" } ?? ""), hint: hint)
  }

  /// Adds to the mistakes of a value that the value is not all from the file.
  func note(_ words: String, at mark: Mark?) {
    let key = [mark?.line ?? 1, mark?.column ?? 1]
    if notes[key]?.contains(words) != true { notes[key, default: []].append(words) }
  }

  /// Adds a key that was read. Arms read their clients again.
  func addScalable(_ field: Field) {
    guard let text = field.node.scalar?.string else { return }
    let key = ScalableKey(path: field.path, text: String(QuantityText.trimmed(text)))
    guard !scalable.contains(where: { $0.key == key }) else { return }
    scalable.append((field.node.mark?.line ?? 1, field.node.mark?.column ?? 1, key))
  }

  /// The keys that were read of those that are scalable, in the order of the file.
  var scalableKeys: [ScalableKey] {
    scalable.sorted { ($0.line, $0.column, $0.key.path) < ($1.line, $1.column, $1.key.path) }
      .map(\.key)
  }

  /// Adds a mistake that is not in the file.
  func add(_ problem: ScenarioProblem) { problems.append(problem) }

  /// A mistake within a text, shown where its characters are in the file. `base` is where the text that was read begins
  /// in the node's, in characters.
  func report(_ error: PredicateError, in node: Node, base: Int = 0, path: String) {
    guard let scalar = node.scalar, let offsets = source.offsets(of: scalar) else {
      return report(at: node, path: path, error.message, hint: error.hint)
    }
    let text = scalar.string
    let scalarOffset = { (characters: Int) in
      let prefix = text.prefix(characters)
      return min(prefix.unicodeScalars.count, offsets.count - 1)
    }
    let first = base + error.position.offset
    let start = scalarOffset(first)
    let end = scalarOffset(first + error.position.length)
    report(
      at: source.position(of: offsets[start]), length: max(1, offsets[end] - offsets[start]),
      path: path, error.message, hint: error.hint)
  }
}

extension Node {
  /// The length of a scalar in its first line; 1 for lists and mappings.
  fileprivate var lengthInLine: Int {
    guard let scalar else { return 1 }
    switch scalar.style {
    case .literal, .folded: return 1
    case .singleQuoted, .doubleQuoted: return scalar.string.unicodeScalars.count + 2
    case .any, .plain: return max(1, scalar.string.unicodeScalars.count)
    }
  }
}
