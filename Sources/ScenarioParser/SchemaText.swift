// JSON as the schema for editors is written: members in a fixed order, and on one line what fits there, so that a
// change of one key is a change of a few lines.
import TextEscaping

package indirect enum SchemaNode: Hashable, Sendable {
  case text(String)
  case number(Int)
  case truth(Bool)
  case null
  case list([SchemaNode])
  case members([Member])

  package struct Member: Hashable, Sendable {
    package let name: String
    package let node: SchemaNode
  }

  static func object(_ members: (String, SchemaNode?)...) -> SchemaNode {
    .members(members.compactMap { name, node in node.map { Member(name: name, node: $0) } })
  }

  /// The members of both; only an object has any.
  func adding(_ name: String, _ node: SchemaNode) -> SchemaNode {
    guard case .members(let members) = self else {
      preconditionFailure("Only an object has members.")
    }
    return .members([Member(name: name, node: node)] + members)
  }

  // MARK: Text

  private static let width = 118

  /// The text, with lines of at most 118 columns where that is possible.
  package func rendered() -> String { lines(indent: 0, columns: Self.width) + "\n" }

  private func lines(indent: Int, columns: Int) -> String {
    let short = onOneLine
    if short.count <= columns { return short }
    let inner = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .list(let nodes):
      let parts = nodes.map {
        inner + $0.lines(indent: indent + 2, columns: Self.width - indent - 3)
      }
      return "[\n" + parts.joined(separator: ",\n") + end + "]"
    case .members(let members):
      let parts = members.map { member in
        let name = member.name.jsonQuoted + ": "
        let columns = Self.width - indent - 3 - name.count
        return inner + name + member.node.lines(indent: indent + 2, columns: columns)
      }
      return "{\n" + parts.joined(separator: ",\n") + end + "}"
    default: return short
    }
  }

  private var onOneLine: String {
    switch self {
    case .text(let text): text.jsonQuoted
    case .number(let number): String(number)
    case .truth(let truth): String(truth)
    case .null: "null"
    case .list(let nodes): "[" + nodes.map(\.onOneLine).joined(separator: ", ") + "]"
    case .members(let members):
      "{ "
        + members.map { $0.name.jsonQuoted + ": " + $0.node.onOneLine }.joined(separator: ", ")
        + " }"
    }
  }
}
