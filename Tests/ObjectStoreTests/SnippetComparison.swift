// The Swift snippets of the documents as digests of their lines, those in the tests between two marks, and what differs.
import Foundation
import TestSupport

/// A snippet of a document: the digests of its lines, which `.ci/snippet-digests` makes from the document.
struct DocumentSnippet {
  var document: String
  var name: String
  var digests: [String]

  static func all() throws -> [DocumentSnippet] {
    var snippets: [DocumentSnippet] = []
    let rows = try Repository.text("Tests/ObjectStoreTests/Files/SnippetDigests.csv")
    for row in rows.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: ",").map(String.init)
      if cells[0] != snippets.last?.document || cells[1] != snippets.last?.name {
        snippets.append(DocumentSnippet(document: cells[0], name: cells[1], digests: []))
      }
      snippets[snippets.count - 1].digests.append(cells[3])
    }
    return snippets
  }
}

/// A snippet in the tests: the lines between `// Snippet: name` and `// End of snippet`.
struct TestedSnippet {
  var name: String
  var lines: [String]

  static func all() throws -> [TestedSnippet] {
    let folder = "Tests/ObjectStoreTests"
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(folder).string)
    return try files.filter { $0.hasSuffix("SnippetTests.swift") }.sorted().flatMap {
      try inFile("\(folder)/\($0)")
    }
  }

  private static func inFile(_ path: String) throws -> [TestedSnippet] {
    var snippets: [TestedSnippet] = []
    var open: TestedSnippet?
    for line in try Repository.text(path).split(separator: "\n") {
      let text = line.trimmed
      if text.hasPrefix("// Snippet: ") {
        open = TestedSnippet(name: String(text.dropFirst("// Snippet: ".count)), lines: [])
      } else if text == "// End of snippet" {
        if let open { snippets.append(open) }
        open = nil
      } else if !text.isEmpty {
        open?.lines.append(text)
      }
    }
    return snippets
  }
}

/// What a snippet in the tests has otherwise than the document.
struct SnippetDifference: Equatable {
  /// The numbers, from 1, of the document's lines that the test does not have.
  var missing: [Int] = []
  /// The test's lines that the document does not have.
  var added: [String] = []

  init(missing: [Int] = [], added: [String] = []) {
    self.missing = missing
    self.added = added
  }

  /// Aligns the lines so that as many as possible are the same, in order. A line of the document may be several lines in
  /// the test, where the formatter breaks it.
  init(_ digests: [String], _ lines: [String]) {
    let stripped = lines.map { String($0.filter { !$0.isWhitespace }) }
    // For each first line, the digests of it alone and joined with those that follow.
    let spans = stripped.indices.map { start in
      (start..<min(start + Self.maxJoined, stripped.count)).map { last in
        Self.digest(stripped[start...last].joined())
      }
    }
    // The most lines of the document from `line` on that are found in the test from `start` on.
    var counts = Array(
      repeating: Array(repeating: 0, count: lines.count + 1), count: digests.count + 1)
    func matchEnd(_ line: Int, _ start: Int) -> Int? {
      spans[start].firstIndex(of: digests[line]).map { start + $0 + 1 }
    }
    for line in digests.indices.reversed() {
      for start in lines.indices.reversed() {
        let skipped = max(counts[line + 1][start], counts[line][start + 1])
        let matched = matchEnd(line, start).map { counts[line + 1][$0] + 1 } ?? 0
        counts[line][start] = max(skipped, matched)
      }
    }
    var (line, start) = (0, 0)
    while line < digests.count || start < lines.count {
      let canMatch = line < digests.count && start < lines.count
      if canMatch, let end = matchEnd(line, start),
        counts[line][start] == counts[line + 1][end] + 1
      {
        (line, start) = (line + 1, end)
      } else if line < digests.count,
        start == lines.count || counts[line][start] == counts[line + 1][start]
      {
        line += 1
        missing.append(line)
      } else {
        added.append(lines[start])
        start += 1
      }
    }
  }

  private static let maxJoined = 4

  /// Returns the digest of the characters that are compared: without white space, and without what a formatter or a
  /// requirement of a protocol changes. `.ci/snippet-digests` has the same rule.
  static func digest(_ line: String) -> String {
    var text = line.filter { !$0.isWhitespace }[...]
    if text.hasPrefix("public") { text = text.dropFirst("public".count) }
    for end in ["{getset}", "{get}", "{", ","] where text.hasSuffix(end) {
      text = text.dropLast(end.count)
    }
    // FNV-1a.
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The lines of a snippet that the page lists as changed, with the reason.
struct ListedChange {
  var snippet: String
  var line: Int?
  var added: [String]
  var reason: String

  /// The rows of the table: snippet, line of the document, line of the test, reason. `–` stands for no line, and
  /// `` `}` × 3 `` for three equal ones.
  static func all() throws -> [ListedChange] {
    let page = try Repository.text("Reports/Claims/Snippets.md")
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Changed lines\n") }
    return (section ?? "").split(separator: "\n").compactMap { row in
      let cells = row.split(separator: "|").map { String($0.trimmed) }
      guard row.hasPrefix("| `"), cells.count == 4 else { return nil }
      let text = cells[2].firstMatch(of: #/^`(.+)`(?: × (\d+))?$/#)
      let count = text.flatMap { $0.2.map { Int($0) ?? 0 } } ?? 1
      return ListedChange(
        snippet: cells[0].trimmingPrefix("`").dropLast().description, line: Int(cells[1]),
        added: text.map { Array(repeating: String($0.1), count: count) } ?? [], reason: cells[3])
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(
      drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
