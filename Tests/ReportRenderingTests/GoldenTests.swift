// What a report looks like, kept as files: a change of a word or a line shows in review. UPDATE_GOLDEN=1 writes
// them anew.
import Analysis
import Foundation
import RecordFixtures
import ReportRendering
import Testing

@Suite("Reports compared with golden files")
struct GoldenTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  private let analysis: ScenarioAnalysis

  init() throws {
    let (record, samples) = try SyntheticRecord.make(schedule: .both)
    analysis = ScenarioAnalysis(record: record, samples: samples)
  }

  private func compare(_ text: String, _ name: String) throws {
    let file = Self.folder.appending(path: name)
    if Self.isUpdating {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    guard text != golden else { return }
    let pairs = zip(
      text.split(separator: "\n", omittingEmptySubsequences: false),
      golden.split(separator: "\n", omittingEmptySubsequences: false))
    let difference = pairs.enumerated().first { $1.0 != $1.1 }
    Issue.record(
      """
      \(name) is not its golden, first at line \((difference?.offset ?? -1) + 1):
        now    \(difference?.element.0 ?? "(another length)")
        golden \(difference?.element.1 ?? "(another length)")
      UPDATE_GOLDEN=1 swift test --filter ReportRenderingTests writes it anew.
      """)
  }

  @Test("the pictures equal their golden files")
  func pictures() throws {
    let pictures = Pictures.all(analysis)
    #expect(pictures.map(\.name) == ["growth", "multiples", "arms"])
    for picture in pictures { try compare(picture.svg, picture.file) }
  }

  @Test("report.md equals its golden file")
  func report() throws {
    try compare(ReportMarkdown.text(analysis), "report.md")
  }

  @Test("summary.csv equals its golden file")
  func summary() throws {
    try compare(String(decoding: SummaryCSV.text(analysis), as: UTF8.self), "summary.csv")
  }

  @Test("the terminal's table equals its golden file")
  func terminal() throws {
    try compare(
      TerminalSummary.text(analysis, reportPath: "Reports/long-reader/report.md"), "terminal.txt")
  }
}
