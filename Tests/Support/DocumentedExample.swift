// An example in the documentation and the test that runs the same code.
import SystemIO

package enum DocumentedExample {
  /// Returns the lines of the first Swift block of a document or doc comment.
  package static func documented(in path: String) throws -> [String] {
    let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("///") ? $0.dropFirst(3).drop { $0 == " " } : $0.drop { $0 == " " } }
    return lines.drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }.map(String.init)
  }

  /// Returns the lines of a test between `// Example` and `// End of the example`.
  package static func tested(in path: String) throws -> [String] {
    let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
    return lines.drop { $0 != "// Example" }.dropFirst().prefix { $0 != "// End of the example" }
      .map(String.init)
  }

  /// Returns the blocks of one language under a heading of a document, in order.
  package static func blocks(
    of language: String, under heading: String, in path: String
  ) throws -> [String] {
    let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    var section = lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    var blocks: [String] = []
    while let begin = section.firstIndex(of: "```\(language)") {
      let block = section[(begin + 1)...].prefix { $0 != "```" }
      blocks.append(block.map { $0 + "\n" }.joined())
      section = section[block.endIndex...].dropFirst()
    }
    return blocks
  }
}
