// What a person sees: the whole message with its line and carets.
import ScenarioParser
import Testing

@Suite("Messages")
struct MessageTests {
  private func message(_ text: String, file: String = "Scenarios/mine.yml") -> String {
    do {
      _ = try ScenarioParser.parse(text, file: file)
      return ""
    } catch {
      return error.description
    }
  }

  private let start = SampleScenario.start

  @Test("a mistake in a predicate is shown in the scenario's own line")
  func predicate() {
    let text = start + "  - on-launch: totalBytes > 100 MB && usedByte / totalBytes < 50%\n"
    #expect(
      message(text) == """
        Scenarios/mine.yml:10:39: policies[0].on-launch: unknown variable "usedByte"; did you mean "usedBytes"?
            - on-launch: totalBytes > 100 MB && usedByte / totalBytes < 50%
                                                ^^^^^^^^
        """)
  }

  @Test("two mistakes are told in the order of the file, each with its line")
  func two() {
    let text = start.replacing("40_000", with: "0") + "  - automatik\n"
    #expect(
      message(text) == """
        Scenarios/mine.yml:4:17: data.Item.rows: 0 is out of range; from 1 to 10_000_000
            Item: { rows: 0, value: { size: 256 B } }
                          ^
        Scenarios/mine.yml:10:5: policies[0]: unknown policy "automatik"; did you mean "automatic"?
            - automatik
              ^^^^^^^^^
        """)
  }

  @Test("a tab before a mistake stays a tab above the carets' indent")
  func tab() {
    let problem = ScenarioProblem(
      file: "a.yml", line: 1, column: 3, length: 9, path: "", message: "no", sourceLine: "\ta b")
    #expect(problem.excerpt == "  \ta b\n  \t ^^")
  }

  @Test("lines and columns are the same with Windows line ends and a byte order mark")
  func lineEnds() throws {
    let text = "\u{FEFF}" + (start + "  - automatik\n").replacing("\n", with: "\r\n")
    let problem = try #require(MistakeTests.problems(text).first)
    #expect(problem.line == 10)
    #expect(problem.column == 5)
    #expect(problem.sourceLine == "  - automatik")
  }

  @Test("a block that is pasted with Windows line ends and letters outside ASCII is marked right")
  func pastedBlock() throws {
    let block = """
        - name: pasted
          on-launch: |
            // größer als 20 MB – 🗜
            let größe = 20 * 1024 * 1024

            return totalBytes > größe && usedByte < 5

      """
    for text in [start + block, (start + block).replacing("\n", with: "\r\n")] {
      let problem = try #require(MistakeTests.problems(text).first)
      #expect(problem.message == "unknown variable \"usedByte\"")
      #expect(problem.line == 15)
      #expect(problem.column == 36)
      #expect(problem.length == 8)
    }
  }
}
