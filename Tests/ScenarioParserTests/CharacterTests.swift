// Bytes and characters that a scenario may not have, each at its line and column.
import ScenarioParser
import Testing

@Suite("Characters in scenario files")
struct CharacterTests {
  private static func problems(_ bytes: [UInt8]) -> [ScenarioProblem] {
    do {
      _ = try ScenarioParser.parse(utf8: bytes, file: "a.yml") { _ in "" }
      return []
    } catch { return error.problems }
  }

  @Test(
    "a byte that is no UTF-8 is told with its line and column",
    arguments: [
      ([0xFF], "0xFF"), ([0xC3, 0x28], "0xC3"), ([0xED, 0xA0, 0x80], "0xED"),
      ([0xE2, 0x82], "0xE2"),
    ] as [([UInt8], String)])
  func invalid(bytes: [UInt8], name: String) throws {
    let problem = try #require(Self.problems(Array("scenario: a\nquestion: é".utf8) + bytes).first)
    #expect(problem.summary == "a.yml:2:12: the byte \(name) is no UTF-8; save the file as UTF-8")
  }

  @Test("control characters and those that change the direction of text are told where they are")
  func unprintable() throws {
    for (character, name) in [
      ("\u{0}", "the control character U+0000"), ("\u{1B}", "the control character U+001B"),
      ("\u{202E}", "U+202E, which changes the direction of text,"),
      ("\u{2066}", "U+2066, which changes the direction of text,"),
    ] {
      let problem = try #require(
        Self.problems(Array("scenario: a\nquestion: b\(character)".utf8)).first)
      #expect(problem.line == 2 && problem.column == 12)
      #expect(problem.message == "\(name) is not allowed here")
      #expect(!problem.excerpt.unicodeScalars.contains { String($0) == character })
    }
  }

  @Test("as escapes of YAML they are told where the escape is")
  func escapedInYAML() throws {
    let text = "scenario: a\nquestion: \"what\\u202E?\"\n"
    let problem = try #require(Self.problems(Array(text.utf8)).first { $0.line == 2 })
    #expect(problem.column == 16 && problem.length == 6)
    #expect(problem.message.hasPrefix("U+202E"))
  }

  @Test("a line of 100,000 characters is not printed whole")
  func longLine() throws {
    let text = "scenario: " + String(repeating: "X", count: 100_000) + "\n"
    let problems = Self.problems(Array(text.utf8))
    #expect(!problems.isEmpty)
    for problem in problems { #expect((problem.summary + problem.excerpt).count < 500) }
  }
}
