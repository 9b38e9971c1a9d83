// The conditions of Realm's documentation, pasted whole, must read and decide as they would in the app.
import PredicateLanguage
import Testing

/// Names that may be compared with anything.
let names: Vocabulary = [
  "totalBytes", "realmFileSizeInBytes", "usedBytes", "liveBytes", "freeBytes", "pins", "pinAge",
]

/// The same names with what they measure.
let measured = Vocabulary([
  Variable("totalBytes", .bytes), Variable("realmFileSizeInBytes", .bytes),
  Variable("usedBytes", .bytes, whole: "totalBytes"),
  Variable("liveBytes", .bytes, whole: "totalBytes"),
  Variable("freeBytes", .bytes, whole: "totalBytes"), Variable("pins", .count),
  Variable("pinAge", .seconds),
])

@Suite("Conditions as the documents write them")
struct DocumentTests {
  struct Document: CustomTestStringConvertible {
    var title: String
    var source: String
    /// The size at which the condition begins to look at the used share.
    var threshold: Double
    var oneLine: String
    var testDescription: String { title }
  }

  static let documents = [
    Document(
      title: "when to compact: the closure's body",
      source: """
        // Set a maxFileSize equal to 20MB in bytes
        let maxFileSize = 20 * 1024 * 1024
        // Check for the realm file size to be greater than the max file size,
        // and the amount of bytes currently used to be less than 50% of the
        // total realm file size
        return (realmFileSizeInBytes > maxFileSize) && (Double(usedBytes) / Double(realmFileSizeInBytes)) < 0.5
        """,
      threshold: 20 * 1024 * 1024,
      oneLine:
        "realmFileSizeInBytes > 20 * 1024 * 1024 && usedBytes / realmFileSizeInBytes < 0.5"),
    Document(
      title: "Swift: the configuration",
      source: """
        let config = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
        // totalBytes refers to the size of the file on disk in bytes (data + free space)
        // usedBytes refers to the number of bytes used by data in the file
        // Compact if the file is over 100MB in size and less than 50% 'used'
        let oneHundredMB = 100 * 1024 * 1024
        return (totalBytes > oneHundredMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
        })
        """,
      threshold: 100 * 1024 * 1024,
      oneLine: "totalBytes > 100 * 1024 * 1024 && usedBytes / totalBytes < 0.5"),
    Document(
      title: "Swift: the closure alone",
      source: """
        { totalBytes, usedBytes in
        // Compact if the file is over 100MB in size and less than 50% 'used'
        let oneHundredMB = 100 * 1024 * 1024
        return (totalBytes > oneHundredMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
        }
        """,
      threshold: 100 * 1024 * 1024,
      oneLine: "totalBytes > 100 * 1024 * 1024 && usedBytes / totalBytes < 0.5"),
    Document(
      title: "Objective-C: the configuration",
      source: """
        config.shouldCompactOnLaunch = ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {
        // totalBytes refers to the size of the file on disk in bytes (data + free space)
        // usedBytes refers to the number of bytes used by data in the file
        // Compact if the file is over 100MB in size and less than 50% 'used'
        NSUInteger oneHundredMB = 100 * 1024 * 1024;
        return (totalBytes > oneHundredMB) && ((double)usedBytes / totalBytes) < 0.5;
        };
        """,
      threshold: 100 * 1024 * 1024,
      oneLine: "totalBytes > 100 * 1024 * 1024 && usedBytes / totalBytes < 0.5"),
    Document(
      title: "the short form",
      source: "totalBytes > 100 MB && usedBytes / totalBytes < 50%", threshold: 100_000_000,
      oneLine: "totalBytes > 100 MB && usedBytes / totalBytes < 50%"),
  ]

  @Test("compacts above the size with less than half used, and only there", arguments: documents)
  func decides(document: Document) throws {
    let predicate = try Predicate(document.source, variables: measured)
    let size = document.threshold
    let cases: [(total: Double, used: Double, Evaluation)] = [
      (size + 1, size / 2 - 1, .yes), (size, 0, .no), (size + 1, 0, .yes),
      (size * 2, size, .no), (size * 2, size - 1, .yes), (size + 1, size + 1, .no), (0, 0, .no),
    ]
    for (total, used, expected) in cases {
      let evaluation = predicate.evaluate { name in
        ["totalBytes": total, "realmFileSizeInBytes": total, "usedBytes": used][name]
      }
      #expect(evaluation == expected, "\(used) B used of \(total) B")
    }
  }

  @Test("is shown condensed on one line, which reads as the same condition", arguments: documents)
  func condensed(document: Document) throws {
    let predicate = try Predicate(document.source, variables: measured)
    #expect(predicate.oneLine == document.oneLine)
    let again = try Predicate(predicate.oneLine, variables: measured)
    #expect(again.oneLine == predicate.oneLine)
    #expect(again.variables == predicate.variables)
  }

  @Test("a closure may declare its types, or have a block comment, tabs and Windows line ends")
  func variants() throws {
    for source in [
      "{ (totalBytes: Int, usedBytes: Int) -> Bool in return totalBytes > 5 }",
      "{ totalBytes, _ in totalBytes > 5 }",
      "{ totalBytes > 5 }",
      "^(NSUInteger totalBytes, NSUInteger usedBytes) { return totalBytes > 5; }",
      "/* five\n bytes */ let five: Int = 5;\r\n\r\n\treturn totalBytes > five\r\n",
      "const double five = 5.0f; bool isLarge = totalBytes > five; return isLarge",
      "let five = 5\n(totalBytes > five)",
      "let minusFive = 5\n  - 10\n-minusFive < totalBytes",
      "return totalBytes >\n  5",
      "totalBytes\n  > 5 && true",
    ] {
      let predicate = try Predicate(source, variables: measured)
      #expect(predicate.evaluate { _ in 6 } == .yes, "\(source)")
      #expect(predicate.evaluate { _ in 5 } == .no, "\(source)")
    }
  }
}
