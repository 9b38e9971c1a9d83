// Characters that have no business in a scenario: bytes that are no UTF-8, control characters, and those that change the
// direction of text, so that a file does something else than a reader sees.
import PredicateLanguage
package import ScenarioModel
import TextEscaping
import Yams

extension ScenarioParser {
  /// Reads a scenario from the bytes of its file, which must be UTF-8; otherwise as `parse(_:file:)`.
  package static func parse(
    utf8 bytes: [UInt8], file: String, namedAsFile: Bool = false,
    settings: [ScenarioSetting] = [],
    companion: @escaping (String) throws -> String
  ) throws(ScenarioProblems) -> Scenario {
    try YAMLDocument.checkSize(bytes.count, file: file)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScenarioProblems([CharacterCheck.invalid(bytes, file: file)])
    }
    return try parse(
      text, file: file, namedAsFile: namedAsFile, settings: settings, companion: companion)
  }
}

enum CharacterCheck {
  static let hint = "remove it, or write a space"

  /// The first byte that no character is made of.
  static func invalid(_ bytes: [UInt8], file: String) -> ScenarioProblem {
    let start = firstInvalid(in: bytes)
    let before = SourceText(String(decoding: bytes[..<start], as: UTF8.self), file: file)
    let at = before.position(of: before.count)
    let whole = SourceText(String(decoding: bytes, as: UTF8.self), file: file)
    return ScenarioProblem(
      file: file, line: at.line, column: at.column, path: "",
      message: "the byte 0x\(String(bytes[start], radix: 16, uppercase: true)) is no UTF-8",
      hint: "save the file as UTF-8", sourceLine: whole.line(at.line))
  }

  /// The length of the longest valid part from the start on.
  private static func firstInvalid(in bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var valid = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      valid += UTF8.width(scalar)
    }
    return min(valid, bytes.count - 1)
  }

  /// The first character of the text as it stands that is not shown as it is.
  static func unprintable(in source: SourceText) -> ScenarioProblem? {
    guard let (offset, scalar) = source.first(where: \.isUnprintable) else { return nil }
    let at = source.position(of: offset)
    return ScenarioProblem(
      file: source.file, line: at.line, column: at.column, path: "",
      message: "\(scalar.nameOfUnprintable) is not allowed here", hint: hint,
      sourceLine: source.line(at.line))
  }
}

extension ProblemCollector {
  /// Reports such characters where the text writes them as escapes of YAML, such as `"\u202E"`.
  func reportUnprintable(in node: Node) {
    switch node {
    case .mapping(let mapping):
      for pair in mapping {
        reportUnprintable(in: pair.key)
        reportUnprintable(in: pair.value)
      }
    case .sequence(let sequence):
      for element in sequence { reportUnprintable(in: element) }
    case .scalar(let scalar):
      let scalars = Array(scalar.string.unicodeScalars)
      guard let index = scalars.firstIndex(where: \.isUnprintable) else { return }
      let message = "\(scalars[index].nameOfUnprintable) is not allowed here"
      guard let offsets = source.offsets(of: scalar) else {
        return report(at: node, path: "", message, hint: CharacterCheck.hint)
      }
      report(
        at: source.position(of: offsets[index]), length: offsets[index + 1] - offsets[index],
        path: "", message, hint: CharacterCheck.hint)
    case .alias: break
    }
  }
}
