import TestSupport
import Testing

@Suite("Words")
struct WordsTests {
  private let search = WordSearch()

  @Test("no Swift file uses a forbidden word")
  func sources() throws {
    for file in Repository.swiftFiles where !file.hasPrefix("Tests/ArchitectureTests/") {
      report(search.findings(inSwift: try Repository.text(file)), in: file)
    }
  }

  private func report(_ findings: [WordFinding], in file: String) {
    for finding in findings where ForbiddenWord.exemptions[file]?.contains(finding.word) != true {
      Issue.record("\(file), \(finding)")
    }
  }

  @Test(
    "no document and no scenario uses a forbidden phrase; the changelog may name what was renamed")
  func documents() throws {
    let files =
      ["README.md", "ARCHITECTURE.md", "GLOSSARY.md", "CONTRIBUTING.md"]
      + Repository.files(in: "Docs", ending: ".md")
      + ["md", "yml"].flatMap { Repository.files(in: "Scenarios", ending: ".\($0)") }
    for file in files {
      report(search.findings(inDocument: try Repository.text(file)), in: file)
    }
  }

  @Test(
    "a planted word is found, on its line",
    arguments: [
      ("let a = 1\nstore.takeWriterPlace()", "takeWriterPlace"),
      ("let a = 1\nlet mostLooks = 32", "mostLooks"),
      ("let a = 1\nvar leastBytes: Int", "leastBytes"),
      ("let a = 1\nlet place = 7", "place"),
      ("let a = 1\nlet entryPlace = 7", "entryPlace"),
      ("let a = 1\n// Whoever holds the lock goes first.", "whoever"),
      ("let a = 1\n// until the reader lets go of it", "lets go"),
      ("let a = 1\n/// Answers whether the file is open.", "Answers"),
      ("let a = 1\n/// Nobody waits.", "nobody"),
    ])
  func planted(_ text: String, _ word: String) {
    let findings = search.findings(inSwift: text)
    #expect(findings.contains { $0.line == 2 && $0.word == word }, "\(findings)")
  }

  @Test(
    "ordinary code and prose have no findings",
    arguments: [
      "/// Returns the offset of the extent.", "func place(_ bytes: Int) -> Extent?",
      "// written in place", "let almost = most + least",
      "let roomy = chatrooms", "/// The most recent version.", "updateInPlace()",
    ])
  func ordinary(_ text: String) {
    #expect(search.findings(inSwift: text) == [])
  }
}
