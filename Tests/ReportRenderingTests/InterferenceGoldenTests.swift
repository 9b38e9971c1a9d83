// The section on interference as a golden file, its picture and its table; a record without timelines has none of them.
import Analysis
import Foundation
import RecordFixtures
import RecordModel
import Testing

@testable import ReportRendering

@Suite("The section on interference")
struct InterferenceGoldenTests {
  private let analysis: ScenarioAnalysis

  init() throws {
    var (record, samples) = try SyntheticRecord.make(schedule: .both)
    SyntheticTimeline.add(to: &record)
    analysis = ScenarioAnalysis(record: record, samples: samples)
  }

  private func compare(_ text: String, _ name: String) throws {
    let file = GoldenTests.folder.appending(path: name)
    if GoldenTests.isUpdating { try Data(text.utf8).write(to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name)")
  }

  @Test("section, picture and table equal their golden files")
  func golden() throws {
    try compare(InterferenceSection(analysis).parts.joined(separator: "\n\n"), "interference.md")
    let picture = try #require(Pictures.interference("native", analysis))
    try compare(picture.svg, picture.file)
    let csv = String(decoding: InterferenceCSV.text(analysis.record), as: UTF8.self)
    try compare(csv, InterferenceCSV.fileName)
  }

  @Test("a start is called cold only where little of the files was left in memory")
  func coldStarts() throws {
    let starts = [
      ("native", ColdStart(launch: 2, cachedBefore: 1000, cachedAfter: 0)),
      ("lmdb", ColdStart(launch: 2, cachedBefore: 1000, cachedAfter: 1000)),
      ("sqlite", ColdStart(launch: 2, failure: "it was refused")),
    ]
    var record = analysis.record
    for (engine, start) in starts {
      let index = try #require(record.cells.firstIndex { $0.key.engine == engine })
      #expect(record.cells[index].threadedRepetitions?.isEmpty == false)
      record.cells[index].threadedRepetitions?[0].coldStarts = [start]
    }
    let text = InterferenceSection(ScenarioAnalysis(record: record, samples: [])).parts.joined()
    for line in [
      "- native: 1 launch, at least 1.00 kB in memory before; nothing of the files was left in memory.",
      "- lmdb: 1 launch, at least 1.00 kB in memory before; **not cold**: up to 1.00 kB stayed in memory",
      "- sqlite: **not cold**, since files could not be dropped: it was refused",
    ] { #expect(text.contains(line), "\(line)") }
  }

  @Test("the report has the section, and every picture of it in the page")
  func inReport() {
    let markdown = ReportMarkdown.text(analysis)
    #expect(markdown.contains("## Interference\n") && markdown.contains("`interference.csv`"))
    let pictures = Pictures.all(analysis).filter { $0.name.hasPrefix("interference-") }
    #expect(pictures.map(\.name) == ["native", "lmdb", "sqlite"].map { "interference-\($0)" })
    for picture in pictures { #expect(markdown.contains("](plots/\(picture.file))")) }
    let page = ReportHTML.text(analysis)
    #expect(page.components(separatedBy: "p99 of each window").count == 1 + pictures.count)
  }

  @Test("a record of an earlier version, without timelines, has no such section, picture or table")
  func withoutTimelines() throws {
    let (record, samples) = try SyntheticRecord.make(schedule: .both)
    let data = try record.json()
    #expect(!String(decoding: data, as: UTF8.self).contains("timeline"))
    let analysis = ScenarioAnalysis(record: record, samples: samples)
    #expect(!ReportMarkdown.text(analysis).contains("nterference"))
    #expect(!InterferenceCSV.isWritten(record))
    #expect(Pictures.all(analysis).allSatisfy { !$0.name.hasPrefix("interference") })
  }

  @Test("each row of interference.csv has all columns, and what is absent is empty")
  func rows() {
    let lines = String(decoding: InterferenceCSV.text(analysis.record), as: UTF8.self)
      .split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(lines.count > 20)
    #expect(lines.allSatisfy { $0.count == InterferenceCSV.columns.count })
    let launches = lines.filter { $0[4] == "launch-compaction" }
    #expect(
      !launches.isEmpty
        && launches.allSatisfy { $0[9] == "during" && $0[10] == "0" && $0[12].isEmpty })
  }
}
