// Each mistake is told with its place and, where there is one, the cure. Mistakes.swift holds what is told.
import Foundation
import Testing

import struct PredicateLanguage.Formula
import struct PredicateLanguage.Predicate
import struct PredicateLanguage.PredicateError
import func PredicateLanguage.nearest

@Suite("Mistakes")
struct MistakeTests {
  /// Blocks of three lines: position and message, the source, carets.
  static let reports = mistakes.split(separator: "\n\n").map(String.init)

  @Test("a mistake is told where it is and what to do", arguments: reports)
  func report(expected: String) throws {
    let source = String(expected.split(separator: "\n", omittingEmptySubsequences: false)[1])
    let error = #expect(throws: PredicateError.self) { try Predicate(source, variables: measured) }
    #expect(error?.report == expected)
  }

  @Test(
    "quantities that measure the same are compared, and plain numbers with all of them",
    arguments: [
      "totalBytes > 20 * 1024 * 1024", "usedBytes < 50 % * totalBytes",
      "usedBytes / totalBytes < 0.5",
      "1 - usedBytes / totalBytes > 50 %", "pinAge > 3 min - 5 s", "pins > 3", "pinAge > 90",
      "totalBytes / pins > 3 kB", "totalBytes > 3 kB * pins", "totalBytes / pinAge > 1 MB / 1 s",
      "totalBytes * totalBytes > 1 MB * usedBytes", "usedBytes * 100 / totalBytes < 50",
      "100 MB < totalBytes", "20 MB > 1 MiB", "(usedBytes + freeBytes) / totalBytes > 90 %",
      "Int(usedBytes) > 3 MB", "let half = 50 %; usedBytes / totalBytes < half",
    ])
  func measuresTheSame(source: String) throws {
    _ = try Predicate(source, variables: measured)
  }

  @Test("what was read before is decoded without a check of its dimensions")
  func decoded() throws {
    let data = Data(#"["usedBytes < 50 %", "totalBytes / 0 > 1"]"#.utf8)
    #expect(try JSONDecoder().decode([Predicate].self, from: data).count == 2)
  }

  @Test("an empty text, white space and comments are no condition", arguments: ["", " ", "// a\n"])
  func empty(source: String) {
    let error = #expect(throws: PredicateError.self) { try Predicate(source, variables: names) }
    #expect(error?.code == .empty)
    #expect(error?.description == "the text is empty; write a condition, as in totalBytes > 100 MB")
  }

  @Test("positions count characters, lines and columns, whatever the line ends")
  func positions() {
    let source = "let größe = 5 // 👩‍👩‍👧\r\n\n\treturn usedByte > größe\n"
    let error = #expect(throws: PredicateError.self) { try Predicate(source, variables: names) }
    #expect(
      error?.position == PredicateError.Position(offset: 28, line: 3, column: 9, length: 8))
    #expect(error?.excerpt == "\treturn usedByte > größe\n\t       ^^^^^^^^")
  }

  @Test("an error moves with the text that its own text is a part of")
  func moved() throws {
    let whole = "policies:\n  - on-launch: usedByte > 5"
    let error = try #require(
      #expect(throws: PredicateError.self) { try Predicate("usedByte > 5", variables: names) })
    let moved = error.moved(by: 25, into: whole)
    #expect(
      moved.report == """
        2:16: unknown variable "usedByte"; did you mean "usedBytes"?
          - on-launch: usedByte > 5
                       ^^^^^^^^
        """)
  }

  @Test("where no name is near, all names are told")
  func allNames() {
    let error = #expect(throws: PredicateError.self) {
      try Predicate("zebra > 5", variables: ["totalBytes", "pins"])
    }
    #expect(error?.description == "unknown variable \"zebra\"; there are totalBytes, pins")
  }

  @Test("a formula refuses a truth value, a predicate a number")
  func kinds() {
    let formula = #expect(throws: PredicateError.self) { try Formula("1 < 2", variables: names) }
    #expect(formula?.description == "a number is needed, and this is a truth value")
    let predicate = #expect(throws: PredicateError.self) {
      try Predicate("1 + 2", variables: names)
    }
    #expect(predicate?.code == .type)
  }

  @Test("the name that was meant is the nearest within an edit for each three letters")
  func suggestions() {
    let known = ["totalBytes", "usedBytes", "pins"]
    #expect(nearest(to: "usedbyte", in: known) == "usedBytes")
    #expect(nearest(to: "toatlBytes", in: known) == "totalBytes")
    #expect(nearest(to: "pin", in: known) == "pins")
    #expect(nearest(to: "bytes", in: known) == nil)
    #expect(nearest(to: "x", in: known) == nil)
    #expect(nearest(to: "x", in: []) == nil)
  }
}
