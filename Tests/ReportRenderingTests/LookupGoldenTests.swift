// The section on lookups and lookups.csv as golden files; which runs the figures are of; a record without lookups has neither.
import Analysis
import Foundation
import RecordFixtures
import RecordModel
import Testing

@testable import ReportRendering

@Suite("The section on lookups")
struct LookupGoldenTests {
  private let record: RunRecord
  private let samples: [CellRows<Sample>]

  init() throws {
    var (record, samples) = try SyntheticRecord.make(schedule: .both)
    SyntheticLookups.add(to: &record)
    (self.record, self.samples) = (record, samples)
  }

  private func section(_ record: RunRecord) -> String {
    LookupSection(ScenarioAnalysis(record: record, samples: samples)).parts
      .joined(separator: "\n\n")
  }

  private func compare(_ text: String, _ name: String) throws {
    let file = GoldenTests.folder.appending(path: name)
    if GoldenTests.isUpdating { try Data(text.utf8).write(to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name)")
  }

  @Test("section and table equal their golden files")
  func golden() throws {
    try compare(section(record), "lookups.md")
    try compare(String(decoding: LookupCSV.text(record), as: UTF8.self), LookupCSV.fileName)
  }

  @Test("the report has the section, and names the file")
  func inReport() {
    let markdown = ReportMarkdown.text(ScenarioAnalysis(record: record, samples: samples))
    #expect(markdown.contains("\n## Lookups\n") && markdown.contains("`lookups.csv`"))
    #expect(markdown.contains("<summary>Lookups of each thread</summary>"))
  }

  @Test("with both schedules the figures are medians over the runs on real threads")
  func realThreads() {
    let text = section(record)
    #expect(text.contains("Medians over 6 runs of each cell on real threads."))
    // A stepped transaction of the fixture takes 1 µs, each other one at least 9.
    #expect(!text.contains(" 1.00 µs ·"))
    #expect(text.contains("<br>*intended* "))
    #expect(text.contains("\n## Waits for the write lock\n"))
  }

  @Test("stepped runs are shown only where there are none on real threads, and are named")
  func stepped() throws {
    var interrupted = record
    let index = try #require(interrupted.cells.firstIndex { $0.key.engine == "sqlite" })
    interrupted.cells[index].threadedRepetitions = []
    let mixed = section(interrupted)
    #expect(
      mixed.contains(
        "on real threads. Where a cell has none, of its stepped run, marked *stepped*."))
    #expect(mixed.contains("| screens *stepped* |") && mixed.contains(" 1.00 µs ·"))
    let alone = section(record.steppedPart)
    #expect(alone.contains("Of one run of each cell under the stepped schedule."))
    #expect(!alone.contains("*stepped*") && !alone.contains("Waits for the write lock"))
    // What threads gain is not measured where one thread steps them all.
    #expect(!alone.contains(" ÷ ") && section(record).contains("| 4 ÷ 1 "))
  }

  @Test("lookups.csv has a row for all threads and one for each, in every repetition")
  func rows() throws {
    let lines = String(decoding: LookupCSV.text(record), as: UTF8.self).split(separator: "\r\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(lines.allSatisfy { $0.count == LookupCSV.columns.count })
    let cell = lines.filter { $0[0..<3] == ["native", "never", "blocked"] && $0[5] == "screens" }
    #expect(cell.count == 7 * 5)
    #expect(cell.prefix(5).map { String($0[6]) } == ["all", "0", "1", "2", "3"])
    #expect(
      cell.prefix(6).map { String($0[4]) } == [String](repeating: "stepped", count: 5) + ["threads"]
    )
    let intended = try #require(LookupCSV.columns.firstIndex(of: "intended_p50_ns"))
    #expect(cell.allSatisfy { $0[intended].isEmpty })
    #expect(lines.contains { $0[5] == "service" && $0[4] == "threads" && !$0[intended].isEmpty })
  }

  @Test("a record without lookups has neither the section nor the file")
  func without() throws {
    let (record, samples) = try SyntheticRecord.make(schedule: .both)
    let markdown = ReportMarkdown.text(ScenarioAnalysis(record: record, samples: samples))
    #expect(!markdown.contains("Lookups") && !markdown.contains("lookups.csv"))
    #expect(!LookupCSV.isWritten(record))
  }
}
