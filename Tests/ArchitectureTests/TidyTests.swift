import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Tidy")
struct TidyTests {
  @Test("the top level holds what a newcomer expects, and nothing else")
  func topLevel() throws {
    let allowed: Set<String> = [
      "Package.swift", "Sources", "Tests", "Scenarios", "Reports", "README.md", "ARCHITECTURE.md",
      "GLOSSARY.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE", "Docs", "Benchmarks",
      "Package.resolved",
    ]
    let found = try FileManager.default.contentsOfDirectory(atPath: Repository.root.string)
      .filter { !$0.hasPrefix(".") }
    #expect(Set(found).isSubset(of: allowed), "\(Set(found).subtracting(allowed))")
  }

  @Test("every Swift file says in its first line what it is, or is a test that says it by name")
  func openingComment() throws {
    for file in Repository.swiftFiles where !file.hasSuffix("Tests.swift") {
      let first = try Repository.text(file).prefix { $0 != "\n" }
      #expect(first.hasPrefix("//"), "\(file) opens with \"\(first)\"")
    }
  }

  @Test("no two source files of the program have one name, so that a name leads to one place")
  func fileNames() {
    let files = Repository.files(in: "Sources", ending: ".swift")
    let byName = Dictionary(grouping: files) { String($0.split(separator: "/").last ?? "") }
    #expect(byName.values.filter { $0.count > 1 } == [])
  }

  @Test("files stay one idea: no source file over 500 lines, no line over 128 columns")
  func sizes() throws {
    for file in Repository.swiftFiles {
      let lines = try Repository.text(file).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 501, "\(file) has \(lines.count) lines")
      for (number, line) in lines.enumerated() where line.count > 128 {
        // A long regular expression or table row of a test cannot be broken.
        if line.contains("#/") { continue }
        Issue.record("\(file):\(number + 1) has \(line.count) columns")
      }
    }
  }

  @Test("no word that marks unfinished work, no file named like a drawer")
  func words() throws {
    let unfinished = #/\b(TODO|FIXME|XXX|HACK)\b/#
    let drawers = #/(Utils|Utilities|Helpers?|Common|Misc|Manager)(\.swift|\/)/#
    for file in Repository.swiftFiles where !file.hasSuffix("TidyTests.swift") {
      #expect(try Repository.text(file).firstMatch(of: unfinished) == nil, "\(file)")
      #expect(file.firstMatch(of: drawers) == nil, "\(file) is named like a drawer")
    }
  }

  @Test("every relative link of the documents leads to a file, and its anchor to a heading there")
  func links() throws {
    let documents =
      ["README.md", "ARCHITECTURE.md", "GLOSSARY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      + ["Docs", "Scenarios", "Reports", "Benchmarks"].flatMap {
        Repository.files(in: $0, ending: ".md")
      }
    let link = #/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/#
    for document in documents {
      let path = URL(filePath: Repository.root.string).appendingPathComponent(document)
      for match in try Repository.text(document).matches(of: link) {
        let target = String(match.1)
        if target.contains("://") || target.hasPrefix("mailto:") { continue }
        let file =
          target.isEmpty ? path : path.deletingLastPathComponent().appendingPathComponent(target)
        let exists = FileManager.default.fileExists(atPath: file.path)
        #expect(exists, "\(document) links to \(target)")
        guard exists, let anchor = match.2, target.isEmpty || target.hasSuffix(".md") else {
          continue
        }
        let found = Self.anchors(of: try String(contentsOf: file, encoding: .utf8))
        #expect(found.contains(String(anchor)), "\(document) links to \(target)#\(anchor)")
      }
    }
  }

  /// The anchors of a page's headings, as GitHub makes them.
  private static func anchors(of page: String) -> Set<String> {
    let headings = page.split(separator: "\n").filter { $0.firstMatch(of: #/^#+ /#) != nil }
    return Set(
      headings.map { heading in
        String(
          heading.drop { $0 == "#" }.dropFirst().lowercased().compactMap { character in
            if character == " " { return "-" }
            return character.isLetter || character.isNumber || "-_".contains(character)
              ? character : nil
          })
      })
  }

  @Test("the glossary defines each term once, in alphabetical order, in at most two sentences")
  func glossary() throws {
    let parts = try Repository.text("GLOSSARY.md").components(separatedBy: "\n## ")[0]
      .components(separatedBy: "\n### ").dropFirst()
    let terms = parts.map { $0.prefix { $0 != "\n" }.lowercased().replacing("-", with: " ") }
    #expect(terms.count >= 100)
    #expect(Set(terms).count == terms.count)
    #expect(terms == terms.sorted())
    for part in parts {
      #expect(part.matches(of: #/[.](?:\s|$)/#).count <= 2, "\(part)")
    }
  }

  @Test("every numbered rule of the engine has a test that forges its breach")
  func forgedBreaches() throws {
    let rule = #/\n *\/\/\/? - ((?:TREE|SPACE|FREE|DEFERRED)-\d+): /#
    let forged = #/@Test\(\s*"((?:TREE|SPACE|FREE|DEFERRED)-\d+): /#
    let rules = try Repository.files(in: "Sources/StorageEngine", ending: ".swift")
      .flatMap { try Repository.text($0).matches(of: rule).map { String($0.1) } }
    let tested = try Repository.files(in: "Tests/StorageEngineTests", ending: ".swift")
      .flatMap { try Repository.text($0).matches(of: forged).map { String($0.1) } }
    #expect(rules.count >= 22)
    #expect(Set(rules).subtracting(tested).sorted() == [])
    #expect(Set(tested).subtracting(rules).sorted() == [])
  }
}
