// The terminal's table in the columns that there are, and figures in one format wherever they stand.
import Analysis
import MetricModel
import Policies
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

@Suite("The terminal's summary")
struct TerminalTests {
  private func analysis(
    _ change: (inout RunRecord, inout [CellRows<Sample>]) -> Void = { _, _ in }
  ) throws -> ScenarioAnalysis {
    var (record, samples) = try SyntheticRecord.make(repetitions: 2)
    change(&record, &samples)
    return ScenarioAnalysis(record: record, samples: samples)
  }

  @Test("no line is wider than the terminal, with every figure in it", arguments: [80, 100, 132])
  func width(_ width: Int) throws {
    let odd = "a policy whose name is much longer than any column of a table may become"
    let result = try analysis { record, samples in
      SyntheticRecord.rename(policy: "every-launch", odd, &record, &samples)
    }
    let text = TerminalSummary.text(result, reportPath: nil, width: width)
    for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
    for figure in ["23.1 MB", "13.5×", "4.10 MB", "154 MB"] { #expect(text.contains(figure)) }
    #expect(text.contains("a policy whose") && (width > 120 || text.contains("…")))
  }

  @Test("a wide terminal has one line of titles and the curve, if both fit")
  func wide() throws {
    let text = TerminalSummary.text(try analysis(), reportPath: nil, width: 140)
    #expect(text.contains("high water    final  space amp.  rewritten  blocked  commit p99\n"))
    #expect(text.contains("  native  never "))
    let narrow = TerminalSummary.text(try analysis(), reportPath: nil, width: 80)
    #expect(narrow.contains("\n  native\n    never "))
  }

  @Test("the arm is named where there are several, and an engine that cannot run it has another")
  func arms() throws {
    let result = try analysis { record, samples in
      let arms = record.scenario.arms.map(\.name)
      record.cells.removeAll { $0.key.engine == "lmdb" && $0.key.arm == arms[0] }
      samples.removeAll { $0.key.engine == "lmdb" && $0.key.arm == arms[0] }
    }
    let arms = result.record.scenario.arms.map(\.name)
    let text = TerminalSummary.text(result, reportPath: nil)
    #expect(text.contains("\n  arm \(arms[0]); the report has all \(arms.count) arms\n"))
    #expect(text.contains("\n  lmdb, \(arms[1])\n") && text.contains("\n  native\n"), "\(text)")
  }

  @Test("the growth of each engine is a panel of one column, also with one policy")
  func oneColumn() throws {
    let result = try analysis { record, samples in
      record.scenario.policies = [.never]
      record.cells.removeAll { $0.key.policy != "never" }
      samples.removeAll { $0.key.policy != "never" }
    }
    let growth = try #require(Pictures.all(result).first)
    let places = growth.svg.matches(of: #/translate\((\d+) (\d+)\)/#)
    #expect(places.map { $0.1 } == ["0", "0", "0"])
    #expect(Set(places.map { $0.2 }).count == 3)
    #expect(Pictures.all(result).map(\.name) == ["growth", "arms"])
  }

  @Test("the default quota is left out if no file exceeds it, and one that the user gave is shown")
  func quota() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 2)
    let above = ReportMarkdown.text(ScenarioAnalysis(record: record, samples: samples))
    #expect(above.contains("| above 22.8 MB |") || above.contains(" above 22.8 MB "))
    let small = samples.map { cell in
      var cell = cell
      for index in cell.rows.indices {
        cell.rows[index].observation.space = SpaceUsage(
          file: ByteCount(1_500_000), live: ByteCount(1_000_000))
      }
      return cell
    }
    let usual = ReportMarkdown.text(ScenarioAnalysis(record: record, samples: small))
    #expect(!usual.contains("above 2.00 MB |") && usual.contains("The files stay below 2.00 MB"))
    let asked = ReportMarkdown.text(
      ScenarioAnalysis(record: record, samples: small, quota: ByteCount(9_000_000)))
    #expect(asked.contains(" above 9.00 MB |"))
  }
}
