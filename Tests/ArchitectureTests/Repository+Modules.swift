// The repository as the tests of its architecture read it: its files, and the two tables of its modules.
import Foundation
import SystemIO
import TestSupport

extension Repository {
  /// The files below a folder whose names end so, as paths from the root, sorted.
  static func files(in folder: String, ending suffix: String) -> [String] {
    let base = root.pushing(FilePath(folder))
    guard let walk = FileManager.default.enumerator(atPath: base.string) else { return [] }
    return walk.compactMap { $0 as? String }
      .filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }
      .map { "\(folder)/\($0)" }
      .sorted()
  }

  static var swiftFiles: [String] {
    ["Sources", "Tests", "Benchmarks"].flatMap { files(in: $0, ending: ".swift") }
  }
}

/// A module of the code map.
struct CodeMapModule: Hashable {
  var layer: Int
  var name: String

  /// The rows `| layer | module | … |` of ARCHITECTURE.md.
  static func codeMap() throws -> [CodeMapModule] {
    try Repository.text("ARCHITECTURE.md").split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let layer = Int(cells[0]) else { return nil }
      return CodeMapModule(layer: layer, name: cells[1])
    }
  }
}

/// The targets of the manifest with the targets that each depends on.
enum Manifest {
  static func dependencies() throws -> [String: Set<String>] {
    let text = try Repository.text("Package.swift")
    var found: [String: Set<String>] = [:]
    let target =
      #/(?:module|system|\.target|\.executableTarget)\(\s*(?:name: )?"([\w-]+)"(.*?)(?=\n    (?:module|system|tests|\.target|\.executableTarget)\(|\n\n|\n  \])/#
      .dotMatchesNewlines()
    let quoted = #/"([\w-]+)"/#
    for match in text.matches(of: target) {
      // What tests share is not a module of the program.
      if match.2.contains("path: \"Tests/") { continue }
      let rest = String(match.2)
      found[String(match.1)] = Set(rest.matches(of: quoted).map { String($0.1) })
    }
    return found
  }
}
