// What is shown of texts: escapes for what a terminal would obey, and only a part of what is long.
import PredicateLanguage
import Testing
import TextEscaping

@Suite("Shown text")
struct ShownTextTests {
  @Test("characters that a terminal obeys are written as escapes, all others as they are")
  func escapes() {
    #expect(escaped("größer 20 MB – 🗜") == "größer 20 MB – 🗜")
    #expect(
      escaped("a\u{202E}b\u{0}c\nd\te\u{1B}[31m") == "a\\u{202E}b\\u{0}c\\u{A}d\\u{9}e\\u{1B}[31m")
    for value in [0x200E, 0x2066, 0x2069, 0x061C, 0x7F, 0x9B] as [UInt32] {
      #expect(Unicode.Scalar(value)?.isUnprintable == true)
    }
    for scalar in "\t\n\ré–".unicodeScalars { #expect(!scalar.isUnprintable) }
  }

  @Test("for a name of more than 80 characters none is suggested, since comparing takes long")
  func longNames() {
    for (count, isNamed) in [(80, true), (81, false)] {
      let name = String(repeating: "x", count: count)
      #expect(nearest(to: name, in: [name + "y"]) == (isNamed ? name + "y" : nil))
    }
  }

  @Test("text in a message has one line of at most 40 characters, however many accents one has")
  func abbreviations() {
    #expect(abbreviated("short") == "short")
    #expect(abbreviated("two\nlines") == "two lines")
    #expect(abbreviated(String(repeating: "x", count: 100_000)).count == 40)
    let accents = "e" + String(repeating: "\u{301}", count: 10_000)
    #expect(abbreviated(accents).unicodeScalars.count <= 201)
  }

  @Test("of a long line only what stands around the mistake is shown, with the carets below it")
  func excerpt() throws {
    let lead = String(repeating: "pins > 1 && ", count: 30)
    let tail = String(repeating: " && pins > 1", count: 9_000)
    let error = try #require(
      #expect(throws: PredicateError.self) {
        try Predicate(lead + "usedByte > 5" + tail, variables: names)
      })
    let lines = error.excerpt.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines[0].count == 82 && lines[0].hasPrefix("…") && lines[0].hasSuffix("…"))
    let start = try #require(lines[0].range(of: "usedByte"))
    let carets = try #require(lines[1].range(of: "^^^^^^^^"))
    #expect(
      lines[0].distance(from: lines[0].startIndex, to: start.lowerBound)
        == lines[1].distance(from: lines[1].startIndex, to: carets.lowerBound))
    #expect(error.position.column == lead.count + 1)
  }

  @Test(
    "a character that changes the direction of text is refused where it stands, in a comment too")
  func refused() {
    let error = #expect(throws: PredicateError.self) {
      try Predicate("pins > 1 // \u{202E}!", variables: names)
    }
    #expect(
      error?.report == """
        1:13: U+202E, which changes the direction of text, is not allowed here; remove it
        pins > 1 // \\u{202E}!
                    ^^^^^^^^
        """)
  }
}
