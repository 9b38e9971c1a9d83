// Reports of runs that did not go as planned: real threads, no pictures, missing cells, odd names.
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
    repetitions: Int = 2, schedule: Schedule = .stepped,
    _ change: (inout RunRecord, inout [CellRows<Sample>]) -> Void = { _, _ in }
  ) throws -> ScenarioAnalysis {
    var (record, samples) = try SyntheticRecord.make(repetitions: repetitions, schedule: schedule)
    change(&record, &samples)
    return ScenarioAnalysis(record: record, samples: samples)
  }

  @Test("without pictures the report is whole and says how to get them")
  func noPictures() throws {
    let result = try analysis()
    let with = ReportMarkdown.text(result, hasPictures: true)
    let without = ReportMarkdown.text(result, hasPictures: false)
    #expect(!without.contains("!["))
    #expect(without.contains("apt-get install gnuplot-nox"))
    #expect(without.contains("`gnuplot growth.gp` and `gnuplot arms.gp`"))
    let sections = { (text: String) in text.split(separator: "\n").filter { $0.hasPrefix("## ") } }
    #expect(sections(with) == sections(without))
  }

  @Test("under real threads no column is called exact and nothing claims that bytes repeat")
  func threads() throws {
    let text = ReportMarkdown.text(try analysis(schedule: .threads), hasPictures: true)
    #expect(!text.contains("*exact*"))
    #expect(!text.contains("gave the same bytes"))
    #expect(text.contains("no figure here is called exact"))
    #expect(text.contains("high water<br>*median [50.0 %]*"))
  }

  @Test("each reason for a missing cell is said once, by number")
  func footnotes() throws {
    let text = ReportMarkdown.text(
      try analysis { record, _ in
        for index in record.cells.indices where record.cells[index].key.engine == "sqlite" {
          record.cells[index].status = .unavailable(reason: "libsqlite3 was not found")
          record.cells[index].repetitions = []
        }
      }, hasPictures: true)
    let line =
      "n/a: (1) LMDB never compacts by itself; only its copy does; (2) not on this machine:"
    #expect(text.components(of: line) == 2)
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
    let plot = try #require(Plots.plots(for: result).first)
    let panel = try #require(plot.script.split(separator: "# native\n").last)
    let range = try #require(panel.split(separator: "\n").first { $0.hasPrefix("set yrange") })
    #expect(range == "set yrange [0:1.000000]")
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
    let plot = try #require(Plots.plots(for: result).first)
    let heights = Set(
      result.record.cells.filter { $0.key.engine == "sqlite" }.flatMap(\.repetitions)
        .flatMap(\.events).map { "\($0.commit) \(($0.event.after + log).bytes)" })
    let rows = plot.data.components(separatedBy: "\n\n\n")
      .filter { $0.contains("sqlite, compacted") || $0.contains("sqlite, declined") }
      .flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("#") }
    #expect(rows.count > 2)
    for row in rows {
      let fields = row.split(separator: "\t")
      let bytes = try #require(Int(fields[1].replacing(".", with: "")))
      #expect(heights.contains("\(fields[0]) \(bytes)"), "\(row)")
    }
  }

  @Test("a run without any figures still gives a report, and no picture")
  func empty() throws {
    let result = try analysis { record, samples in
      record.provenance.interrupted = true
      samples = []
      for index in record.cells.indices { record.cells[index].repetitions = [] }
    }
    let text = ReportMarkdown.text(result, hasPictures: false)
    #expect(text.contains("> **No verdict: nothing was measured on native.**"))
    #expect(text.contains("interrupted before its first run ended"))
    #expect(Plots.plots(for: result).isEmpty)
    #expect(TerminalSummary.text(result, reportPath: nil).contains("n/a"))
  }

  @Test("names with bars, quotes and line breaks break neither tables nor scripts")
  func oddNames() throws {
    let odd = "a|b's\n\"c\""
    let result = try analysis { record, samples in
      for index in record.cells.indices where record.cells[index].key.policy == "never" {
        record.cells[index].key.policy = odd
      }
      for index in samples.indices where samples[index].key.policy == "never" {
        samples[index].key.policy = odd
      }
      for index in record.scenario.policies.indices
      where record.scenario.policies[index].name == "never" {
        record.scenario.policies[index].name = odd
      }
    }
    let text = ReportMarkdown.text(result, hasPictures: true)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| native | a\\|b's \"c\" ") }
    // Sizes, times, curves and holders.
    #expect(rows.count == 4)
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("\"c\"") })
    for plot in Plots.plots(for: result) {
      #expect(plot.script.contains("title 'a|b''s \"c\"'") == (plot.name == "growth"))
      #expect(
        plot.data.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.contains("\t") })
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
    let data = try #require(Plots.plots(for: result).first).data
    #expect(data.contains("31234\t900.000000"))
    #expect(data.utf8.count < 400_000)
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
