import Foundation
import TestSupport
import Testing

@Suite("The table of snippets")
struct SnippetTableTests {
  @Test("every test that the table names exists, and every test of a snippet is in the table")
  func complete() throws {
    let named = Set(
      try Repository.text("Reports/Claims/Snippets.md").split(separator: "\n").flatMap { row in
        let cells = row.split(separator: "|")
        guard row.hasPrefix("|"), cells.count == 5 else { return [String]() }
        return cells[3].matches(of: #/`(\w+)`/#).map { String($0.1) }
      })
    let files = ["CompactingSnippetTests", "OpeningSnippetTests", "ConfigurationSnippetTests"]
    // Tests are the functions of the suite that are not private.
    let test = #/\n  func (\w+)\(\)/#
    let found = Set(
      try files.flatMap { file in
        try Repository.text("Tests/ObjectStoreTests/\(file).swift").matches(of: test).map {
          String($0.1)
        }
      })
    #expect(named == found)
    #expect(found.count >= 18)
  }
}
