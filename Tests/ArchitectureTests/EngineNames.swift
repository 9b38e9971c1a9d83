// Where the name of an engine is written outside its own modules: what has to be touched to add one.
import Foundation

/// Searches files for the name of an engine, in any case.
struct EngineNames {
  /// The identifier, without hyphens: the names of modules and types are found by it too.
  let name: String

  /// Read CSV files with the product, and run no engine.
  private static let readers = [".ci/nightly", ".ci/read-back"]

  /// Whether the file is the engine's own: in a module or a test target that has its name.
  func isOwn(_ path: String) -> Bool {
    path.split(separator: "/").dropFirst().first.map { $0.lowercased().contains(name) } ?? false
  }

  /// Whether a line outside comments has the name.
  func isNamed(in text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let code = line.drop(while: \.isWhitespace)
      let isComment = code.hasPrefix("//") || code.hasPrefix("#")
      return !isComment && code.lowercased().contains(name)
    }
  }

  /// The files, among these, that are not the engine's own and name it.
  func findings(in files: [(path: String, text: String)]) -> [String] {
    files.filter { !Self.readers.contains($0.path) && !isOwn($0.path) && isNamed(in: $0.text) }
      .map(\.path)
  }
}
