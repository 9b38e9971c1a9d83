// The page of claims of the documents of RocksDB, DuckDB and WiredTiger: each has a source, and is held against something.
import Foundation
import TestSupport
import Testing

@Suite("Claims of other engines' documents")
struct EngineClaimTests {
  private static let page = "Reports/Claims/OtherEngines.md"

  /// The rows of all tables of the page: claim and source, test or scenario, and what holds.
  private func rows() throws -> [[String]] {
    try Repository.text(Self.page).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("|"), !line.hasPrefix("|---"), !line.hasPrefix("| claim") else {
        return nil
      }
      return line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("every claim names its source, a test that exists or a scenario, and says what holds")
  func testsExist() throws {
    let tests = try #require(
      FileManager.default.enumerator(atPath: Repository.root.appending("Tests").string)
    ).compactMap { $0 as? String }
    let rows = try rows()
    #expect(rows.count >= 9)
    for row in rows {
      try #require(row.count == 3, "\(row)")
      #expect(row[0].contains("](https://"), "\(row[0]) has no source")
      let named = row[1].matches(of: #/`(\w+)\.(\w+)`/#)
      let scenarios = row[1].matches(of: #/\]\(\.\./Peers/(\w+)/README\.md#([\w-]+)\)/#)
      #expect(!(named.isEmpty && scenarios.isEmpty), "\(row[0]) is not held against anything")
      for name in named {
        let file = tests.first { $0.hasSuffix("/\(name.1).swift") }
        let path = try #require(file, "\(name.1) is no file of tests")
        #expect(try Repository.text("Tests/\(path)").contains("func \(name.2)("), "\(name.0)")
      }
      for scenario in scenarios {
        let gallery = try Repository.text("Reports/Peers/\(scenario.1)/README.md")
        #expect(gallery.contains("\n## \(scenario.2)\n"), "\(scenario.0)")
      }
    }
  }
}
