// The documents' snippets compared with those that the tests run, line by line.
import Foundation
import Testing

@Suite("Snippets, line by line")
struct SnippetComparisonTests {
  @Test(
    "every line of a snippet in the tests is the document's, but for those that the page lists, and no others are listed"
  )
  func changedLines() throws {
    let tested = try TestedSnippet.all()
    let documents = try DocumentSnippet.all()
    let listed = Dictionary(grouping: try ListedChange.all(), by: \.snippet)
    #expect(Set(tested.map(\.name)).count == tested.count, "two snippets have one name")
    #expect(Set(tested.map(\.name)) == Set(documents.map(\.name)))
    #expect(Set(listed.keys).subtracting(documents.map(\.name)) == [])
    for document in documents {
      let lines = try #require(tested.first { $0.name == document.name }).lines
      let found = SnippetDifference(document.digests, lines)
      let rows = listed[document.name] ?? []
      let title = Comment(rawValue: "\(document.document), \(document.name)")
      #expect(found.missing == rows.compactMap(\.line).sorted(), title)
      #expect(found.added.sorted() == rows.flatMap(\.added).sorted(), title)
      #expect(rows.allSatisfy { $0.reason.count > 10 }, title)
    }
  }

  private let lines = [
    "do {", "let realm = try Realm(configuration: config, queue: queue)", "// Use realm", "}",
  ]

  private func difference(_ changed: [String]) -> SnippetDifference {
    SnippetDifference(lines.map(SnippetDifference.digest), changed)
  }

  @Test("a changed, a missing, an added and an exchanged line are found")
  func planted() {
    var changed = lines
    changed[1] = "let realm = try! Realm(configuration: config, queue: queue)"
    #expect(difference(changed) == SnippetDifference(missing: [2], added: [changed[1]]))
    changed = lines
    changed.remove(at: 2)
    #expect(difference(changed) == SnippetDifference(missing: [3]))
    changed = lines
    changed.insert("print(realm)", at: 2)
    #expect(difference(changed) == SnippetDifference(added: ["print(realm)"]))
    changed = lines
    changed.swapAt(1, 2)
    #expect(difference(changed).missing.count == 1)
    #expect(difference(changed).added.count == 1)
    #expect(difference([]) == SnippetDifference(missing: [1, 2, 3, 4]))
    // A comment is a line too.
    changed = lines
    changed[2] = "// Use the realm"
    #expect(difference(changed) == SnippetDifference(missing: [3], added: [changed[2]]))
  }

  @Test("where a formatter breaks a line, or puts a comma at its end, it is the same line")
  func formatted() {
    let wrapped = [
      "do {", "let realm = try Realm(", "configuration: config,", "queue: queue)", "// Use realm",
      "}",
    ]
    #expect(difference(wrapped) == SnippetDifference())
    #expect(SnippetDifference.digest("\"a\": b,") == SnippetDifference.digest("  \"a\":  b"))
    #expect(
      SnippetDifference.digest("public var a: Int")
        == SnippetDifference.digest("var a: Int { get set }"))
    #expect(SnippetDifference.digest("a.b(c)") != SnippetDifference.digest("a.b(d)"))
  }
}
