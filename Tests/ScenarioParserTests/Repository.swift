// Files of this repository that tests hold to the parser: the shipped scenarios, their schema and their documents.
import Foundation

enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Whether files that are made are to be made anew: `UPDATE_GOLDEN=1`.
  static var updates: Bool { ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" }

  static func write(_ text: String, to path: String) throws {
    try text.write(to: root.appendingPathComponent(path), atomically: true, encoding: .utf8)
  }

  /// The names of the shipped scenarios, in alphabetical order.
  static func scenarios() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Scenarios").path
    )
    .filter { $0.hasSuffix(".yml") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// The folders of the catalogue.
  static let groups = ["compaction", "limits", "log", "modes", "pins", "processes", "reclaim"]

  /// The names of a group's scenarios, in alphabetical order.
  static func scenarios(of group: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Scenarios/\(group)").path
    )
    .filter { $0.hasSuffix(".yml") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// The catalogue's scenarios, as paths below `Scenarios` without the ending.
  static func catalogue() throws -> [String] {
    try groups.flatMap { group in try scenarios(of: group).map { "\(group)/\($0)" } }
  }

  /// The texts of all shipped scenarios, those in folders too.
  static func scenarioTexts() throws -> [String] {
    let folder = root.appendingPathComponent("Scenarios")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (files ?? []).filter { $0.hasSuffix(".yml") }.sorted()
      .map { try text("Scenarios/\($0)") }
  }
}
