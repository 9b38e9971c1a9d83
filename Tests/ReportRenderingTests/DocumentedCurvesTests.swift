// The manual and the curve files name the same columns.
import Foundation
import ReportRendering
import TestSupport
import Testing

@Suite("The manual's columns of curves")
struct DocumentedCurvesTests {
  @Test("Docs/Metrics.md names every column of curves.csv, and no other")
  func columns() throws {
    let text = try Repository.text("Docs/Metrics.md")
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| column of `curves.csv`") }
      .dropFirst(2).prefix { $0.hasPrefix("|") }
    let named = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
    }
    #expect(named == CurveCSV.columns)
  }
}
