// Reports of runs that did not go as planned: real threads, missing cells, odd names.
import Analysis
import MetricModel
import Policies
import RecordFixtures
import RecordModel
import ReportRendering
import ScenarioModel
import Testing

@Suite("Reports of unusual runs")
struct ReportTests {
  private func analysis(
    repetitions: Int = 2, schedule: RunSchedule = .stepped,
    _ change: (inout RunRecord, inout [CellRows<Sample>]) -> Void = { _, _ in }
  ) throws -> ScenarioAnalysis {
    var (record, samples) = try SyntheticRecord.make(repetitions: repetitions, schedule: schedule)
    change(&record, &samples)
    return ScenarioAnalysis(record: record, samples: samples)
  }

  @Test("every picture that the report shows is one of its files, and every file is shown or named")
  func pictures() throws {
    let result = try analysis()
    let text = ReportMarkdown.text(result)
    let files = Pictures.all(result).map { "plots/\($0.file)" }
    #expect(files == ["plots/growth.svg", "plots/multiples.svg", "plots/arms.svg"])
    let shown = text.matches(of: #/!\[[^\]]*\]\(([^)]+)\)/#).map { String($0.1) }
    #expect(shown == files)
    for file in files { #expect(text.contains("`\(file)`")) }
  }

  @Test(
    "the report opens with the answer, then a picture, a sentence for each engine, and the table")
  func opening() throws {
    let lines = ReportMarkdown.text(try analysis()).split(separator: "\n").map(String.init)
    let answer = lines.filter { $0.hasPrefix("> ") }
    #expect(
      answer[0].hasPrefix("> **On this workload: on native and sqlite, compact automatically"))
    #expect(answer[0].hasSuffix(".**") && answer.count == 2)
    let sentences = lines.filter { $0.hasPrefix("- On ") }.prefix(3)
    for (line, engine) in zip(sentences, ["native", "lmdb", "sqlite"]) {
      #expect(line.hasPrefix("- On \(engine) ") && line.hasSuffix("."))
      #expect(line.ranges(of: ". ").isEmpty)
    }
    let places = [
      lines.firstIndex { $0.hasPrefix("> ") }, lines.firstIndex { $0.hasPrefix("![") },
      lines.firstIndex { $0.hasPrefix("- On native ") },
      lines.firstIndex { $0.hasPrefix("| policy") },
    ]
    #expect(places.allSatisfy { $0 != nil } && sentences.count == 3)
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(lines.firstIndex { $0.hasPrefix("## ") } == places[2].map { $0 + 3 })
    // The failed expectation is said with the answer.
    #expect(lines.contains("> 1 expectation of the scenario failed; see Expectations."))
  }

  @Test("under real threads no column is called exact and nothing claims that bytes repeat")
  func threads() throws {
    let text = ReportMarkdown.text(try analysis(schedule: .threads))
    #expect(!text.contains("*exact*"))
    #expect(!text.contains("gave the same bytes"))
    #expect(text.contains("no figure is exact"))
    #expect(text.contains("*median [50.0 %]*: time-weighted, high-water mark"))
  }

  @Test("each reason for a missing cell is printed once, with a number")
  func footnotes() throws {
    let text = ReportMarkdown.text(
      try analysis { record, _ in
        for index in record.cells.indices where record.cells[index].key.engine == "sqlite" {
          record.cells[index].status = .unavailable(reason: "libsqlite3 was not found")
          record.cells[index].repetitions = []
        }
      })
    let line =
      "n/a: (1) LMDB never compacts by itself; only its copy does; (2) not available on this machine:"
    #expect(text.components(of: line) == 3)
    #expect(text.contains("n/a (2)"))
  }

  @Test(
    "an engine whose files are empty is drawn on an axis of a megabyte, not of fractions of bytes")
  func emptyFiles() throws {
    let result = try analysis { _, samples in
      for index in samples.indices where samples[index].key.engine == "native" {
        for row in samples[index].rows.indices {
          samples[index].rows[row].observation.space = SpaceUsage(file: .zero)
        }
      }
    }
    let panel = try #require(
      PanelModel(title: "native", cells: cells(result, "native"), maxPoints: 100))
    #expect(panel.top == ByteCount(1_000_000))
    let growth = try #require(Pictures.all(result).first).svg
    #expect(growth.contains(">1 MB</text>") && !growth.contains(".0 B"))
  }

  private func cells(
    _ analysis: ScenarioAnalysis, _ engine: String
  ) -> [(series: Int, title: String, cell: CellAnalysis)] {
    analysis.cells.filter { $0.key.engine == engine && $0.key.arm == analysis.mainArm }
      .enumerated().map { ($0, $1.key.policy, $1) }
  }

  @Test("a mark is as high as all files, also where a log lies beside the main file")
  func marksOnTheCurve() throws {
    let log = ByteCount(4_000_000)
    let result = try analysis { _, samples in
      for index in samples.indices where samples[index].key.engine == "sqlite" {
        for row in samples[index].rows.indices {
          samples[index].rows[row].observation.space.sidecar = log
        }
      }
    }
    let heights = Set(
      result.record.cells.filter { $0.key.engine == "sqlite" }.flatMap(\.repetitions)
        .flatMap(\.events).map { "\($0.commit) \(($0.event.after + log).bytes)" })
    let panel = try #require(
      PanelModel(title: "sqlite", cells: cells(result, "sqlite"), maxPoints: 100))
    let marks = panel.lines.flatMap(\.marks)
    #expect(marks.count > 2 && Set(marks.map(\.kind)) == [.compacted, .declined])
    for mark in marks { #expect(heights.contains("\(mark.commit) \(mark.bytes.bytes)")) }
  }

  @Test("a run without any figures still gives a report, and no picture")
  func empty() throws {
    let result = try analysis { record, samples in
      record.provenance.interrupted = true
      samples = []
      for index in record.cells.indices { record.cells[index].repetitions = [] }
    }
    let text = ReportMarkdown.text(result)
    #expect(text.contains("> **No recommendation: on native nothing was measured in arm `blocked`"))
    #expect(text.contains("interrupted before its first run ended"))
    #expect(Pictures.all(result).isEmpty)
    #expect(ReportHTML.text(result).contains("No recommendation"))
    #expect(TerminalSummary.text(result, reportPath: nil).contains("n/a"))
  }

  @Test("page fill is shown for engines that report it, and for no others")
  func pages() throws {
    #expect(!ReportMarkdown.text(try analysis()).contains("Page fill"))
    let told = try analysis { record, _ in
      let main = record.scenario.arms[0].name
      for index in record.cells.indices
      where record.cells[index].key.engine == "sqlite" && record.cells[index].key.arm == main {
        record.cells[index].repetitions[0].tables = [
          TableStatistics(
            table: "Item", innerPages: 3, leafPages: 1200, overflowPages: 0,
            bytes: ByteCount(4_927_488), payload: ByteCount(1_200_000), unused: ByteCount(3_695_616)
          )
        ]
      }
    }
    let section = try #require(
      ReportMarkdown.text(told).split(separator: "\n## ").first { $0.hasPrefix("Page fill") })
    let rows = section.split(separator: "\n").filter { $0.contains("| Item") }
    #expect(rows.count == told.cells.count { $0.first?.tables != nil } && !rows.isEmpty)
    #expect(section.contains("**sqlite**") && !section.contains("**native**"))
    #expect(rows.allSatisfy { $0.contains("75.0 %") })
    #expect(rows.allSatisfy { $0.contains("1,200") && $0.contains("4.93 MB") })
  }

  @Test("names with bars, quotes and line breaks break neither tables nor scripts")
  func oddNames() throws {
    let odd = "a|b's\n\"c\""
    let result = try analysis { record, samples in
      SyntheticRecord.rename(policy: "never", odd, &record, &samples)
    }
    let text = ReportMarkdown.text(result)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| a\\|b's \"c\" ") }
    // Two tables of policies and one of memory on two engines (on the third the name is bold), curves and holders on three.
    #expect(rows.count == 3 * 2 + 2 * 3)
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("\"c\"") })
    for picture in Pictures.all(result) {
      #expect(picture.svg.contains("a|b's &quot;c&quot;") == (picture.name != "arms"))
    }
    #expect(SummaryCSV.text(result).count > 1000)
  }

  @Test("a curve keeps its extremes however many samples there are")
  func thinning() throws {
    let result = try analysis { record, samples in
      record.scenario.expectations = []
      let index = samples.firstIndex { $0.key.engine == "native" } ?? 0
      let template = samples[index].rows[0]
      samples[index].rows = (0..<50_000).map { number in
        var sample = template
        sample.observation.commits = number
        sample.observation.space.file = ByteCount(
          number == 31_234 ? 900_000_000 : 1_000_000 + number % 7)
        return sample
      }
    }
    let panel = try #require(
      PanelModel(title: "native", cells: Array(cells(result, "native").prefix(1)), maxPoints: 1200))
    let points = panel.lines[0].points
    #expect(points.contains(Curve.Point(commit: 31_234, bytes: ByteCount(900_000_000))))
    #expect(points.count <= 1200 && points.count > 600)
  }

  @Test("the small curve rises from zero to full height")
  func sparkline() {
    #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7], width: 8) == "▁▂▃▄▅▆▇█")
    #expect(Sparkline.text([7, 7], width: 8) == "██")
    #expect(Sparkline.text([0, 0, 9, 0], width: 2) == "▁█")
    #expect(Sparkline.text([], width: 8).isEmpty)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    ranges(of: part).count
  }
}
