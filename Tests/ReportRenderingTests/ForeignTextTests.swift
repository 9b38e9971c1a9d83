// Texts that are not ours, in every place where a report shows them: they are text, in Markdown as in HTML.
import Analysis
import MetricModel
import RecordFixtures
import RecordModel
import ReportRendering
import ScenarioModel
import Testing

@Suite("Texts of users in reports")
struct ForeignTextTests {
  private func analysis(_ odd: String) throws -> ScenarioAnalysis {
    var (record, samples) = try SyntheticRecord.make(repetitions: 2)
    record.scenario.question = odd
    record.scenario.description = odd
    for index in record.scenario.arms.indices { record.scenario.arms[index].summary = odd }
    SyntheticRecord.rename(policy: "never", odd, &record, &samples)
    return ScenarioAnalysis(record: record, samples: samples)
  }

  @Test(
    "markup in a question, a description, a summary or a name is text in report.md and report.html",
    arguments: [
      "<script>alert(1)</script>", "![x](http://example.com/x.png)", "a ` b `` c",
      "*all* __of__ it",
      "# not a heading", "> not a quotation", "a | b \\| c", "ends\n\n## with a section",
    ])
  func isText(_ odd: String) throws {
    let result = try analysis(odd)
    let markdown = ReportMarkdown.text(result)
    let lines = markdown.split(separator: "\n")
    let usual = ReportMarkdown.text(try analysis("plain")).split(separator: "\n")
    // Nothing in it makes a heading, a quotation, a picture, a row or a line more.
    for mark in ["#", ">", "!", "|", "```"] {
      #expect(
        lines.count { $0.hasPrefix(mark) } == usual.count { $0.hasPrefix(mark) }, "\(mark)")
    }
    #expect(lines.count == usual.count)
    #expect(!markdown.contains(" <script>") && !markdown.contains("*<script>"))
    let bars = { (line: Substring) in
      line.replacing("\\|", with: "").count { $0 == "|" }
    }
    #expect(
      lines.filter { $0.hasPrefix("| native ") }.map(bars)
        == usual.filter { $0.hasPrefix("| native ") }.map(bars))
    let page = ReportHTML.text(result)
    #expect(!page.contains("<script>alert") && !page.contains("<img"))
    let shown = odd.onOneLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    // As it was written: in the question, the description, and the name within the table.
    #expect(page.contains("<p><em>\(shown)</em></p>"))
    #expect(page.contains("<p>\(shown)</p>"))
    #expect(page.contains("<td>\(shown)</td>"))
  }

  @Test("marks of direction and control characters are shown, in the terminal too")
  func hidden() throws {
    let result = try analysis("a\u{202E}b\u{0}c\u{1B}[2Jd")
    let shown = "a\\u{202E}b\\u{0}c\\u{1B}"
    for text in [
      ReportMarkdown.text(result), ReportHTML.text(result),
      TerminalSummary.text(result, reportPath: nil),
    ] + Pictures.all(result).map(\.svg) {
      #expect(!text.unicodeScalars.contains { [0x202E, 0, 0x1B].contains($0.value) })
    }
    #expect(ReportMarkdown.text(result).contains("*\(shown)\\[2Jd*"))
    #expect(ReportHTML.text(result).contains("<em>\(shown)[2Jd</em>"))
    #expect(TerminalSummary.text(result, reportPath: nil).contains(shown))
  }

  @Test("what has no meaning where it stands is not escaped")
  func readable() {
    for text in [
      "a < b * c", "pinned_bytes", "totalBytes > 20 MB && usedBytes / totalBytes < 50 %",
    ] {
      #expect(text.asMarkdown == text)
    }
    #expect("<b>".asMarkdown == "\\<b>" && "1. one".asMarkdownLine == "1\\. one")
    #expect("`a`".asCode == "`` `a` ``" && "a".asCode == "`a`")
  }
}
