// The manual and the files of curves and lookups name the same columns.
import Foundation
import ReportRendering
import TestSupport
import Testing

@Suite("The manual's columns of curves and lookups")
struct DocumentedCurvesTests {
  @Test(
    "Docs/Metrics.md names every column, and no other",
    arguments: [(CurveCSV.fileName, CurveCSV.columns), (LookupCSV.fileName, LookupCSV.columns)])
  func columns(_ file: String, _ columns: [String]) throws {
    let text = try Repository.text("Docs/Metrics.md")
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| column of `\(file)`") }
      .dropFirst(2).prefix { $0.hasPrefix("|") }
    let named = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
    }
    #expect(named == columns)
  }
}
