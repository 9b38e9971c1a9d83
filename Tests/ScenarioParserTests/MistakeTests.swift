// Each file in Cases is a scenario with a mistake. Its last lines say what the parser must answer:
// `# => line:column 'marked text' path: message`, one for each problem, in order.
import Foundation
import ScenarioParser
import Testing

@Suite("Mistakes in scenario files")
struct MistakeTests {
  static let folder = Bundle.module.resourceURL?.appendingPathComponent("Cases")
  static let names: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: folder?.path ?? "").sorted()) ?? []

  static func problems(_ text: String, file: String = "case.yml") -> [ScenarioProblem] {
    do {
      _ = try ScenarioParser.parse(text, file: file)
      return []
    } catch {
      return error.problems
    }
  }

  @Test("there are many cases")
  func count() {
    #expect(Self.names.count >= 90)
  }

  @Test("a case gives its problems, each at its place", arguments: names)
  func mistake(_ name: String) throws {
    let url = try #require(Self.folder).appendingPathComponent(name)
    let text = try String(contentsOf: url, encoding: .utf8)
    let prefix = "# => "
    let expected = text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
    let found = Self.problems(text).map(\.asExpected)
    #expect(!found.isEmpty)
    #expect(found == expected)
  }
}

extension ScenarioProblem {
  /// The problem on one line with the text that carets would mark.
  fileprivate var asExpected: String {
    let marked = sourceLine.unicodeScalars.dropFirst(column - 1).prefix(length)
    let pathPrefix = path.isEmpty ? "" : "\(path): "
    return "\(line):\(column) '\(String(String.UnicodeScalarView(marked)))' \(pathPrefix)\(message)"
      + (hint.map { "; \($0)" } ?? "")
  }
}
