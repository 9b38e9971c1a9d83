// Baselines are the record's exact figures and nothing else, and read back as they were written.
import Analysis
import MetricModel
import RecordFixtures
import RecordModel
import Regression
import ScenarioModel
import Testing

@Suite("Baselines")
struct BaselineTests {
  /// All cells, each with the beginning of its curve: long curves have a test of their own.
  private static let made = Result {
    let (record, samples) = try SyntheticRecord.make(repetitions: 2)
    return MeasuredRun(
      record: record,
      samples: samples.map {
        CellRows(key: $0.key, repetition: 1, rows: Array($0.rows.prefix(12)))
      },
      folder: "Reports/long-reader")
  }

  static func run(_ change: (inout RunRecord) -> Void = { _ in }) throws -> MeasuredRun {
    var run = try made.get()
    change(&run.record)
    return run
  }

  @Test("a baseline reads back as it was written, and the same run gives the same bytes")
  func roundTrip() throws {
    let baseline = try Baseline([try Self.run()])
    let text = BaselineFile.text(baseline)
    #expect(try BaselineFile.read(text, name: "b.csv") == baseline)
    #expect(BaselineFile.text(try Baseline([try Self.run()])) == text)
    // Not a day, a path or a command in it.
    #expect(!text.contains("2026-01-02") && !text.contains("Scenarios/"))
  }

  @Test("a baseline holds every exact figure of every measured cell, and no time")
  func whole() throws {
    let run = try Self.run()
    let baseline = try Baseline([run])
    #expect(baseline.cells.count == run.record.cells.count { $0.status == .measured })
    let exact = Set(SummaryMetric.allCases.filter { !$0.isTimed }.map(\.column))
    for cell in baseline.cells { #expect(Set(cell.figures.keys).isSubset(of: exact)) }
    // The record has no clients of lookups, and no disks of the cells' own.
    let absent = exact.filter { $0.hasPrefix("lookup") || $0 == "peak_disk_bytes" }
    #expect(baseline.cells.contains { Set($0.figures.keys) == exact.subtracting(absent) })
  }

  @Test("texts of a scenario do not change its digest; rows, phases, arms and sampling do")
  func digest() throws {
    let digest = try Self.run().scenarioDigest
    let same = try Self.run {
      $0.scenario.question = "Otherwise?"
      $0.scenario.engines = ["native"]
      $0.scenario.policies.removeLast()
      $0.scenario.expectations = []
      $0.scenario.arms[0].summary = "said otherwise"
    }
    #expect(same.scenarioDigest == digest)
    let changes: [(inout RunRecord) -> Void] = [
      { $0.scenario.tables[0].rows += 1 }, { $0.scenario.launches += 1 },
      { $0.scenario.phases.removeLast() }, { $0.scenario.isDurable.toggle() },
      { $0.scenario.gapBetweenLaunches = .zero },
    ]
    for change in changes { #expect(try Self.run(change).scenarioDigest != digest) }
    let arm = try Self.run().record.scenario.arms[0].name
    let other = try Self.run { $0.scenario.arms[0].clients.removeLast() }
    #expect(other.scenarioDigest == digest)
    #expect(try other.armDigest(arm) != Self.run().armDigest(arm))
    #expect(try same.armDigest(arm) == Self.run().armDigest(arm))
  }

  @Test("a run that is not exact makes no baseline, with the reason")
  func refused() throws {
    func reason(_ change: (inout RunRecord) -> Void) throws -> String {
      let run = try Self.run(change)
      do {
        _ = try Baseline([run])
        return ""
      } catch { return error.message }
    }
    #expect(try reason { $0.provenance.schedule = .threads }.contains("compare-builds"))
    #expect(try reason { $0.provenance.interrupted = true }.contains("interrupted"))
    #expect(
      try reason { $0.cells[0].status = .failed(reason: "no disk space") }.contains("no disk space")
    )
    let differs = try reason { $0.cells[0].repetitions[1].exact.commits += 1 }
    #expect(differs.contains("nothing in it is exact"))
    let run = try Self.run()
    #expect(throws: RegressionError.self) { try Baseline([run, run]) }
  }

  @Test("the error about a damaged file names the line")
  func damaged() throws {
    let text = BaselineFile.text(try Baseline([try Self.run()]))
    func message(_ text: String) -> String {
      do {
        _ = try BaselineFile.read(text, name: "b.csv")
        return ""
      } catch { return error.message }
    }
    #expect(message("").contains("b.csv"))
    #expect(message(text.replacing(",commits,", with: ",commits,x")).contains("is not a number"))
    #expect(message(text.replacing("format,2", with: "format,9")).contains("format 9"))
    let lines = text.split(separator: "\r\n")
    let later = lines.dropLast().joined(separator: "\n").replacing("format,2", with: "format,9")
    #expect(message(later).contains("format 9"), "its check may stand elsewhere")
    #expect(message(lines.joined(separator: "\n")).isEmpty)
    #expect(message(lines.dropLast().joined(separator: "\n")).contains("is cut off"))
    let figures = lines.dropLast()
    #expect(message((figures + figures.suffix(9)).joined(separator: "\n")).contains("twice"))
    #expect(
      message((lines + figures.suffix(1)).joined(separator: "\n")).contains("follows the check"))
  }

  @Test("an edited figure and a removed line are detected anywhere in the file")
  func edited() throws {
    let text = BaselineFile.text(try Baseline([try Self.run()]))
    let lines = text.split(separator: "\r\n").map(String.init)
    func message(_ lines: [String]) -> String {
      do {
        _ = try BaselineFile.read(lines.joined(separator: "\n") + "\n", name: "b.csv")
        return ""
      } catch { return error.message }
    }
    let facts = try #require(lines.firstIndex { $0.hasPrefix(",,,,scenario digest") })
    for index in [facts, facts + 1, lines.count / 2, lines.count - 5] {
      var without = lines
      without.remove(at: index)
      #expect(!message(without).isEmpty, "\(lines[index])")
    }
    for index in lines.indices where lines[index].contains(",final_bytes,") {
      var other = lines
      other[index] += "0"
      #expect(
        message(other).hasPrefix("b.csv:\(lines.count): the file was changed since it was saved"),
        "\(message(other))")
    }
  }

  @Test("a baseline of an earlier version, which has no check, is read, and is marked as such")
  func earlier() throws {
    let text = BaselineFile.text(try Baseline([try Self.run()]))
    let lines = text.split(separator: "\r\n").dropLast().joined(separator: "\r\n")
      .replacing("format,2", with: "format,1")
    let read = try BaselineFile.read(lines, name: "b.csv")
    #expect(!read.isChecked)
    #expect(read.cells == (try BaselineFile.read(text, name: "b.csv").cells))
  }

  @Test(
    "where a curve parts is the first sample that differs, in whatever column",
    arguments: [0, 1, 7, -1])
  func divergence(_ position: Int) throws {
    let run = try Self.run()
    let rows = run.samples[0].rows
    let index = position < 0 ? rows.count - 1 : position
    let signature = CurveSignature(rows)
    #expect(signature.divergence(of: rows) == nil)
    var other = rows
    other[index].observation.pins += 1
    let divergence = try #require(signature.divergence(of: other))
    #expect(divergence.sample == index + 1 && divergence.until == index + 1)
    #expect(divergence.commit == rows[index].observation.commits)
    #expect(divergence.phase == rows[index].phase && !divergence.endsEarly)
  }

  @Test("a long curve names the few samples among which the first difference lies")
  func longCurve() throws {
    let sample = try #require(try Self.run().samples.first?.rows.first)
    let rows = (0..<5_000).map { commit in
      var row = sample
      row.observation.commits = commit
      return row
    }
    let signature = CurveSignature(rows)
    #expect(signature.stride == 4 && signature.hashes.count == 1250)
    var other = rows
    other[3002].observation.pins += 1
    let divergence = try #require(signature.divergence(of: other))
    #expect(divergence.sample == 3001 && divergence.until == 3004)
    let shorter = try #require(signature.divergence(of: Array(rows.prefix(2000))))
    #expect(shorter.endsEarly && shorter.commit == 1999)
    let longer = try #require(
      CurveSignature(Array(rows.prefix(2000)), stride: 4).divergence(of: rows))
    #expect(!longer.endsEarly && longer.sample == 2001 && longer.until == 2004)
  }

  @Test("the text of a baseline has its values in one column, behind names of any length")
  func text() throws {
    let lines = BaselineText.text(try Baseline([try Self.run()])).split(separator: "\n")
    let sizes = lines.filter { $0.hasPrefix("  final_bytes ") || $0.hasPrefix("  commits ") }
    #expect(sizes.count > 1)
    for line in sizes {
      let value = try #require(line.dropFirst(2).firstIndex { $0 == " " })
      let begin = try #require(line[value...].firstIndex { $0 != " " })
      #expect(line.distance(from: line.startIndex, to: begin) == 30, "\(line)")
    }
  }
}
