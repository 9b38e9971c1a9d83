import Testing
// What is shown of texts that contain characters with effects.
import TextEscaping

@Suite("Escaped text")
struct EscapingTests {
  @Test("hidden characters are written as escapes, all others as they are")
  func hidden() {
    #expect("größer 20 MB – 🗜".escaping(where: \.isHidden) == "größer 20 MB – 🗜")
    #expect(
      "a\u{202E}b\u{0}c\u{200B}\n\t".escaping(where: \.isHidden)
        == "a\\u{202E}b\\u{0}c\\u{200B}\n\t")
    #expect("a\u{2028}b\n".escaping(where: \.isLineEnd) == "a\\u{2028}b\\u{A}")
  }

  @Test("what people must not write is hidden, but not all that is hidden is refused")
  func kinds() throws {
    for value in [0x00, 0x7F, 0x9B, 0x061C, 0x200E, 0x2066, 0x2069] as [UInt32] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(scalar.isUnprintable && scalar.isHidden)
    }
    for value in [0x200B, 0x2028, 0x2060, 0xFEFF, 0xE0041] as [UInt32] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(!scalar.isUnprintable && scalar.isHidden)
    }
    for scalar in "\t\n\ré–🗜".unicodeScalars { #expect(!scalar.isHidden) }
  }

  @Test(
    "a JSON string has escapes for quotes, line ends and hidden characters, in surrogates where they need two"
  )
  func json() {
    #expect("a \"b\" \\ c\n\t\r".jsonQuoted == #""a \"b\" \\ c\n\t\r""#)
    #expect("\u{0}\u{202E}\u{2028}".jsonQuoted == #""\u0000\u202e\u2028""#)
    #expect("\u{E0041}é🗜".jsonQuoted == #""\udb40\udc41é🗜""#)
  }
}
