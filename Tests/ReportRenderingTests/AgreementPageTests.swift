// Figures of agreements written and read again, the page that is made of them, and Reports/Agreement, which is such a page.
import Analysis
import Foundation
import MetricModel
import RecordModel
import TestSupport
import Testing

@testable import ReportRendering

@Suite("Agreement with another engine, as a file and as a page")
struct AgreementPageTests {
  private func figures(_ megabytes: Int, growing: Bool = false) -> Agreement.Figures {
    Agreement.Figures(
      highWater: ByteCount(megabytes * 2_000_000), final: ByteCount(megabytes * 1_000_000),
      timeWeighted: ByteCount(megabytes * 1_500_000), levelsOff: !growing,
      automaticStarts: megabytes % 3)
  }

  private func agreement(
    _ scenario: String, _ sizes: [(Int, Int)], engine: String = "native", size: String = "full",
    exclusions: [Agreement.Exclusion] = []
  ) -> Agreement {
    Agreement(
      scenario: scenario, engine: engine, reference: "other",
      origin: .init(
        size: size, rows: 12_000, engineVersion: "2", referenceVersion: "14.1",
        startedAt: "2026-01-02T03:04:05Z"),
      rows: sizes.enumerated().map { index, pair in
        Agreement.Row(
          policy: "policy \(index + 1)", arm: "usual", engine: figures(pair.0),
          reference: figures(pair.1))
      }, exclusions: exclusions)
  }

  private let absent = Agreement.Exclusion(
    policy: "every-launch", arm: "a, \"b\"", reason: "no | such\nthing")

  @Test("a file reads back as it was written, and a damaged figure is refused with its line")
  func roundTrip() throws {
    let agreements = [
      agreement("first", [(10, 10), (40, 30)]),
      agreement("second", [(1, 2)], exclusions: [absent]),
      agreement("second", [(1, 2)], engine: "native-objects"),
      agreement("third", [], size: "ci", exclusions: [absent, absent]),
    ]
    let text = AgreementCSV.text(agreements)
    #expect(try AgreementCSV.read(text, name: "a.csv") == agreements)
    let damaged = text.replacing("20000000", with: "many")
    let error = #expect(throws: RecordError.self) {
      try AgreementCSV.read(damaged, name: "a.csv")
    }
    #expect(error?.message.hasPrefix("a.csv:2:") == true)
    let fewer = text.replacing(",12000,", with: ",some,")
    #expect(throws: RecordError(code: .malformed, message: "a.csv:2: some is not a number of rows"))
    {
      try AgreementCSV.read(fewer, name: "a.csv")
    }
  }

  @Test("a file of an earlier version, with its older name of a column, reads as one of today")
  func renamedColumn() throws {
    let agreements = [agreement("apart", [(80, 40)], exclusions: [absent])]
    let text = AgreementCSV.text(agreements)
    let earlier = text.replacing(",exclusion_reason,", with: ",left_out,")
    #expect(earlier != text)
    #expect(try AgreementCSV.read(earlier, name: "a.csv") == agreements)
  }

  @Test("each engine and size has its section, with differences marked and exclusions explained")
  func page() {
    let pages = AgreementMarkdown.pages([
      agreement("alike", [(50, 50), (40, 40)]), agreement("apart", [(80, 40)]),
      agreement("turned", [(50, 60), (60, 50)], exclusions: [absent, absent]),
      agreement("alike", [(5, 5)], size: "ci"),
    ])
    #expect(
      pages.map(\.title) == [
        "`native` compared with `other`, size full", "`native` compared with `other`, size ci",
      ])
    #expect(pages.map(\.agrees) == [false, true])
    let text = pages[0].text
    #expect(
      text.contains(
        "- **does not hold**: high-water marks of files of at least 50.0 MB within ± 25 %: 4 of 5 cells\n"
      ))
    #expect(text.contains("- **does not hold**: their median within ± 10 %: 17 %\n"))
    #expect(text.contains("the same order of policies: 1 of 2 scenarios with two or more"))
    #expect(text.contains("- `turned`: policy 1 and policy 2, usual\n"))
    #expect(text.contains("| turned   | 12,000 | policy 1 |"))
    #expect(text.contains("`native` 2, `other` 14.1; run on 2026-01-02."))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| --") }
    #expect(rows.count == 6)
    #expect(rows.filter { $0.contains("differs") }.map { $0.contains("apart") } == [true])
    #expect(text.contains("every-launch (a, \"b\"), every-launch (a, \"b\"): no | such thing\n"))
  }

  @Test("where one of the engines is absent the result is not run, and no criterion holds")
  func absentEngine() {
    let agreement = agreement("small", [], exclusions: [absent])
    #expect(!agreement.agrees)
    let page = AgreementMarkdown.pages([agreement])[0]
    #expect(!page.agrees)
    #expect(page.summary == "not run: nothing was measured on both engines\n")
    #expect(page.text.contains("- not run: nothing was measured on both engines\n"))
    #expect(!page.text.contains("holds"))
  }

  @Test(
    "in full size the marks of files below 50 MB are reported and not judged; trends always are")
  func small() {
    let pages = AgreementMarkdown.pages([
      agreement("large", [(25, 25)]), agreement("small", [(10, 20), (24, 24)]),
    ])
    #expect(pages[0].agrees)
    #expect(pages[0].summary.contains("of at least 50.0 MB within ± 25 %: 1 of 1 cell"))
    #expect(
      pages[0].summary.contains(
        "smaller files, not judged: 1 of 2 cells within ± 25 %, median 25 %"))
    let none = AgreementMarkdown.pages([agreement("small", [(10, 20)])])[0]
    #expect(none.agrees && none.summary.contains("median within ± 10 %: no file is that large\n"))
    // As large on the one side is enough.
    #expect(!AgreementMarkdown.pages([agreement("half", [(10, 25)])])[0].agrees)
    #expect(!AgreementMarkdown.pages([agreement("half", [(10, 25)], size: "middle")])[0].agrees)
    #expect(AgreementMarkdown.pages([agreement("small", [(10, 20)], size: "middle")])[0].agrees)
    // In the small size all are judged.
    #expect(!AgreementMarkdown.pages([agreement("small", [(10, 20)], size: "ci")])[0].agrees)
    var growing = agreement("small", [(10, 10)])
    growing = Agreement(
      scenario: "small", engine: "native", reference: "other", origin: growing.origin,
      rows: [
        .init(policy: "p", arm: "a", engine: figures(10), reference: figures(10, growing: true))
      ], exclusions: [])
    #expect(!AgreementMarkdown.pages([agreement("large", [(25, 25)]), growing])[0].agrees)
  }

  private static let begin = "<!-- made from agreement.csv -->\n"
  private static let end = "<!-- end of what is made -->\n"

  @Test(
    "Reports/Agreement is made of its agreement.csv, and Docs/Agreement.md explains all that differs"
  )
  func documented() throws {
    let page = try Repository.text("Reports/Agreement/README.md")
    let figures = "Reports/Agreement/agreement.csv"
    let agreements = try AgreementCSV.read(Repository.text(figures), name: figures)
    #expect(agreements.contains { !$0.rows.isEmpty })
    let from = try #require(page.firstRange(of: Self.begin)).upperBound
    let to = try #require(page.firstRange(of: Self.end)).lowerBound
    let made = AgreementMarkdown.pages(agreements).map(\.text).joined(separator: "\n")
    if Repository.isUpdating {
      let written = page[..<from] + "\n" + made + "\n" + page[to...]
      try Repository.write(String(written), to: "Reports/Agreement/README.md")
    } else {
      #expect(
        page[from..<to] == "\n" + made + "\n", "UPDATE_GOLDEN=1 swift test --filter AgreementPage")
    }
    let explained = try Repository.text("Docs/Agreement.md")
    for agreement in agreements where !agreement.agrees {
      #expect(
        explained.contains("`\(agreement.scenario)`"), "\(agreement.scenario) is not explained")
    }
  }
}
