// The shipped scenarios, which tests hold to the parser.
import SystemIO
import TestSupport

enum ShippedScenarios {
  /// The folders of the catalog.
  static let groups = [
    "apps", "columnar", "compaction", "interference", "limits", "log", "lsm", "modes", "pins",
    "processes", "reclaim", "shapes", "wiredtiger",
  ]

  /// The names of the scenarios in a folder below `Scenarios`, in alphabetical order: of a group, or of the documents.
  static func names(of group: String = "") throws -> [String] {
    let folder = Repository.root.appending("Scenarios").pushing(FilePath(group))
    return try FileSystem.list(folder).filter { $0.hasSuffix(".yml") }
      .map { String($0.dropLast(4)) }.sorted()
  }

  /// The catalog's scenarios, as paths below `Scenarios` without the ending.
  static func catalog() throws -> [String] {
    try groups.flatMap { group in try names(of: group).map { "\(group)/\($0)" } }
  }

  /// The texts of all shipped scenarios, by path.
  static func texts() throws -> [String] {
    try (catalog() + names()).sorted().map { try Repository.text("Scenarios/\($0).yml") }
  }
}
