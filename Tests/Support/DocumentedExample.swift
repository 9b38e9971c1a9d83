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
}
