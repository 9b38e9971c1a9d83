// What a reader sees without scrolling: the verdict and the growth of the files before all else, and every table whole in a
// window of 1,280 px.
import Analysis
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

@Suite("The first screen, and tables that fit")
struct FirstScreenTests {
  /// A report under each schedule; under both also with lookups and timelines.
  private static func analyses() throws -> [ScenarioAnalysis] {
    try RunSchedule.allCases.flatMap { schedule -> [ScenarioAnalysis] in
      var (record, samples) = try SyntheticRecord.make(schedule: schedule)
      let plain = ScenarioAnalysis(record: record, samples: samples)
      SyntheticLookups.add(to: &record)
      SyntheticTimeline.add(to: &record)
      return [plain, ScenarioAnalysis(record: record, samples: samples)]
    }
  }

  @Test("no table is wider than a window of 1,280 px leaves, in reports with lookups too")
  func tablesFit() throws {
    for analysis in try Self.analyses() {
      let page = ReportHTML.text(analysis)
      let tables = PageTable.all(in: page)
      #expect(tables.count == page.ranges(of: "<table>").count && tables.count > 10)
      for table in tables {
        let titles = table.rows.first?.map { $0.lines.map { String($0.map(\.character)) } } ?? []
        #expect(table.minWidth <= table.available, "\(table.minWidth) px: \(titles)")
      }
    }
  }

  @Test("the estimate is that of the style sheet: padding, unbreakable numbers, words and folds")
  func estimate() throws {
    #expect(ReportHTML.text(try Self.analyses()[0]).contains("th,td{padding:3px 7px;"))
    func width(_ cells: String) throws -> Double {
      try #require(PageTable.all(in: "<table><tr>\(cells)</tr></table>").first).minWidth
    }
    // Digits are 0.636 of 13 px, and the last column has at least 5 em.
    let digit = 0.636 * 13
    #expect(abs(try width("<td>00</td><td>0</td>") - (2 * digit + 14 + 65 + 14)) < 1e-9)
    let number = "<td></td><td class=\"n\">0 0</td><td></td>"
    #expect(abs(try width(number) - (14 + 2 * digit + 0.318 * 13 + 14 + 79)) < 1e-9)
    let text = "<td></td><td>00 000-0<br>0</td><td></td>"
    #expect(abs(try width(text) - (14 + (3 * 0.636 + 0.361) * 13 + 14 + 79)) < 1e-9)
    // Twenty columns of times do not fit.
    let columns = String(repeating: "<td class=\"n\">12.3 ms</td>", count: 20)
    #expect(try width(columns) > 1240)
    let folded = PageTable.all(
      in: "<details><summary>a</summary><table><tr><td>0</td></tr></table></details>")
    #expect(folded.map(\.available) == [1222])
  }

  @Test("verdict and growth come before any section and any table")
  func firstScreen() throws {
    for analysis in try Self.analyses() {
      let markdown = ReportMarkdown.text(analysis)
      let verdict = try #require(markdown.firstRange(of: "\n> **"))
      let picture = try #require(markdown.firstRange(of: "](plots/growth.svg)"))
      let section = try #require(markdown.firstRange(of: "\n## "))
      let row = try #require(markdown.firstRange(of: "\n|"))
      #expect(verdict.upperBound < picture.lowerBound)
      #expect(picture.upperBound < min(section.lowerBound, row.lowerBound))
      let page = ReportHTML.text(analysis)
      let quotation = try #require(page.firstRange(of: "<blockquote>"))
      let panel = try #require(page.firstRange(of: "data-panel="))
      let heading = try #require(page.firstRange(of: "<h2>"))
      let table = try #require(page.firstRange(of: "<table>"))
      #expect(quotation.upperBound < panel.lowerBound)
      #expect(panel.upperBound < min(heading.lowerBound, table.lowerBound))
    }
  }
}
