// JSON output of commands: keys in a fixed order, numbers unrounded.
import ArgumentParser
import TextEscaping

/// The output format of a command.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

struct FormatOption: ParsableArguments {
  @Option(name: .long, help: "text, or json for programs (Reports/JSONOutput.md shows the keys).")
  var format: OutputFormat = .text

  var isJSON: Bool { format == .json }
}

indirect enum JSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt64)
  case text(String)
  case list([JSON])
  case object([Member])

  struct Member: Equatable {
    var key: String
    var value: JSON
  }

  static func optional(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }
  static func optional(_ number: Int?) -> JSON { number.map { .integer($0) } ?? .null }
  static func optional(_ number: UInt64?) -> JSON { number.map { .unsigned($0) } ?? .null }
  static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

  /// The whole text, with two spaces for each level and without a line end.
  func text(indent: String = "") -> String {
    let inner = indent + "  "
    func block(_ open: String, _ parts: [String], _ close: String) -> String {
      guard !parts.isEmpty else { return open + close }
      return "\(open)\n\(inner)\(parts.joined(separator: ",\n\(inner)"))\n\(indent)\(close)"
    }
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .integer(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .text(let text): return text.jsonQuoted
    case .list(let values): return block("[", values.map { $0.text(indent: inner) }, "]")
    case .object(let members):
      let parts = members.map { "\($0.key.jsonQuoted): \($0.value.text(indent: inner))" }
      return block("{", parts, "}")
    }
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member(key: $0.0, value: $0.1) })
  }

  init(arrayLiteral values: JSON...) { self = .list(values) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
  init(stringLiteral text: String) { self = .text(text) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(nilLiteral: ()) { self = .null }
}

extension Console {
  static func print(_ json: JSON) { print(json.text()) }
}
